"""Deliberately broken rules of Hedgerow: each is caught by a case of the sheet's vectors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ops.check_vectors import run_file
from services.games.contract import Objection
from services.games.hedgerow import board, harvest, placement, regions, rules
from services.games.hedgerow.board import NEIGHBOURS
from services.games.hedgerow.position import Position

VECTORS = Path(__file__).parent / "vectors" / "hedgerow_vectors.json"


def mutant_edges_may_overlap(patch: pytest.MonkeyPatch) -> None:
    """Two solid edges on one segment."""
    patch.setattr(placement, "solid_on", lambda _board, _square: 0)


def mutant_the_boundary_is_solid(patch: pytest.MonkeyPatch) -> None:
    """The other reading of A2, whatever the option says."""

    def barred(position: Position, square: int) -> int:
        return board.solid_on(position.board, square) | board.BOUNDARY[square]

    patch.setattr(placement, "barred", barred)


def mutant_no_reserve(patch: pytest.MonkeyPatch) -> None:
    """Player 2 may place its last piece that is not a Cross Zero."""

    def types(position: Position) -> int:
        if not position.turns:
            return placement._ONLY_CORNERS
        left = position.left(position.mover)
        return sum(1 << kind for kind, count in enumerate(left) if count)

    patch.setattr(placement, "types_to_place", types)


def mutant_any_opening(patch: pytest.MonkeyPatch) -> None:
    """The first piece may be a Double Two."""
    patch.setattr(placement, "_ONLY_CORNERS", 0b01100)


def mutant_nobody_is_stuck(patch: pytest.MonkeyPatch) -> None:
    """A player without a placement keeps the turn."""
    patch.setattr(placement, "is_stuck", lambda _position: False)


def mutant_crosses_are_open_ground(patch: pytest.MonkeyPatch) -> None:
    """The other reading of A6: diagonals are no walls."""
    patch.setattr(regions, "_is_cross", lambda _code: False)


def mutant_isolated_pieces_win_for_their_owner(patch: pytest.MonkeyPatch) -> None:
    """The sign of an isolated piece is turned."""
    whole = regions._region

    def region(*given: Any) -> regions.Region:
        found = whole(*given)
        sign = -1 if found.kind == regions.ISOLATED else 1
        cells, squares, triangles = found.cells, found.squares, found.triangles
        return regions.Region(cells, squares, found.kind, triangles, sign * found.points)

    patch.setattr(regions, "_region", region)


def mutant_two_of_one_owner_are_isolated(patch: pytest.MonkeyPatch) -> None:
    """A region of one owner scores as if it were isolated."""
    patch.setattr(regions, "_kind", lambda *_given: regions.ISOLATED)


def mutant_the_isolation_value_is_forgotten(patch: pytest.MonkeyPatch) -> None:
    """Nothing for the piece that is left."""
    patch.setattr(placement, "isolation_value", lambda _position: 0)


def mutant_hedges_block_steps(patch: pytest.MonkeyPatch) -> None:
    """The other reading of A12."""
    free = harvest.next_squares

    def fenced(squares: bytes, standing: int, square: int) -> list[int]:
        beside = {beyond for side, beyond, _ in NEIGHBOURS[square] if squares[square] & side}
        return [beyond for beyond in free(squares, standing, square) if beyond not in beside]

    patch.setattr(harvest, "next_squares", fenced)


def mutant_corners_do_not_jump(patch: pytest.MonkeyPatch) -> None:
    """A Corner Two leads to the first piece alone."""
    patch.setattr(harvest, "CORNER", -1)


def mutant_harvested_pieces_still_stand(patch: pytest.MonkeyPatch) -> None:
    """A path may not run over the squares it has emptied."""
    free = harvest.next_squares

    def over_nothing(squares: bytes, standing: int, square: int) -> list[int]:
        return [to for to in free(squares, _all(squares), square) if standing >> to & 1]

    patch.setattr(harvest, "next_squares", over_nothing)


def _all(squares: bytes) -> int:
    return sum(1 << square for square, code in enumerate(squares) if code)


def mutant_own_chains_score(patch: pytest.MonkeyPatch) -> None:
    """The other reading of A18."""

    def score(squares: bytes, owner: int, path: tuple[int, ...], isolation: int) -> int:
        if len(path) == 1:
            return -isolation
        worth = [(squares[s] >> 4, (squares[s] & 15).bit_count()) for s in path]
        return sum(count if whose == owner else -count for whose, count in worth)

    patch.setattr(harvest, "path_score", score)


def mutant_a_lone_cross_is_free(patch: pytest.MonkeyPatch) -> None:
    """Nothing for an Isolated Cross."""
    whole = harvest.path_score
    patch.setattr(harvest, "path_score", lambda b, o, p, _isolation: whole(b, o, p, 0))


def mutant_opposing_crosses_may_be_passed(patch: pytest.MonkeyPatch) -> None:
    """No objection to an opposing Cross Zero on the way."""
    whole = harvest.path_objection

    def objection(*given: Any) -> Objection | None:
        wrong = whole(*given)
        return wrong if wrong and wrong.code != "opposing-cross" else None

    patch.setattr(harvest, "path_objection", objection)


def mutant_the_seats_do_not_swap(patch: pytest.MonkeyPatch) -> None:
    """The seat that began game 1 begins game 2 as well."""

    def total(position: Position) -> int:
        nets = sum(score.net for score in position.scores)
        return nets if position.ruleset.first == "A" else -nets

    patch.setattr(Position, "total", property(total))


def mutant_the_stuck_player_wins(patch: pytest.MonkeyPatch) -> None:
    """The loser of a stuck game is the other seat."""
    whole = rules.winners

    def winners(position: Position) -> tuple[str, ...]:
        return (position.loser,) if position.loser else whole(position)

    patch.setattr(rules, "winners", winners)


MUTANTS = [found for name, found in list(globals().items()) if name.startswith("mutant_")]


def test_without_a_mutant_every_case_holds() -> None:
    """The control."""
    assert run_file(VECTORS).ok


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_broken_rule_is_caught(
    mutant: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mutant of the rules fails at least one case of the sheet."""
    mutant(monkeypatch)
    assert not run_file(VECTORS).ok
