"""Caltrop, "2 moves ahead" (rule sheet §9): the own placement and the reply, nothing more.

Full-width alpha-beta of depth 2; of equally good moves one is drawn. ``budget`` is not needed:
250 to 6,000 positions a move.
"""

from services.games.caltrop import notation, rules
from workers.engines.caltrop_search import Search, text_of
from workers.engines.contract import Answer, Question

NAME = "caltrop-two-ahead"
VERSION = 1
DEPTH = 2


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    search = Search(position.game)
    best, _ = search.best(min(DEPTH, search.empty), search.ordered())
    return Answer(text_of(best, question.seed), nodes=search.nodes)
