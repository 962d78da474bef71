"""The searches of Hedgerow's kernels: what they say is what plain play to the end comes to."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from services.games import registry
from services.games.hedgerow import soundness
from services.games.hedgerow.position import Position
from services.games.hedgerow.regions import placement_score
from services.games.hedgerow.tokens import TOKENS
from tests.engines.hedgerow_minimax import harvested
from tests.kit.playouts import Dice, playout, seeded_rulesets
from workers.engines.kernels import chance, hedgerow, hedgerow_tree, tree
from workers.engines.kernels.hedgerow import BOARD, SCORE, TURNS, VACANT, Words, laid
from workers.engines.kernels.hedgerow_crosses import SQUARES_MAX, are_last, divide, new_last
from workers.engines.kernels.hedgerow_harvest import PATHS_MAX, new_work, value, values
from workers.engines.kernels.hedgerow_tree import Match, grow, new_room, play_out

GAME = registry.game("hedgerow")
EVEN = Match(ahead=0, is_lost=True, width=8.0, weight=1.0)


def positions(seed: int, **options: str) -> Iterator[Position]:
    """The positions of a match at random."""
    start = GAME.rules.setup(GAME.rules.ruleset({"stuck_loss": "game", **options}))
    return (turn.position for turn in playout(GAME, start, Dice(seed)))


def at(seed: int, turns: int, **options: str) -> Position:
    """The first position after so many placements and harvests."""
    return next(p for p in positions(seed, **options) if p.turns == turns)


@pytest.mark.parametrize("seed", range(6))
def test_a_harvest_with_budget_is_searched_to_its_end(seed: int) -> None:
    """Alpha-beta, table and order of paths change the work, never the value of the best path."""
    position, worth = at(seed, 55), np.zeros(PATHS_MAX, np.int64)
    work = new_work(1 << 40, 12)
    n = values(laid(position), position.standing, position.mover - 1, work, worth)
    assert n == len(GAME.rules.moves(position).texts)
    if n > 1:
        assert worth[:n].max() == harvested(position, 4)


@pytest.mark.parametrize("seed", range(3))
def test_a_table_of_one_row_finds_the_same_values(seed: int) -> None:
    """What the table remembers of other positions never passes for this one."""
    position = at(seed, 53)
    sizes = [
        value(
            laid(position),
            position.standing,
            1 - position.turns % 2,
            6,
            -99,
            99,
            new_work(1 << 40, bits),
        )
        for bits in (0, 4, 16)
    ]
    assert sizes == sizes[:1] * 3


def test_harvesting_greedily_is_what_a_search_without_depth_foresees() -> None:
    """The most points of the moment, turn by turn to the end, by the rules' own moves."""
    position, points = at(3, 49), []
    foreseen = value(laid(position), position.standing, 1, 0, -99, 99, new_work(1 << 40, 4))
    game = position.game
    while position.game == game and not position.over:
        steps = [GAME.rules.apply(position, m) for m in GAME.rules.moves(position).texts]
        step = max(steps, key=lambda step: int(step.facts[0].rsplit("=", 1)[1]))
        points.append(int(step.facts[0].rsplit("=", 1)[1]))
        position = step.position
    assert foreseen == sum(points[::2]) - sum(points[1::2])


def divided(position: Position, depth: int) -> int:
    """Owner 1's net by plain minimax over the last placements and harvests searched so deep."""
    if not position.is_placing:
        score, work = position.scores[-1], new_work(1 << 40, 10)
        harvest = value(laid(position), position.standing, 1, depth, -99, 99, work)
        return score.regions + score.isolation - int(harvest)
    after = [GAME.rules.apply(position, m).position for m in GAME.rules.moves(position).texts]
    best = max if position.mover == 1 else min
    return best(divided(placed, depth) for placed in after)


@pytest.mark.parametrize("turns", [45, 46, 47])
def test_the_last_cross_zeros_are_divided_as_by_minimax(turns: int) -> None:
    """What each square is worth is what the rules' own lines come to, harvests included."""
    position = next(p for p in positions(turns) if p.turns == turns and are_last(laid(p)))
    worth, work = np.zeros(SQUARES_MAX, np.int64), new_work(3_000, 14)
    depth = divide(laid(position), new_last(), work, worth)
    assert depth >= 1
    moves = GAME.rules.moves(position).texts
    found = [divided(GAME.rules.apply(position, move).position, depth) for move in moves]
    assert worth[: len(moves)].tolist() == found


