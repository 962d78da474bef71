"""The compiled half of Hedgerow is its rules: every match of every ruleset, turn by turn."""

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
import pytest

from services.games import registry
from services.games.hedgerow.board import set_of
from services.games.hedgerow.harvest import path_score
from services.games.hedgerow.placement import is_stuck
from services.games.hedgerow.position import Position
from services.games.hedgerow.regions import placement_score
from services.games.hedgerow.tokens import TOKENS, path_text, read_placement
from tests.kit.playouts import Dice, Turn, playout, seeded_rulesets
from workers.engines.kernels import hedgerow, hedgerow_harvest
from workers.engines.kernels.hedgerow import BOARD, SCORE, Words, laid
from workers.engines.kernels.hedgerow_harvest import PATHS_MAX, TOP, Work, new_work

GAME = registry.game("hedgerow")
RULESETS = seeded_rulesets("hedgerow")

Place = Callable[[Words, int], None]


def turns(seed: int, options: dict[str, Any]) -> Iterator[Turn]:
    """A match at random; a stuck game does not end it, so that both games are seen."""
    start = GAME.rules.setup(GAME.rules.ruleset({**options, "stuck_loss": "game"}))
    return playout(GAME, start, Dice(seed))


def listed(board: Words) -> tuple[str, ...]:
    """The placements that the kernel lists."""
    found = np.zeros(hedgerow.PLACEMENTS_MAX, np.int64)
    n = hedgerow.placements(board, hedgerow.types_to_place(board), found)
    return tuple(TOKENS[placement >> 4][placement & 15] for placement in found[:n])


def trails(work: Work, n: int) -> list[tuple[int, ...]]:
    """The paths that the kernel has walked last, square by square."""
    return [tuple(map(int, row[: list(row).index(-1)])) for row in work.trails[:n]]


def placing_differs(seed: int, options: dict[str, Any], place: Place) -> Iterator[str]:
    """Where a board that is placed on turn by turn departs from the rules'."""
    for turn in turns(seed, options):
        position = turn.position
        if not position.turns:
            board = laid(position)
        if not position.is_placing:
            score = position.scores[-1]
            if (board[SCORE], hedgerow.isolation(board)) != (score.regions, score.isolation):
                yield f"score of the full board before {turn.move}"
            continue
        if listed(board) != turn.listed:
            yield f"legal placements before {turn.move}"
        if board[SCORE] != placement_score(position.board, position.ruleset.cross_presence):
            yield f"running score before {turn.move}"
        if (board != laid(position)).any():
            yield f"board before {turn.move}"
        square, glyph = read_placement(turn.move)
        place(board, square << 4 | glyph)


@pytest.mark.parametrize("name", RULESETS)
def test_placing_is_the_rules_placing(name: str) -> None:
    """Legal placements and their order, boards, supplies, scores: the same at every turn."""
    for seed in range(3):
        assert list(placing_differs(seed, RULESETS[name], hedgerow.place)) == []


@pytest.mark.parametrize("name", RULESETS)
def test_who_is_stuck_is_whom_the_kernel_finds_no_placement_for(name: str) -> None:
    """A position of a stuck game lists nothing, and every other something."""
    for turn in islice(turns(5, RULESETS[name]), 49):
        for position in (turn.position, turn.step.position):
            if position.is_placing:
                assert (listed(laid(position)) == ()) == is_stuck(position)


@pytest.mark.parametrize("name", RULESETS)
def test_the_heaviest_placements_are_those_with_the_most_triangles(name: str) -> None:
    """Of all that is listed, in the same order."""
    found = np.zeros(hedgerow.PLACEMENTS_MAX, np.int64)
    for turn in islice(turns(6, RULESETS[name]), 0, 49, 3):
        triangles = {m: read_placement(m)[1].bit_count() for m in turn.listed}
        heaviest = [m for m in turn.listed if triangles[m] == max(triangles.values())]
        n = hedgerow.heaviest(laid(turn.position), found)
        assert [TOKENS[placement >> 4][placement & 15] for placement in found[:n]] == heaviest


