"""Points: for a placement (§6), at the end of a round (§7), and who has won the match (§8).

The paragraphs are those of ``seeds/triangles/RULES.md``.
"""

from collections.abc import Sequence

import msgspec

from services.games.triangles.lattice import Layout, Placement, around, corners
from services.games.triangles.options import Ruleset
from services.games.triangles.position import NOBODY, RoundEnd
from services.games.triangles.tiles import TRIPLES, VALUES, value_of

DRAW_POINTS = -5
PASS_POINTS = -10
OUT_POINTS = 25
HEXAGON_POINTS = 50
BRIDGE_POINTS = 40
ZEROS_POINTS = 40
TRIPLE_POINTS = 10


class PlacementPoints(msgspec.Struct, frozen=True):
    """The points of a placement by part."""

    tile: int
    opening: int = 0
    hexagon: int = 0
    bridge: int = 0

    @property
    def total(self) -> int:
        """All parts together."""
        return self.tile + self.opening + self.hexagon + self.bridge


def placement_points(ruleset: Ruleset, layout: Layout, placement: Placement) -> PlacementPoints:
    """What a placement earns on the table as it was before (§6)."""
    tile = VALUES[placement.tile] if ruleset.score_placement else 0
    if not layout.cells:
        return PlacementPoints(tile, opening=_opening_points(placement.tile))
    hexagons = hexagons_closed(layout, placement)
    bridge = BRIDGE_POINTS * makes_bridge(ruleset, layout, placement, hexagons)
    return PlacementPoints(tile, hexagon=HEXAGON_POINTS * hexagons, bridge=bridge)


def _opening_points(tile: int) -> int:
    if tile == 0:
        return ZEROS_POINTS
    return TRIPLE_POINTS if TRIPLES >> tile & 1 else 0


def hexagons_closed(layout: Layout, placement: Placement) -> int:
    """The corners of the tile round which all six cells are filled now."""
    if len(layout.shared_sides(placement.cell)) < 2:
        return 0
    return sum(
        all(cell in layout.cells or cell == placement.cell for cell in around(vertex))
        for vertex in corners(placement.cell)
    )


def makes_bridge(ruleset: Ruleset, layout: Layout, placement: Placement, hexagons: int) -> bool:
    """Exactly one side shared, and its opposite corner on a vertex touched before (§6).

    With ``bridge_two_sides`` also two or three sides, if they close no hexagon.
    """
    shared = layout.shared_sides(placement.cell)
    if len(shared) == 1:
        return corners(placement.cell)[shared[0]] in layout.digits
    return ruleset.bridge_two_sides and not hexagons


def out_end(hands: Sequence[int], winner: int) -> RoundEnd:
    """The end by a seat that placed its last tile: 25 and all tiles left elsewhere (§7)."""
    gained = OUT_POINTS + sum(map(value_of, hands))
    return RoundEnd("out", winner, _for_winner(len(hands), winner, gained))


def blocked_end(hands: Sequence[int]) -> RoundEnd:
    """The end when nobody can place: the single lowest hand gets the differences (§7)."""
    values = [value_of(hand) for hand in hands]
    lowest = min(values)
    if values.count(lowest) > 1:
        return RoundEnd("blocked", NOBODY, (0,) * len(hands))
    winner = values.index(lowest)
    gained = sum(values) - len(values) * lowest
    return RoundEnd("blocked", winner, _for_winner(len(hands), winner, gained))


def _for_winner(seats: int, winner: int, points: int) -> tuple[int, ...]:
    return tuple(points if seat == winner else 0 for seat in range(seats))


def leaders(totals: Sequence[int], out: int = NOBODY) -> tuple[int, ...]:
    """The seats with the highest total among those that have not given up."""
    top = max(total for seat, total in enumerate(totals) if seat != out)
    return tuple(s for s, total in enumerate(totals) if total == top and s != out)


def match_is_over(ruleset: Ruleset, totals: Sequence[int], rounds: int) -> bool:
    """Whether a match ends after this many rounds (§8)."""
    if max(totals) >= ruleset.target and len(leaders(totals)) == 1:
        return True
    return 0 < ruleset.max_rounds <= rounds
