"""The compiled Blokus and the rules are one game, over whole matches of every ruleset."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from services.games import registry
from services.games.blokus import rules
from services.games.blokus.position import NOBODY, Position
from services.games.contract import SEATS
from tests.kit import playouts
from workers.engines.blokus_positions import sheet_of, state_of
from workers.engines.kernels import blokus as kernel
from workers.engines.kernels.blokus import Sheet, State
from workers.engines.kernels.blokus_geometry import (
    GROWTH,
    PLACEMENTS_MAX,
    SHAPES,
    Growth,
    Shapes,
    numbering,
)
from workers.engines.kernels.chance import seeded

GAME = registry.game("blokus")
RULESETS = playouts.seeded_rulesets("blokus")
EVEN = np.ones(SHAPES.size.shape[0], np.int64)


class Differs(AssertionError):
    """The kernel and the rules disagree."""


def agree(what: str, ours: object, theirs: object) -> None:
    """``Differs`` unless both say the same."""
    if ours != theirs:
        raise Differs(f"{what}: {ours} is not {theirs}")


def listed(state: State, shapes: Shapes, growth: Growth, colour: int, size: int) -> list[int]:
    """A colour's legal moves as the kernel has them, by their numbers in the rules."""
    n = kernel.refresh(state, shapes, growth, colour)
    first = colour * PLACEMENTS_MAX
    return sorted(int(n) for n in numbering(size).number[state.moves[first : first + n]])


def by_rules(position: Position, colour: int) -> list[int]:
    """The same by the rules; in the canonical order, which is that of the numbers."""
    by_text = position.board.by_text
    return [by_text[text].number for text in rules.colour_moves(position, colour)]


def points(state: State, sheet: Sheet) -> dict[str, int]:
    """The points by seat as the kernel counts them."""
    found = np.zeros(4, np.int64)
    kernel.add_points(state, sheet, SHAPES, found)
    return {seat: int(found[n]) for n, seat in enumerate(SEATS[: sheet.counts[1]])}


def follow(
    options: Mapping[str, Any],
    seed: int,
    shapes: Shapes = SHAPES,
    growth: Growth = GROWTH,
    gives_up: int = NOBODY,
) -> None:
    """Play a match at random by the rules, and in the kernel beside it; compare all of it.

    The seat to move at ply ``gives_up`` leaves the game.
    """
    position, dice = rules.setup(rules.ruleset(options)), playouts.Dice(seed)
    size, ply = position.board.size, 0
    sheet, state = sheet_of(position.ruleset, (), EVEN), state_of(position)
    while position.next != NOBODY:
        agree("next", kernel.next_to_place(state, sheet, shapes, growth), position.next)
        agree("shares", int(state.turn[1]), position.shares)
        fresh, moves = state_of(position), by_rules(position, position.next)
        agree("kept", listed(state, shapes, growth, position.next, size), moves)
        agree("made anew", listed(fresh, shapes, growth, position.next, size), moves)
        if ply == gives_up:
            position = rules.withdraw(position, position.seat_of(position.next)).position
            sheet, state = sheet_of(position.ruleset, position.out, EVEN), state_of(position)
            if position.next == NOBODY:
                return
        else:
            number = moves[dice.below(len(moves))]
            code = int(numbering(size).code[number])
            kernel.place(state, sheet, shapes, position.next, code)
            text = position.board.placements[number].text
            position = rules.apply(position, text).position
        agree("points", points(state, sheet), dict(rules.standing(position).points))
        ply += 1
    agree("over", kernel.next_to_place(state, sheet, shapes, growth), NOBODY)


@pytest.mark.parametrize("name", RULESETS)
def test_every_ply_of_a_match_is_the_same_by_the_kernel_and_by_the_rules(name: str) -> None:
    """Turn, legal moves (kept up to date, and made anew), passes, points and the end."""
    for seed in range(3):
        follow(RULESETS[name], seed)


@pytest.mark.parametrize("variant", ["classic", "classic-2", "classic-3", "duo"])
def test_it_stays_so_when_a_seat_gives_up(variant: str) -> None:
    """Its colours place no more, and its turns of a shared colour are skipped."""
    for ply in (0, 7, 20):
        follow({"variant": variant}, ply, gives_up=ply)


