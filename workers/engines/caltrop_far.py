"""Caltrop, "as far as they can" (rule sheet §9): deeper and deeper while the budget lasts.

``budget`` counts positions. The last few stones are always searched to the very end; before
that, the deepest search that was finished decides.
"""

from services.games.caltrop import notation, rules
from workers.engines.caltrop_search import Move, OutOfBudget, Search, text_of
from workers.engines.contract import Answer, Question

NAME = "caltrop-far"
VERSION = 1
EXACT_EMPTY = 6
"""With so few empty squares the search goes to the end, whatever the budget."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    search = Search(position.game, question.budget)
    if search.empty <= EXACT_EMPTY:
        search = Search(position.game)
    return Answer(text_of(_deepest(search), question.seed), nodes=search.nodes)


def _deepest(search: Search) -> list[Move]:
    """The best moves of the deepest search that the budget allows; all moves if it allows none."""
    best = order = search.moves()
    try:
        order = search.ordered()
        for depth in range(1, search.empty + 1):
            best, _ = search.best(depth, order)
            order = [*best, *(move for move in order if move not in best)]
    except OutOfBudget:
        pass
    return best
