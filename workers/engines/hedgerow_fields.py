"""The running score of a Hedgerow board (rule sheet §5, §6), quick enough to weigh placements.

A quarter of a Cross Zero is joined to one cell at most, so it never joins others: regions are
found among whole squares alone, as sets of squares, and quarters only tell a piece with one
open side from an isolated one. Empty squares are whole cells of nobody.
"""

from services.games.hedgerow.board import ALL_SQUARES, AREA, NEIGHBOURS, Board
from services.games.hedgerow.pieces import GLYPHS, TRIANGLES, E, N

_EAST = sum(1 << s for s in range(AREA) if any(side == E for side, _, _ in NEIGHBOURS[s]))
_NORTH = sum(1 << s for s in range(AREA) if any(side == N for side, _, _ in NEIGHBOURS[s]))
"""The squares that have a neighbour to the east, and to the north: the inner segments."""


def _closed(square: int, glyph: int) -> tuple[int, int]:
    """The segments that a piece closes, eastern and northern ones, by their lower square."""
    east = north = 0
    for side, beyond, _ in NEIGHBOURS[square]:
        if glyph & side:
            lower = 1 << min(square, beyond)
            east |= lower if abs(beyond - square) == 1 else 0
            north |= lower if abs(beyond - square) > 1 else 0
    return east, north


_CLOSED = tuple(tuple(_closed(s, g) for g in range(len(GLYPHS))) for s in range(AREA))


class Fields:
    """A board as sets of squares; never changed once it is made."""

    def __init__(self, board: Board, cross_presence: str) -> None:
        self._cross_counts = cross_presence == "yes"
        self._east, self._north = _EAST, _NORTH
        self._crosses = [0, 0]
        self._pieces = [0, 0]
        self._units = [0, 0]
        self._pairs = [0, 0]
        for square, code in enumerate(board):
            if code:
                self._put(square, (code >> 4) - 1, code & 15)
        self._regions: dict[int, int] = {}

    def with_piece(self, square: int, owner: int, glyph: int) -> "Fields":
        """The board with one more piece."""
        after: Fields = Fields.__new__(Fields)
        after._cross_counts = self._cross_counts
        after._east, after._north = self._east, self._north
        after._crosses, after._pieces = self._crosses[:], self._pieces[:]
        after._units, after._pairs = self._units[:], self._pairs[:]
        after._put(square, owner - 1, glyph)
        after._regions = {}
        return after

    def gain(self, square: int, owner: int, glyph: int) -> int:
        """What a placement adds to the running score, seen by its owner."""
        # Only the region that the empty square belongs to can change.
        before = self._region_at(square)
        after = self.with_piece(square, owner, glyph)
        rest = before if glyph else before & ~(1 << square)
        points = -self.points(before)
        while rest:
            region = after.grown(rest & -rest)
            points += after.points(region)
            rest &= ~region
        return points if owner == 1 else -points

    def grown(self, region: int) -> int:
        """The squares that are joined to these, and they themselves."""
        east, north, whole = self._east, self._north, self._whole()
        grown = 0
        while grown != region:
            grown = region
            sideways = (region & east) << 1 | (region >> 1) & east
            region |= (sideways | (region & north) << 7 | (region >> 7) & north) & whole
        return region

    def points(self, region: int) -> int:
        """What a region is worth to owner 1."""
        first, second = self._pieces
        is_first, is_second = bool(region & first), bool(region & second)
        if not is_first and not is_second:
            return 0
        lead = self._triangles(region, 0) - self._triangles(region, 1)
        if is_first and is_second:
            return lead
        quarters = self._quarters(region, 0), self._quarters(region, 1)
        if not region & region - 1 and quarters == (0, 0):
            return -lead
        return lead if self._cross_counts and quarters[is_first] else 0

    def _put(self, square: int, player: int, glyph: int) -> None:
        east, north = _CLOSED[square][glyph]
        self._east &= ~east
        self._north &= ~north
        if not glyph:
            self._crosses[player] |= 1 << square
            return
        self._pieces[player] |= 1 << square
        self._units[player] |= (TRIANGLES[glyph] & 1) << square
        self._pairs[player] |= (TRIANGLES[glyph] >> 1) << square

    def _whole(self) -> int:
        return ALL_SQUARES & ~self._crosses[0] & ~self._crosses[1]

    def _region_at(self, square: int) -> int:
        """The region of a square; each is grown but once."""
        region = self._regions.get(square, 0)
        if not region:
            region = self.grown(1 << square)
            for known in range(AREA):
                if region >> known & 1:
                    self._regions[known] = region
        return region

    def _quarters(self, region: int, player: int) -> int:
        """The Cross Zeros of a player that have a quarter in the region."""
        east, north = self._east, self._north
        near = (region & east) << 1 | (region >> 1) & east
        near |= (region & north) << 7 | (region >> 7) & north
        return near & self._crosses[player]

    def _triangles(self, region: int, player: int) -> int:
        units = (region & self._units[player]).bit_count()
        return units + 2 * (region & self._pairs[player]).bit_count()