def test_only_cross_zeros_are_last() -> None:
    """Not while anybody has another piece to place, and not on the full board."""
    for position in positions(4):
        lefts = [position.left(1), position.left(2)]
        others = [sum(left) - left[0] for left in lefts]
        assert are_last(laid(position)) == (position.is_placing and others == [0, 1])


def replayed(start: Position, board: Words) -> Position:
    """A position with a board's pieces, to be looked at by the rules."""
    codes = [0 if code == VACANT else code + 16 for code in board[BOARD:].tolist()]
    return Position(
        start.ruleset,
        bytes(codes),
        sum(1 << square for square, code in enumerate(codes) if code),
        bytes(board[hedgerow.SUPPLY : hedgerow.SUPPLY + 10].tolist()),
        int(board[TURNS]),
    )


@pytest.mark.parametrize("options", seeded_rulesets("hedgerow").values())
@pytest.mark.parametrize("turns", [0, 7, 22, 40])
def test_a_playout_ends_with_a_board_of_the_rules(options: dict[str, Any], turns: int) -> None:
    """Every piece lies where it may, supplies and score are right, or somebody is stuck."""
    position = at(2, turns, **{**options, "stuck_loss": "game"})
    board, room = laid(position), new_room(1)
    stuck = play_out(board, room, chance.seeded(turns))
    played = replayed(position, board)
    soundness._check_pieces(played)
    assert board[SCORE] == placement_score(played.board, played.ruleset.cross_presence)
    assert (board == laid(played)).all()
    assert (stuck >= 0) == played.is_placing
    assert stuck < 0 or not GAME.rules.moves(played).texts


def test_the_tree_knows_every_heaviest_placement_and_visits_the_promising() -> None:
    """Children of the root are the placements in canonical order; visits are the playouts."""
    position, room = at(5, 20), new_room(20_000)
    board = laid(position)
    grow(board, EVEN, 200, room, chance.seeded(1))
    found = np.zeros(hedgerow.PLACEMENTS_MAX, np.int64)
    n = hedgerow.heaviest(board, found)
    first, nodes = room.tree.first_child[tree.ROOT], room.tree
    assert nodes.move[first : first + n].tolist() == found[:n].tolist()
    assert nodes.visits[first : first + n].sum() == nodes.visits[tree.ROOT] == 200
    assert abs(nodes.prior[first : first + n].sum() - 1) < 1e-9


def test_a_search_leaves_its_position_alone_and_repeats_itself() -> None:
    """The same seed grows the same tree."""
    board = laid(at(5, 12))
    kept, rooms = board.copy(), (new_room(20_000), new_room(20_000))
    moves = {grow(board, EVEN, 60, room, chance.seeded(9)) for room in rooms}
    assert len(moves) == 1
    assert (board == kept).all()
    assert (rooms[0].tree.visits == rooms[1].tree.visits).all()


def test_a_full_tree_goes_on_with_playouts() -> None:
    """Where no more nodes fit, leaves stay leaves."""
    position, room = at(5, 12), new_room(hedgerow.PLACEMENTS_MAX + 1)
    move = grow(laid(position), EVEN, 100, room, chance.seeded(1))
    assert TOKENS[move >> 4][move & 15] in GAME.rules.moves(position).texts
    assert room.tree.visits[tree.ROOT] == 100


@pytest.mark.parametrize("ahead", [-20, 0, 7])
def test_a_game_is_worth_what_the_match_comes_to(ahead: int) -> None:
    """A total of nothing is half a win whatever was brought along, and more is always better."""
    match = Match(ahead, is_lost=True, width=4.0, weight=1.0)
    assert hedgerow_tree.reward(match, -ahead) == 0.5
    rewards = [hedgerow_tree.reward(match, points) for points in range(-60, 60)]
    assert rewards == sorted(set(rewards))
    assert 0 < rewards[0] < rewards[-1] < 1
