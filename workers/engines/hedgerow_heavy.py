"""A Hedgerow engine: heavy pieces first, regions by their running score, harvests by search.

Of the pieces that fit, only those with the most triangles are placed, which is the supply care
of the rule sheet (§12): Cross Zeros stay for the end, when nothing else fits, and the second
player is left with a Single One. ``budget`` counts placements weighed or paths walked, ``noise``
is in hundredths of a point: below 100 it only decides between equals.
"""

from services.games.hedgerow import notation, placement, rules
from services.games.hedgerow.board import NEIGHBOURS
from services.games.hedgerow.pieces import TRIANGLES
from services.games.hedgerow.position import STUCK_NET, Position
from services.games.hedgerow.tokens import TOKENS, path_text
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice
from workers.engines.hedgerow_fields import Fields
from workers.engines.hedgerow_harvest import Search

NAME = "hedgerow-heavy"
VERSION = 1

POINT = 100
SEGMENT = 200
BEAM = 12
"""So many placements are weighed against the reply to them at most."""

Choice = tuple[int, int]
"""Square and glyph."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    dice = Dice(question.seed)
    if position.is_placing:
        return _placement(position, question.budget, question.noise, dice)
    search = Search(position, question.budget)
    luck = {harvest: dice.below(question.noise + 1) for harvest in search.harvests}
    values = search.values(question.noise // POINT)
    best = max(search.harvests, key=lambda harvest: POINT * values[harvest] + luck[harvest])
    return Answer(path_text(best.path), nodes=search.nodes)


def _placement(position: Position, budget: int, noise: int, dice: Dice) -> Answer:
    choices = _drawn(heaviest(position), budget, dice)
    fields = Fields(position.board, position.ruleset.cross_presence)
    points = {
        (square, glyph): POINT * fields.gain(square, position.mover, glyph)
        - _waste(position, square, glyph)
        + dice.below(noise + 1)
        for square, glyph in choices
    }
    ranked = sorted(choices, key=points.__getitem__, reverse=True)
    nodes, looked_at = len(choices), {}
    for choice in ranked[:BEAM]:
        reply, replies = _reply(position, fields, choice)
        if nodes + replies > budget:
            break
        nodes += replies
        looked_at[choice] = points[choice] - reply
    square, glyph = max(looked_at, key=looked_at.__getitem__) if looked_at else ranked[0]
    return Answer(TOKENS[square][glyph], nodes)


def heaviest(position: Position) -> list[Choice]:
    """The legal placements with as many triangles as possible, in canonical order."""
    by_triangles: dict[int, list[Choice]] = {}
    for square, glyphs in placement.fitting(position):
        for glyph in glyphs:
            by_triangles.setdefault(TRIANGLES[glyph], []).append((square, glyph))
    return by_triangles[max(by_triangles)]


def _waste(position: Position, square: int, glyph: int) -> int:
    """Against each segment that can carry no edge any more, where edges are short (§10, A2)."""
    if position.ruleset.boundary_edges == "allowed":
        return 0
    filled = sum(side for side, beyond, _ in NEIGHBOURS[square] if position.board[beyond])
    return SEGMENT * (filled & ~placement.barred(position, square) & ~glyph).bit_count()


def _drawn(choices: list[Choice], count: int, dice: Dice) -> list[Choice]:
    """So many of the choices, drawn by chance, in their order."""
    if count >= len(choices):
        return choices
    return [choices[place] for place in sorted(dice.permutation(len(choices))[:count])]


def _reply(position: Position, fields: Fields, choice: Choice) -> tuple[int, int]:
    """The best that the other player can make of it, and how many placements were weighed."""
    square, glyph = choice
    after = rules.apply(position, TOKENS[square][glyph]).position
    if after.turns != position.turns + 1 or after.over:
        return -STUCK_NET * POINT, 0
    if not after.is_placing:
        return 0, 0
    replied = fields.with_piece(square, position.mover, glyph)
    gains = [
        replied.gain(beyond, after.mover, other)
        for beyond, others in placement.fitting(after)
        for other in others
    ]
    return POINT * max(gains), len(gains)
