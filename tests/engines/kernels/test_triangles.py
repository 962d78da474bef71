"""The kernel of Triangles is its rules: over whole random matches, under every option."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from services.games import registry
from services.games.triangles.points import out_end
from services.games.triangles.position import NOBODY, Position
from tests.kit.playouts import Dice, Turn, playout, seeded_rulesets
from workers.engines.kernels import triangles as kernel
from workers.engines.kernels.triangles import TABLES, Round
from workers.engines.triangles_arrays import move_text, moves_of, round_of, tile_and_cell

GAME = registry.game("triangles")
RULESETS = {
    name: data | {"max_rounds": 2} for name, data in sorted(seeded_rulesets("triangles").items())
}


def turns(options: dict[str, Any], seed: int) -> Iterator[Turn]:
    """The turns of a match at random."""
    yield from playout(GAME, GAME.rules.setup(GAME.rules.ruleset(options)), Dice(seed))


def state(found: Round) -> dict[str, object]:
    """All that a round in arrays says of itself."""
    players = found.n[kernel.PLAYERS]
    return {
        "points": tuple(found.points[:players].tolist()),
        "hands": tuple(found.hands[:players].tolist()),
        "market": tuple(found.market[found.n[kernel.DRAWN] : found.n[kernel.MARKET]].tolist()),
        "next": int(found.n[kernel.SEAT]) if found.n[kernel.END] == kernel.RUNNING else NOBODY,
        "end": int(found.n[kernel.END]),
        "winner": int(found.n[kernel.WINNER]),
    }


def judged(position: Position) -> dict[str, object]:
    """The same of a position of the rules."""
    ends = {"out": kernel.OUT, "blocked": kernel.BLOCKED}
    return {
        "points": position.points,
        "hands": position.hands,
        "market": position.market,
        "next": position.next,
        "end": ends[position.end.kind] if position.end else kernel.RUNNING,
        "winner": position.end.winner if position.end else NOBODY,
    }


def step_differs(turn: Turn) -> bool:
    """Whether the kernel lists other moves in a position, or makes another one of the move."""
    position = turn.position
    found = round_of(position)
    listed = moves_of(found)
    if position.turns and tuple(map(move_text, listed)) != turn.listed:
        return True
    (move,) = [number for number in listed if move_text(number) == turn.move]
    kernel.play(TABLES, found, *tile_and_cell(move))
    return state(found) != judged(turn.step.position)


@pytest.mark.parametrize("name", RULESETS)
def test_the_kernel_is_the_rules(name: str) -> None:
    """Moves and their order, draws, passes, points, ends and winners, turn by turn."""
    found = [step_differs(turn) for turn in turns(RULESETS[name], seed=1)]
    assert len(found) > 30
    assert not any(found)


def test_a_round_played_in_one_go_is_the_round_of_the_rules() -> None:
    """What one placement leaves is where the next begins; taken back, the table is empty again."""
    for seed in range(4):
        found = None
        for turn in turns({"max_rounds": 1, "players": 2 + seed % 3}, seed):
            found = found or round_of(turn.position)
            (move,) = [number for number in moves_of(found) if move_text(number) == turn.move]
            kernel.play(TABLES, found, *tile_and_cell(move))
            assert state(found) == judged(turn.step.position)
        assert found is not None
        while found.n[kernel.LAID]:
            kernel.take_back(TABLES, found)
        empty = kernel.new_round()
        for name in ("pattern", "sides", "where", "ring"):
            assert (getattr(found, name) == getattr(empty, name)).all(), name
        assert found.n[kernel.EDGE] == 1


def test_taking_back_leaves_what_was_there() -> None:
    """Every placement that is possible, laid and taken back: no array remembers it."""
    positions = [turn.position for turn in turns({"max_rounds": 1}, seed=5)]
    for position in positions[1::6]:
        found, before = round_of(position), round_of(position)
        for move in moves_of(found):
            kernel.lay(TABLES, found, *tile_and_cell(move))
            kernel.take_back(TABLES, found)
            for name in ("pattern", "sides", "where", "ring", "n"):
                assert (getattr(found, name) == getattr(before, name)).all(), name
            edge = found.n[kernel.EDGE]
            assert (found.edge[:edge] == before.edge[:edge]).all()


def test_the_longest_row_of_tiles_stays_on_the_array() -> None:
    """No 56 tiles reach the rim of the cells that have numbers, from the first in any direction."""
    reached = {kernel.FIRST}
    for _ in range(56):
        reached |= {int(near) for cell in reached for near in TABLES.beside[cell]}
    assert kernel.OUTSIDE not in reached
    rims = {name[1:] for name in (kernel.NAMED[cell] for cell in reached)}
    assert max(max(map(abs, rim)) for rim in rims) < kernel.SPAN


@pytest.mark.parametrize(
    "broken",
    [
        lambda t: t._replace(value=t.value + 1),
        lambda t: t._replace(beside=np.ascontiguousarray(t.beside[:, [0, 0, 1]])),
        lambda t: t._replace(around=np.ascontiguousarray(t.around[:, [1, 0, 2, 3, 4, 5]])),
        lambda t: t._replace(fits=np.where(t.fits > 0, t.fits & ~np.uint64(1 << 7), t.fits)),
    ],
    ids=["values", "sides", "rings", "fits"],
)
def test_a_broken_kernel_is_noticed(broken: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison can fail: a wrong value, side, ring or fit shows in a single match."""
    tables = broken(TABLES)
    for module in ("workers.engines.triangles_arrays", "tests.engines.kernels.test_triangles"):
        monkeypatch.setattr(f"{module}.TABLES", tables)
    with pytest.raises((AssertionError, ValueError)):
        assert not any(step_differs(turn) for turn in turns({"max_rounds": 1}, seed=1))


def test_the_end_points_are_those_of_the_rules() -> None:
    """A hand is worth its tiles, whatever they are."""
    dice = Dice(1)
    for _ in range(50):
        hand = dice.below(1 << 56)
        assert kernel.value_of(TABLES, np.uint64(hand)) == out_end((0, hand), 0).points[0] - 25
