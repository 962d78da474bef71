"""The engine of last resort: one of the legal moves, drawn by the seed. It knows no game.

It stands in where even the lowest level gives no move (a compiler that is broken on this machine,
say): a weak move beats a match that stands still. It plays by the rules alone, whatever their
version.
"""

from services.games.registry import game
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice

NAME = "any-legal"
VERSION = 1


def choose(question: Question) -> Answer:
    """A legal move in the rules' canonical order, each as likely."""
    played = game(question.game, question.rules_version)
    listed = played.rules.moves(played.notation.parse_position(question.view)).texts
    return Answer(listed[Dice(question.seed).below(len(listed))], nodes=len(listed))
