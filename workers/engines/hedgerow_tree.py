"""A Hedgerow engine: a tree of playouts for placing, exact or deep search for the harvest.

``budget`` counts playouts from the opening; later ones are shorter, so there are more. When the
last Cross Zeros are placed, and when they are harvested, the time of a playout buys ``WALKS`` turns
whose paths are walked. The second game of a match is played for the total. Only the heaviest
pieces that fit are placed, the supply care of the rule sheet (§12). ``noise`` is not used: weaker
levels play fewer playouts.
"""

import numpy as np

from services.games.hedgerow import notation, rules
from services.games.hedgerow.position import PLACEMENTS, Position
from services.games.hedgerow.tokens import TOKENS, path_text
from workers.engines.contract import Answer, Question
from workers.engines.kernels import chance
from workers.engines.kernels.hedgerow import (
    ALL,
    PIECES,
    PLACEMENTS_MAX,
    TURNS,
    Words,
    heaviest,
    laid,
)
from workers.engines.kernels.hedgerow_crosses import SQUARES_MAX, are_last, divide, new_last
from workers.engines.kernels.hedgerow_harvest import PATHS_MAX, Work, new_work, values
from workers.engines.kernels.hedgerow_tree import Match, grow, new_room

NAME = "hedgerow-tree"
VERSION = 1

WALKS = 40
ROWS_A_PLAYOUT = 80
ROWS_MAX = 1_000_000
TABLE_BITS_MAX = 18
WIDTHS = (12.0, 4.0)
"""By game, the lead at which half of the match is won: later games can still turn the first."""
WEIGHT = 0.6


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    board = laid(position)
    if not position.is_placing:
        return _harvested(position, board, question.budget)
    found = np.zeros(PLACEMENTS_MAX, np.int64)
    n = heaviest(board, found)
    if not position.turns:
        # One opening is as good as another: the board can be turned.
        return _token(found[chance.below(chance.seeded(question.seed), n)], 1)
    if n == 1:
        return _token(found[0], 1)
    if are_last(board):
        return _divided(board, found, question.budget)
    playouts = question.budget * PLACEMENTS // (PLACEMENTS - position.turns)
    room = new_room(min(PLACEMENTS_MAX + ROWS_A_PLAYOUT * playouts, ROWS_MAX))
    luck = chance.seeded(question.seed)
    return _token(grow(board, match_of(position), playouts, room, luck), playouts)


def match_of(position: Position) -> Match:
    """What the game counts for, from the side of the owner who begins it."""
    is_a = position.seat_of(1) == "A"
    return Match(
        ahead=position.total if is_a else -position.total,
        is_lost=position.ruleset.stuck_loss == "match",
        width=WIDTHS[position.game - 1],
        weight=WEIGHT,
    )


def warm() -> None:
    """Compile every kernel that ``choose`` needs."""
    position = rules.setup(rules.ruleset({}))
    board, work = laid(position), _work(1)
    grow(board, match_of(position), 1, new_room(PLACEMENTS_MAX + 1), chance.seeded(1))
    are_last(board)
    board[PIECES] = ALL  # a full board, so that there is nothing to divide
    divide(board, new_last(), work, np.zeros(SQUARES_MAX, np.int64))
    values(board, position.standing, 0, work, np.zeros(PATHS_MAX, np.int64))


def _token(placement: int, nodes: int) -> Answer:
    return Answer(TOKENS[placement >> 4][placement & 15], nodes)


def _work(budget: int) -> Work:
    walks = WALKS * budget
    return new_work(walks, min(walks.bit_length(), TABLE_BITS_MAX))


def _divided(board: Words, found: Words, budget: int) -> Answer:
    """The Cross Zero that comes to most when all squares are filled and harvested."""
    worth, work = np.zeros(SQUARES_MAX, np.int64), _work(budget)
    divide(board, new_last(), work, worth)
    n = PLACEMENTS - int(board[TURNS])
    best = np.argmin(worth[:n]) if board[TURNS] % 2 else np.argmax(worth[:n])
    return _token(found[best], int(work.spent[0]))


def _harvested(position: Position, board: Words, budget: int) -> Answer:
    """The path that comes to most; of equals the first in canonical order."""
    worth, work = np.zeros(PATHS_MAX, np.int64), _work(budget)
    n = values(board, position.standing, position.mover - 1, work, worth)
    trail = work.trails[int(np.argmax(worth[:n]))]
    return Answer(path_text(tuple(map(int, trail[: list(trail).index(-1)]))), int(work.spent[0]))
