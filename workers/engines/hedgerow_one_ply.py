"""The yardstick of Hedgerow: regions one placement ahead, harvests three turns ahead.

The rule sheet (§14) measures play by it, and so do we: of the heaviest pieces that fit, the
placement that gains most at once, equals by chance. It plays at no level and knows neither
``budget`` nor ``noise``.
"""

from services.games.hedgerow import notation, rules
from services.games.hedgerow.tokens import TOKENS, path_text
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice
from workers.engines.hedgerow_fields import Fields
from workers.engines.hedgerow_harvest import Search
from workers.engines.hedgerow_heavy import heaviest

NAME = "hedgerow-one-ply"
VERSION = 1

TURNS_AHEAD = 3
PATHS_MAX = 1_000_000
"""More than three turns ever take."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    if not position.is_placing:
        search = Search(position, PATHS_MAX)
        values = search.values(slack=0, turns=TURNS_AHEAD)
        best = max(search.harvests, key=values.__getitem__)
        return Answer(path_text(best.path), search.nodes)
    dice, choices = Dice(question.seed), heaviest(position)
    fields = Fields(position.board, position.ruleset.cross_presence)
    gains = [fields.gain(square, position.mover, glyph) for square, glyph in choices]
    equals = [choice for choice, gain in zip(choices, gains, strict=True) if gain == max(gains)]
    square, glyph = equals[dice.below(len(equals))]
    return Answer(TOKENS[square][glyph], len(choices))