def paths_differ(seed: int, options: dict[str, Any], walk: Callable[..., int]) -> Iterator[str]:
    """Where the paths of a harvest depart from the rules'."""
    work = new_work(1, 1)
    for turn in turns(seed, options):
        position = turn.position
        if position.is_placing:
            continue
        board, score = laid(position), position.scores[-1]
        n = walk(board, position.standing, position.mover - 1, work, TOP)
        found = trails(work, n)
        if tuple(map(path_text, found)) != turn.listed:
            yield f"paths before {turn.move}"
        for (squares, points), path in zip(work.paths[TOP].tolist(), found, strict=False):
            if squares != set_of(path):
                yield f"squares of {path_text(path)}"
            if points != path_score(position.board, position.mover, path, score.isolation):
                yield f"score of {path_text(path)}"


@pytest.mark.parametrize("name", RULESETS)
def test_harvests_are_the_rules_harvests(name: str) -> None:
    """Every path in the canonical order, its squares and its score."""
    for seed in range(3):
        assert list(paths_differ(seed, RULESETS[name], hedgerow_harvest.paths)) == []


def test_a_board_of_endless_paths_still_gives_a_harvest() -> None:
    """Steps and paths are bounded, and then lone Cross Zeros are still found."""
    board = laid(Position(GAME.rules.ruleset({})))
    everything = (1 << 49) - 1
    for square in range(48):
        hedgerow.lay(board, square, 0, (15 & ~(1 << square % 4)))
    hedgerow.lay(board, 48, 0, 0)
    work = new_work(1, 1)
    n = hedgerow_harvest.paths(board, everything, 0, work, TOP)
    assert 0 < n <= PATHS_MAX
    assert (work.paths[TOP, :n, 0] > 0).all()
    assert work.spent[0] > 1  # it counts as several turns' work
    board[BOARD + 48] = 16
    board[hedgerow.CROSSES], board[hedgerow.CROSSES + 1] = 1, 1 << 48
    assert hedgerow_harvest.paths(board, everything, 0, work, TOP) > 0


LAY, WORTH, NEXT_SQUARES = hedgerow.lay, hedgerow.worth, hedgerow_harvest.next_squares


def python(module: Any, name: str) -> Any:
    """A kernel as the Python it is written in: what it calls can be made wrong."""
    return getattr(module, name).py_func


def no_western_edge(board: Words, square: int, owner: int, glyph: int) -> None:
    """A piece lies as if its western side were never solid."""
    LAY(board, square, owner, glyph & 7)
    board[BOARD + square] = owner * 16 + glyph


def alone_is_lost(board: Words, area: int) -> int:
    """A lone piece counts as isolated, a Cross Zero beside it or not."""
    crosses = board[hedgerow.CROSSES : hedgerow.CROSSES + 2]
    kept = crosses.copy()
    crosses[:] = crosses if area & (area - 1) else 0
    points = WORTH(board, area)
    crosses[:] = kept
    return points


@pytest.mark.parametrize(("part", "wrong"), [("lay", no_western_edge), ("worth", alone_is_lost)])
def test_a_mutant_of_placing_is_caught(
    monkeypatch: pytest.MonkeyPatch, part: str, wrong: Callable[..., Any]
) -> None:
    """An edge forgotten, a rescue forgotten: both show within the matches above."""
    place = python(hedgerow, "place")
    monkeypatch.setattr(hedgerow, "change", python(hedgerow, "change"))
    assert list(placing_differs(1, {}, place)) == []
    monkeypatch.setattr(hedgerow, part, wrong)
    assert next(placing_differs(1, {}, place), None) is not None


def nearest_only(board: Words, standing: int, square: int, found: Words) -> int:
    """A piece sees one of its ways, and never over another piece."""
    return min(1, NEXT_SQUARES(board, standing, square, found))


def test_a_mutant_of_walking_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who looks one way only loses paths, and the comparison says so."""
    walk = python(hedgerow_harvest, "paths")
    assert list(paths_differ(1, {}, walk)) == []
    monkeypatch.setattr(hedgerow_harvest, "next_squares", nearest_only)
    assert next(paths_differ(1, {}, walk), None) is not None
