"""The Hedgerow engine that searches: legal, the same everywhere, never stuck, for the total.

``PLYBOOK_HEDGEROW_GAMES`` (``make stuck``) says how many games it plays against all who might get
it stuck.
"""

import os
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.contract import Over
from services.games.hedgerow.pieces import TRIANGLES
from services.games.hedgerow.position import GAMES, HARVESTS, STUCK_NET, Position, Score
from services.games.hedgerow.tokens import read_placement
from tests.engines.arena import lead, question
from tests.engines.golden import stands_on_a_plain_processor
from tests.engines.hedgerow_golden import FILE, golden, to_tree
from tests.games.hedgerow_play import cross_last, heavy_first
from tests.kit.playouts import Choose, Dice, playout
from workers.engines.hedgerow_tree import WALKS, match_of
from workers.engines.kernels import hedgerow
from workers.engines.kernels.hedgerow import Words, laid
from workers.engines.registry import think

GAME = registry.game("hedgerow")
STUCK_GAMES = int(os.environ.get("PLYBOOK_HEDGEROW_GAMES", "12"))
NEVER_STUCK_WITH = 4
"""Playouts of the weakest level there could be: whoever sees less gets stuck sooner."""


def positions(seed: int, **options: str) -> list[Position]:
    """The positions of a match at random."""
    start = GAME.rules.setup(GAME.rules.ruleset({"stuck_loss": "game", **options}))
    return [turn.position for turn in playout(GAME, start, Dice(seed))]


def answer(position: Position, budget: int = 20, seed: int = 1) -> str:
    """The engine's move."""
    return think(to_tree(question(GAME, position, position.ruleset, 1, seed), budget)).move


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden()
    assert len(cases) >= 40
    assert {"@" in case.move for case in cases} == {True, False}
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_a_processor_without_its_special_instructions_answers_the_same() -> None:
    """Compiled for the plainest processor there is, in another process, nothing changes."""
    assert stands_on_a_plain_processor(FILE)


def test_the_seed_decides_and_nothing_else() -> None:
    """The same question twice has one answer; other seeds play out otherwise."""
    position = positions(4)[6]
    assert answer(position, seed=3) == answer(position, seed=3)
    assert len({answer(position, seed=seed) for seed in range(20)}) > 1


def test_a_harvest_has_nothing_to_do_with_chance() -> None:
    """Searched, not played out: every seed gets the same answer."""
    position = next(p for p in positions(4) if p.turns == 50)
    assert len({answer(position, seed=seed) for seed in range(5)}) == 1


@pytest.mark.parametrize(
    "options",
    [{}, {"cross_presence": "yes", "first": "B"}, {"boundary_edges": "forbidden"}],
)
def test_every_answer_is_legal_and_heaviest(options: dict[str, Any]) -> None:
    """Whole matches: the rules object to no move, and no lighter piece comes before a heavier."""
    position = GAME.rules.setup(GAME.rules.ruleset({**options, "stuck_loss": "game"}))
    turns = 0
    while not isinstance(GAME.rules.awaiting(position), Over):
        move = answer(position, budget=3, seed=turns)
        assert GAME.rules.objection(position, move) is None
        if position.is_placing:
            listed = map(read_placement, GAME.rules.moves(position).texts)
            heaviest = max(TRIANGLES[glyph] for _, glyph in listed)
            assert TRIANGLES[read_placement(move)[1]] == heaviest
        position, turns = GAME.rules.apply(position, move).position, turns + 1
    assert turns > 90


def test_the_work_of_a_move_is_bounded() -> None:
    """Playouts as many as the budget buys, or turns walked; a first look is always finished."""
    found = positions(9)
    for turns in (1, 20, 38, 40, 45, 49, 55):
        position = next(p for p in found if p.turns == turns)
        asked = to_tree(question(GAME, position, position.ruleset, 1, seed=turns), 30)
        if turns < 39:
            assert think(asked).nodes == 30 * 49 // (49 - turns)
        else:
            assert think(asked).nodes <= max(WALKS * 30, 252 * HARVESTS) + 2 * HARVESTS


def test_the_yardstick_takes_the_most_points_of_the_moment() -> None:
    """One placement ahead it gains as much as any heaviest piece could."""
    for position in positions(3)[2:39:6]:
        asked = question(GAME, position, position.ruleset, 1, seed=1)
        move = think(replace(asked, engine="hedgerow-one-ply", engine_version=1)).move
        listed = [read_placement(text) for text in GAME.rules.moves(position).texts]
        heaviest = max(TRIANGLES[glyph] for _, glyph in listed)
        board = laid(position)
        gains = {placed: gain(board, *placed) for placed in listed}
        chosen = read_placement(move)
        assert TRIANGLES[chosen[1]] == heaviest
        assert gains[chosen] == max(gains[p] for p in listed if TRIANGLES[p[1]] == heaviest)