def one_less(numbers: np.ndarray[Any, Any], place: int) -> np.ndarray[Any, Any]:
    """A table with one mistake in it."""
    changed = numbers.copy()
    changed[place] -= 1
    return changed


MUTANTS = {
    "a shape forgets its last edge": (
        SHAPES._replace(n_outline=one_less(SHAPES.n_outline, 0)),
        GROWTH,
    ),
    "a shape forgets its last corner": (
        SHAPES._replace(n_points=one_less(SHAPES.n_points, -1)),
        GROWTH,
    ),
    "a cell is looked for one place beside": (
        SHAPES,
        GROWTH._replace(step=one_less(GROWTH.step, 200)),
    ),
    "a shape too many is skipped": (
        SHAPES,
        GROWTH._replace(skip=np.minimum(GROWTH.skip + np.uint64(1), np.uint64(414))),
    ),
    "a piece is taken for another": (
        SHAPES._replace(piece=np.roll(SHAPES.piece, 1)),
        GROWTH,
    ),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_a_wrong_table_is_noticed(name: str) -> None:
    """The comparison can fail: each of these mistakes shows within a few matches."""
    with pytest.raises(Differs):
        follow_many(*MUTANTS[name])


def follow_many(shapes: Shapes, growth: Growth) -> None:
    """More matches than any mistake takes to show."""
    for seed in range(20):
        follow({"variant": "duo"}, seed, shapes, growth)


@pytest.mark.parametrize("variant", ["classic", "classic-2", "classic-3", "duo"])
def test_a_playout_ends_where_nobody_can_place(variant: str) -> None:
    """What the kernel plays by itself are legal moves until the rules have none left."""
    position = rules.setup(rules.ruleset({"variant": variant}))
    sheet, state = sheet_of(position.ruleset, (), EVEN), state_of(position)
    sums, chance = np.zeros(PLACEMENTS_MAX, np.int64), seeded(7)
    while position.next != NOBODY:
        colour = position.next
        agree("turn", int(state.turn[0]), colour)
        code = kernel.draw(state, sheet, SHAPES, GROWTH, sums, chance, colour)
        number = int(numbering(position.board.size).number[code])
        position = rules.apply(position, position.board.placements[number].text).position
        kernel.place(state, sheet, SHAPES, colour, code)
        kernel.next_to_place(state, sheet, SHAPES, GROWTH)
    agree("points", points(state, sheet), dict(rules.standing(position).points))


def test_draws_follow_the_weights_among_the_moves_that_meet_most_threats() -> None:
    """A threat is met wherever that can be done; among equals the weight decides."""
    position = rules.setup(rules.ruleset({"variant": "duo"}))
    for move in ("e10,f10,g10,h10,i10", "j5,j6,j7,j8"):
        position = rules.apply(position, move).position
    weight = np.array([1 + 9 * (size == 5) for size in SHAPES.size], np.int64)
    sheet = sheet_of(position.ruleset, (), weight)
    board, placements = position.board, position.board.placements
    rival = position.covered[1]
    threats = board.diagonal(rival) & ~board.beside(rival) & ~rules.taken(position)
    met = {n: (placements[n].mask & threats).bit_count() for n in by_rules(position, 0)}
    best = {n for n, count in met.items() if count == max(met.values())}
    fives = sum(len(placements[n].squares) == 5 for n in best)
    sums, chance, drawn = np.zeros(PLACEMENTS_MAX, np.int64), seeded(7), []
    for _ in range(2_000):
        code = kernel.draw(state_of(position), sheet, SHAPES, GROWTH, sums, chance, 0)
        drawn.append(int(numbering(14).number[code]))
    assert max(met.values()) >= 1
    assert set(drawn) <= best
    assert len(best) > fives > 0
    share = sum(len(placements[n].squares) == 5 for n in drawn) / len(drawn)
    assert abs(share - 10 * fives / (10 * fives + len(best) - fives)) < 0.05
