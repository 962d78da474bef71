"""A Triangles engine without search: the most points, and what the table looks like after them.

Points are hundredths. Every legal placement gets a first look: its points, then the weight that
leaves the hand. The best ``budget`` placements get a second look: which own tiles still fit
afterwards, and which hexagons and bridges it opens to the next seat. ``noise`` is how many
hundredths a worse placement may seem better by; the seed decides.
"""

from collections.abc import Sequence

from services.games.triangles import notation, play, rules
from services.games.triangles.lattice import Layout, Placement
from services.games.triangles.points import placement_points
from services.games.triangles.position import Position, known_tiles
from services.games.triangles.tiles import ALL_TILES, FITTING_TILES, NO_TILE, VALUES
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice

NAME = "triangles-greedy"
VERSION = 1

POINT = 100
WEIGHT = 20
"""For each point of the tile's value: a heavy tile that stays may be paid for at the end."""
STUCK = 800
"""Against a placement after which no own tile fits: what draws and passes cost."""
FITTING_TILE = 60
"""For each own tile that still fits, up to four of them."""
FITTING_TILES_MAX = 4
BLOCKED_POINTS = 40
"""In hundredths of a threatened point, against what the next seat may do before us."""
OWN_POINTS = 25
"""In hundredths of a point, for what we may do if nobody else does."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = seen_by(question)
    dice = Dice(question.seed)
    placements = legal(position)
    points = [first_look(position, p) + dice.below(question.noise + 1) for p in placements]
    ranks = ranked(points)
    del ranks[max(1, question.budget) :]
    if len(ranks) > 1:
        for rank in ranks:
            points[rank] += second_look(position, placements[rank])
    best = max(ranks, key=points.__getitem__)
    return Answer(placements[best].text, nodes=len(placements))


def seen_by(question: Question) -> Position:
    """The position as the seat sees it, whatever else the text should hold."""
    position = notation.parse_position(question.view)
    if rules.awaiting(position) != question.seat or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    return rules.view(position, question.seat)


def legal(position: Position) -> list[Placement]:
    """The legal placements in canonical order."""
    return [notation.read_placement(text) for text in rules.moves(position).texts]


def ranked(points: Sequence[int]) -> list[int]:
    """Places from the most points down; of equals the first in canonical order comes first."""
    return sorted(range(len(points)), key=points.__getitem__, reverse=True)


def first_look(position: Position, placement: Placement) -> int:
    """A placement's points, and the weight that leaves the hand."""
    earned = placement_points(position.ruleset, position.layout, placement)
    return POINT * earned.total + WEIGHT * VALUES[placement.tile]


def second_look(position: Position, placement: Placement) -> int:
    """What a placement leaves to its seat and to the next one."""
    seat = position.next
    after, _ = play.place(position, placement)
    hand, layout = after.hands[seat], after.layout
    if not hand:
        return 0
    fitting = (hand & layout.playable()).bit_count()
    mobility = FITTING_TILE * min(fitting, FITTING_TILES_MAX) if fitting else -STUCK
    unseen = ALL_TILES & ~known_tiles(after)
    return mobility + _threats(after, layout, hand, unseen)


def _threats(after: Position, layout: Layout, hand: int, unseen: int) -> int:
    """The best bonus the next seat is likely to have, against the best one of our own."""
    theirs = ours = 0
    held, hidden = after.hidden[after.next], unseen.bit_count()
    for cell in layout.frontier:
        fits = FITTING_TILES[layout.pattern(cell)]
        mine, others = fits & hand, (fits & unseen).bit_count()
        if not mine and not others:
            continue
        earned = placement_points(after.ruleset, layout, Placement(NO_TILE, (0, 0, 0), cell))
        if bonus := earned.hexagon + earned.bridge:
            chance = min(POINT, POINT * others * held // max(1, hidden))
            theirs = max(theirs, bonus * chance)
            if mine:
                ours = max(ours, bonus * (POINT - chance))
    return (OWN_POINTS * ours - BLOCKED_POINTS * theirs) // POINT