def gain(board: Words, square: int, glyph: int) -> int:
    """What a placement adds to the mover's running score."""
    after, sign = board.copy(), -1 if board[hedgerow.TURNS] % 2 else 1
    hedgerow.place(after, square << 4 | glyph)
    return int(after[hedgerow.SCORE] - board[hedgerow.SCORE]) * sign


def comes_to(position: Position, seat: str) -> int:
    """A seat's total when both harvest as well as can be, by plain minimax over the rules."""
    if isinstance(awaited := GAME.rules.awaiting(position), Over):
        return int(GAME.rules.standing(position).points[seat])
    after = [GAME.rules.apply(position, m).position for m in GAME.rules.moves(position).texts]
    return (max if awaited == seat else min)(comes_to(reached, seat) for reached in after)


@pytest.mark.parametrize("seed", range(3))
def test_the_end_of_the_harvest_is_played_as_well_as_can_be(seed: int) -> None:
    """With four turns left no other path comes to more."""
    position = next(p for p in positions(seed) if p.game == GAMES and p.turns == 55)
    seat = str(GAME.rules.awaiting(position))
    chosen = GAME.rules.apply(position, answer(position, budget=1_000)).position
    assert comes_to(chosen, seat) == comes_to(position, seat)


@pytest.mark.parametrize("first", ["A", "B"])
def test_the_second_game_is_played_for_the_total(first: str) -> None:
    """What the first game brought counts for whom it was won, whoever begins now."""
    start = GAME.rules.setup(GAME.rules.ruleset({"first": first}))
    assert match_of(start).ahead == 0
    won = replace(start, scores=(Score(regions=9), Score()))
    # Owner 1 of game 1 is nine ahead, and is owner 2 now.
    assert match_of(won).ahead == -9
    assert match_of(won).width < match_of(start).width
    lost = replace(start, scores=(Score(stuck=1), Score()))
    assert match_of(lost).ahead == STUCK_NET


def test_what_the_first_game_brought_decides_moves_of_the_second() -> None:
    """With a lead to keep or to make good, some placements are other ones."""
    found = [p for p in positions(6) if p.game == GAMES and p.turns in range(8, 38, 3)]

    def answers(regions: int) -> list[str]:
        first = Score(regions, isolation=1)
        return [answer(replace(p, scores=(first, *p.scores[1:])), 60) for p in found]

    assert answers(-30) != answers(30)
    assert answers(30) == answers(30)


def test_playouts_pay() -> None:
    """Five times as many are felt at once: level 5 beats level 4."""
    assert min(lead("hedgerow", {}, 5, 4, pairs=1)) > 0


def squeeze(position: Any, listed: tuple[str, ...], dice: Dice) -> str:
    """Heavy pieces first, there where the other player is left fewest placements (§12)."""
    heaviest = max(len(m.split("@")[0]) * (m[0] != "X") for m in listed)
    choices = [m for m in listed if len(m.split("@")[0]) * (m[0] != "X") == heaviest]
    found = np.zeros(hedgerow.PLACEMENTS_MAX, np.int64)

    def left(move: str) -> int:
        board = laid(position)
        square, glyph = read_placement(move)
        hedgerow.place(board, square << 4 | glyph)
        return int(hedgerow.placements(board, hedgerow.types_to_place(board), found))

    counted = [(left(move), dice.below(1 << 20), move) for move in choices]
    return min(counted)[2]


RIVALS: tuple[Choose, ...] = (squeeze, cross_last, heavy_first)


def stuck_owner(rival: Choose, seed: int, **options: str) -> int:
    """The owner who is stuck in a game of the engine, owner 1 with even seeds; 0 if nobody is."""
    position = GAME.rules.setup(GAME.rules.ruleset({"stuck_loss": "game", **options}))
    dice, own = Dice(seed), 1 + seed % 2
    while position.is_placing and position.game == 1:
        if position.mover == own:
            move = answer(position, NEVER_STUCK_WITH, dice.below(1 << 63))
        else:
            move = rival(position, GAME.rules.moves(position).texts, dice)
        position = GAME.rules.apply(position, move).position
    return int(position.scores[0].stuck)


def test_it_is_never_stuck() -> None:
    """Not even against who plays for it, with next to no playouts (§12)."""
    for seed in range(STUCK_GAMES):
        rival = RIVALS[seed // 2 % len(RIVALS)]
        assert stuck_owner(rival, seed) != 1 + seed % 2, (rival, seed)
