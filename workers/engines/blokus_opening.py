"""The Blokus engine that searches, with what was learned of openings.

In a position of ``seeds/blokus/openings.toml`` it plays one of the answers there, drawn by their
shares: at once, and not the same in every match. Everywhere else it is ``blokus-search``.
"""

from itertools import accumulate

from services.games.blokus import rules
from workers.engines import blokus_search
from workers.engines.blokus_openings import openings
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice

NAME = "blokus-opening"
VERSION = 1


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    answers = openings().get(question.view)
    if answers is None or question.rules_version != rules.version:
        return blokus_search.choose(question)
    drawn = Dice(question.seed).below(sum(answers.values()))
    rising = accumulate(answers.values())
    place = next(place for place, share in enumerate(rising) if drawn < share)
    return Answer(list(answers)[place], nodes=1)


def warm() -> None:
    """Read the openings, and compile what ``choose`` needs beyond them."""
    openings()
    blokus_search.warm()
