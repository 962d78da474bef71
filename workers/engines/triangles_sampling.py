"""A Triangles engine that plays rounds to their end in worlds it imagines.

A world is a full position that fits the view and its history. The most promising placements are
tried in the same worlds; the rest of the round is played by most points, then heaviest. The
placement with the largest lead at the end of the round, over all worlds, is chosen. ``budget``
counts playouts, ``noise`` is in hundredths of a point.
"""

from services.games.triangles import play, rules
from services.games.triangles.lattice import Placement
from services.games.triangles.points import placement_points
from services.games.triangles.position import Position
from services.games.triangles.tiles import FITTING, FITTING_TILES, VALUES
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice
from workers.engines.triangles_greedy import (
    POINT,
    first_look,
    legal,
    ranked,
    second_look,
    seen_by,
)

NAME = "triangles-sampling"
VERSION = 1

TRIED_MAX = 5
"""So many placements are tried at most: each in as many worlds as the budget allows."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position, dice = seen_by(question), Dice(question.seed)
    placements = legal(position)
    looks = [first_look(position, p) + second_look(position, p) for p in placements]
    tried = [placements[rank] for rank in ranked(looks)[:TRIED_MAX]]
    if len(tried) == 1:
        return Answer(tried[0].text, nodes=1)
    worlds = max(1, question.budget // len(tried))
    leads = [0] * len(tried)
    for _ in range(worlds):
        world = rules.imagine(position, dice)
        for number, placement in enumerate(tried):
            leads[number] += _lead_at_the_end(world, placement)
    points = [POINT * lead // worlds + dice.below(question.noise + 1) for lead in leads]
    return Answer(tried[ranked(points)[0]].text, nodes=worlds * len(tried))


def _lead_at_the_end(world: Position, placement: Placement) -> int:
    """The mover's points of the round less the best of the others', after a playout."""
    seat = world.next
    while True:
        after, _ = play.place(world, placement)
        world = rules.settle(after, ()).position
        if not world.is_running:
            break
        placement = _greedy(world)
    return world.points[seat] - max(p for other, p in enumerate(world.points) if other != seat)


def _greedy(world: Position) -> Placement:
    """The placement with the most points, then the heaviest tile, then the last cell."""
    hand, layout = world.hands[world.next], world.layout
    best, best_key = None, None
    for cell in layout.frontier:
        pattern = layout.pattern(cell)
        if not FITTING_TILES[pattern] & hand:
            continue
        for tile, reading in FITTING[pattern]:
            if hand >> tile & 1:
                a, b, c = map(int, reading)
                found = Placement(tile, (a, b, c), cell)
                points = placement_points(world.ruleset, layout, found).total
                # The frontier is a set: the key alone decides, not the order of looking.
                key = (points, VALUES[tile], cell, reading)
                if best_key is None or key > best_key:
                    best, best_key = found, key
    assert best is not None
    return best
