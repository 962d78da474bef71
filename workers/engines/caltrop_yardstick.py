"""Caltrop as the design measures others by it: so many placements ahead, the last six exactly.

No level plays like this. ``budget`` is the number of placements, 3 in the design; equally good
moves are drawn, as for "2 moves ahead" (rule sheet §9).
"""

from services.games.caltrop import notation, rules
from services.games.caltrop.board import SQUARES
from services.games.caltrop.moves import MOVE_TEXTS
from services.games.caltrop.position import Game
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice
from workers.engines.kernels.caltrop import list_moves, place_on, value_for
from workers.engines.kernels.caltrop_search import (
    BEYOND,
    FIRST,
    PLACED,
    ROOT,
    Search,
    new_search,
    value,
)

NAME = "caltrop-yardstick"
VERSION = 1
EXACT_EMPTY = 6
_AFTER = ROOT + 1
"""The row of a position after a move."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    game, search = position.game, new_search(position.game, allowed=1 << 40)
    empty = SQUARES - len(game.moves)
    best = best_moves(search, game, empty if empty <= EXACT_EMPTY else question.budget)
    slot, square = divmod(best[Dice(question.seed).below(len(best))], SQUARES)
    return Answer(MOVE_TEXTS[slot][square], nodes=int(search.tally[PLACED]))


def warm() -> None:
    """Compile what ``choose`` needs, or read it from the disk."""
    game = rules.setup(rules.ruleset({})).game
    best_moves(new_search(game, allowed=0), game, depth=2)


def best_moves(search: Search, game: Game, depth: int) -> list[int]:
    """Every best move so many placements ahead (at least 1), in canonical order."""
    mover, rows, bar = game.next, search.rows, -BEYOND
    best: list[int] = []
    n = list_moves(rows, ROOT, search.twins, mover, search.moves, SQUARES)
    for move in search.moves[SQUARES, :n].tolist():
        place_on(rows, ROOT, _AFTER, search.stones, mover, move)
        if depth == 1:
            found = value_for(rows, _AFTER, mover, search.tally[FIRST])
        else:  # one below the best: what is equally good is told apart from what is worse
            found = -value(search, _AFTER, depth - 1, 1 - mover, -BEYOND, 1 - bar)
        if found > bar:
            best, bar = [], found
        if found == bar:
            best.append(move)
    return best
