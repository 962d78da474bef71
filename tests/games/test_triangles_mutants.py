"""Broken Triangles: each mutant of a rule fails at least one case of the sheet's vectors."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ops.check_vectors import run_file
from services.games.triangles import legality, play, points, rules
from services.games.triangles.lattice import Layout
from services.games.triangles.position import NOBODY, Position, RoundEnd
from services.games.triangles.tiles import (
    ALL_TILES,
    FITTING,
    NUMBERS,
    READINGS,
    TILES,
    VALUES,
    turned,
    value_of,
)

VECTORS = Path(__file__).parent / "vectors" / "triangles_vectors.json"

Patch = pytest.MonkeyPatch


def mutant_only_shared_sides_have_to_agree(patch: Patch) -> None:
    """A digit may meet another one where tiles touch at a corner only."""
    contact = legality.contact_objection

    def careless(layout: Layout, placement: Any) -> Any:
        found = contact(layout, placement)
        sides = layout.shared_sides(placement.cell)
        return None if found and found.code == "corner-mismatch" and len(sides) == 1 else found

    patch.setattr(rules, "contact_objection", careless)


def mutant_tiles_may_touch_at_a_corner_alone(patch: Patch) -> None:
    """No side has to be shared."""
    contact = legality.contact_objection

    def careless(layout: Layout, placement: Any) -> Any:
        found = contact(layout, placement)
        return None if found and found.code == "no-shared-side" else found

    patch.setattr(rules, "contact_objection", careless)


def mutant_tiles_may_be_mirrored(patch: Patch) -> None:
    """021 is taken for the tile 012."""
    mirrored = {reading[::-1]: tile for tile, name in enumerate(TILES) for reading in turned(name)}
    patch.setattr("services.games.triangles.notation.READINGS", {**mirrored, **READINGS})


def mutant_the_first_tile_lies_anywhere(patch: Patch) -> None:
    """Any cell will do."""
    patch.setattr(rules, "opening_objection", lambda _position, _placement: None)


def mutant_zeros_earn_fifty(patch: Patch) -> None:
    """40 and 10."""
    patch.setattr(points, "ZEROS_POINTS", 50)


def mutant_triples_earn_ten_always(patch: Patch) -> None:
    """Not only as the first tile."""
    placement_points = points.placement_points

    def generous(*asked: Any) -> Any:
        found = placement_points(*asked)
        return replace(found, opening=points._opening_points(asked[2].tile))

    patch.setattr(points, "placement_points", generous)
    patch.setattr(play, "placement_points", generous)


def mutant_hexagons_are_fifty_sixty_seventy(patch: Patch) -> None:
    """As published elsewhere."""
    closed = points.hexagons_closed
    patch.setattr(points, "hexagons_closed", lambda *a: {0: 0, 1: 1, 2: 1.2, 3: 1.4}[closed(*a)])


def mutant_a_bridge_is_any_three_corners(patch: Patch) -> None:
    """However many sides are shared."""

    def generous(_ruleset: Any, layout: Layout, placement: Any, _hexagons: int) -> bool:
        return all(digit is not None for digit in layout.pattern(placement.cell))

    patch.setattr(points, "makes_bridge", generous)


def mutant_the_highest_sum_ignores_digits(patch: Patch) -> None:
    """445 before 355."""
    by_value = sorted(range(len(TILES)), key=lambda tile: (VALUES[tile], tile), reverse=True)
    patch.setattr(play, "HIGHEST", tuple(by_value))


def mutant_the_highest_tile_opens_before_a_triple(patch: Patch) -> None:
    """Triples count for nothing."""
    patch.setattr(play, "TRIPLES", 0)


def mutant_draws_cost_nothing(patch: Patch) -> None:
    """Neither at once nor in the turn."""
    patch.setattr(play, "DRAW_POINTS", 0)


def mutant_at_most_three_are_drawn(patch: Patch) -> None:
    """As others play; then the seat passes."""
    forced = rules._forced

    def short(position: Position) -> tuple[int, bool]:
        drawn, passes = forced(position)
        return (3, True) if drawn > 3 else (drawn, passes)

    patch.setattr(rules, "_forced", short)


def mutant_one_tile_too_many_is_drawn(patch: Patch) -> None:
    """Drawing does not stop at the first tile that fits."""
    forced = rules._forced

    def greedy(position: Position) -> tuple[int, bool]:
        drawn, passes = forced(position)
        return min(drawn + bool(drawn), position.market_count), passes

    patch.setattr(rules, "_forced", greedy)


def mutant_the_market_is_drawn_from_its_end(patch: Patch) -> None:
    """Its last tile comes first."""
    deal = rules.deal

    def turned_round(*asked: Any) -> Any:
        step = deal(*asked)
        return replace(step, position=replace(step.position, market=step.position.market[::-1]))

    patch.setattr(rules, "deal", turned_round)


def mutant_the_first_pass_blocks(patch: Patch) -> None:
    """One pass ends the round."""
    over = play.round_is_over
    patch.setattr(
        play,
        "round_is_over",
        lambda p: over(p) or (bool(p.turns) and p.turns[-1].placement is None),
    )


def mutant_going_out_earns_no_extra(patch: Patch) -> None:
    """The 25 are forgotten."""
    patch.setattr(points, "OUT_POINTS", 0)


def mutant_a_block_earns_the_whole_other_hand(patch: Patch) -> None:
    """The own hand is not taken off."""

    def generous(hands: Any) -> RoundEnd:
        values = [value_of(hand) for hand in hands]
        winner = values.index(min(values)) if len(set(values)) > 1 else NOBODY
        earned = tuple(sum(values) - v if n == winner else 0 for n, v in enumerate(values))
        return RoundEnd("blocked", winner, earned)

    patch.setattr(play, "blocked_end", generous)


def mutant_the_first_to_reach_the_target_wins(patch: Patch) -> None:
    """Whoever has 400 is taken to have won, in the order of the seats."""
    patch.setattr(rules, "leaders", lambda *_: (0,))


def mutant_the_match_never_ends(patch: Patch) -> None:
    """The target is not looked at."""
    patch.setattr(rules, "match_is_over", lambda *_: False)


def mutant_a_tile_is_listed_in_one_rotation_only(patch: Patch) -> None:
    """As its name is written."""
    upright = {
        pattern: tuple((tile, reading) for tile, reading in fits if reading in NUMBERS)
        for pattern, fits in FITTING.items()
    }
    patch.setattr(rules, "FITTING", upright)


def mutant_anything_is_in_the_hand(patch: Patch) -> None:
    """Nobody looks whether the tile is held."""

    def blind(position: Position, move: str) -> Any:
        full = replace(position, hands=(ALL_TILES,) * len(position.hands))
        return objection(full, move)

    objection = rules.objection
    patch.setattr(rules, "objection", blind)


MUTANTS = [value for name, value in sorted(globals().items()) if name.startswith("mutant_")]


def test_the_control_without_a_mutant_holds() -> None:
    """The vectors hold as the rules are."""
    assert run_file(VECTORS).ok


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.__name__)
def test_a_broken_rule_is_caught(mutant: Callable[[Patch], None], monkeypatch: Patch) -> None:
    """Each of them fails at least one case."""
    mutant(monkeypatch)
    assert not run_file(VECTORS).ok
