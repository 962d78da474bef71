"""Caltrop, "as far as they can" (rule sheet §9), compiled: to the very end as soon as that pays.

``budget`` counts placements. The last stones are searched exactly, whatever it takes, from where
that usually takes no more than the budget. Up to two stones before, half of the budget may go
into the question who wins; a win that is found is played. Everything else is decided by tree
search with playouts.
"""

from services.games.caltrop import notation, rules
from services.games.caltrop.board import BLUE, SQUARES
from services.games.caltrop.moves import MOVE_TEXTS
from services.games.caltrop.position import Game
from workers.engines.contract import Answer, Question
from workers.engines.kernels import chance
from workers.engines.kernels.caltrop import MOVES
from workers.engines.kernels.caltrop_playouts import grow
from workers.engines.kernels.caltrop_search import (
    ALLOWED,
    BEST_MOVE,
    BEYOND,
    PLACED,
    ROOT,
    Search,
    new_search,
    value,
)
from workers.engines.kernels.tree import favourite, new_tree

NAME = "caltrop-deep"
VERSION = 1

EXACT_COSTS = {9: 900_000, 8: 110_000, 7: 16_000, 6: 0}
"""What an exact search of so many empty squares usually takes, in placements."""
SETTLED_BEFORE = 2
"""So many squares before the exact searches the question who wins is tried."""
ENDLESS = 1 << 40
NODES_MAX = 1_500_000
"""Nodes of a tree, more than two seconds grow; a full one is searched on as it is."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    search = new_search(position.game, question.budget)
    slot, square = divmod(_move(search, position.game, question), SQUARES)
    return Answer(MOVE_TEXTS[slot][square], nodes=int(search.tally[PLACED]))


def warm() -> None:
    """Compile what ``choose`` needs, or read it from the disk."""
    game = rules.setup(rules.ruleset({})).game
    value(new_search(game, 0), ROOT, 1, BLUE, -BEYOND, BEYOND)
    _promising(new_search(game, 0), game, seed=0)


def _move(search: Search, game: Game, question: Question) -> int:
    empty, exact_from = SQUARES - len(game.moves), _exact_from(question.budget)
    if empty <= exact_from:
        return best_to_the_end(search, game)
    if empty <= exact_from + SETTLED_BEFORE:
        search.tally[ALLOWED] = question.budget // 2
        if value(search, ROOT, empty, game.next, -1, 1) > 0 and not _is_spent(search):
            return int(search.frames[empty, BEST_MOVE])
        search.tally[ALLOWED] = question.budget
    return _promising(search, game, question.seed)


def _exact_from(budget: int) -> int:
    """The number of empty squares from which on a budget is enough for the exact search.

    >>> _exact_from(1_000), _exact_from(1_000_000)
    (6, 9)
    """
    return max(empty for empty, cost in EXACT_COSTS.items() if cost <= budget)


def best_to_the_end(search: Search, game: Game) -> int:
    """The move of most value at the end; shallow searches before only put moves in order."""
    search.tally[ALLOWED] = ENDLESS
    empty = SQUARES - len(game.moves)
    for depth in (*range(2, empty - 2), empty):
        value(search, ROOT, depth, game.next, -BEYOND, BEYOND)
    return int(search.frames[empty, BEST_MOVE])


def _is_spent(search: Search) -> bool:
    return bool(search.tally[PLACED] > search.tally[ALLOWED])


def _promising(search: Search, game: Game, seed: int) -> int:
    """The move that tree search tries most."""
    tree = new_tree(min(int(search.tally[ALLOWED]) + 2 * MOVES, NODES_MAX))
    grow(tree, search, game.next, SQUARES - len(game.moves), chance.seeded(seed))
    return int(tree.move[favourite(tree)])
