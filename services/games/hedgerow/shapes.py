"""The shapes of a piece: hedges on its solid sides, triangles that face them, its player's badge.

A piece is drawn in any size: in the squares of the board and, small, among the supplies.
"""

from collections.abc import Iterator

from services.games.hedgerow.pieces import CORNER, SIDES, TYPE_OF
from services.games.picture import Circle, Label, Line, Paint, Polygon, Rectangle, Shape

CELL = 84

_OWNERS: dict[int, Paint] = {1: "owner-1", 2: "owner-2"}
_FACING = {SIDES["N"]: (0, -1), SIDES["E"]: (1, 0), SIDES["S"]: (0, 1), SIDES["W"]: (-1, 0)}


def glyph(x: int, y: int, side: int, code: int) -> Iterator[Shape]:
    """A piece with triangles in the square whose upper left corner is ``x``, ``y``."""
    owner, sides = code >> 4, code & 15
    for away in (way for facing, way in _FACING.items() if sides & facing):
        yield _hedge(x, y, side, away)
    middle = (x + side // 2, y + side // 2)
    for away, distance in _triangles(sides):
        right, down = away
        base = (
            middle[0] + right * side * distance // 100,
            middle[1] + down * side * distance // 100,
        )
        yield _triangle(base, away, side, _OWNERS[owner])
    yield from badge(*middle, owner, side * 12 // 100)


def cross(x: int, y: int, side: int, code: int) -> Iterator[Shape]:
    """A Cross Zero: both diagonals."""
    owner = code >> 4
    strokes: tuple[tuple[Paint, int], ...] = (("text", side // 12), (_OWNERS[owner], side // 24))
    for paint, width in strokes:
        for low in (y, y + side):
            yield Line(x, low, x + side, 2 * y + side - low, paint, width)
    yield from badge(x + side // 2, y + side // 2, owner, side * 16 // 100)


def badge(x: int, y: int, owner: int, size: int = 14) -> Iterator[Shape]:
    """The sign of a player: 1 on a disc, 2 on a square."""
    if owner == 1:
        yield Circle(x, y, size, "halo", _OWNERS[owner], max(2, size // 3))
    else:
        place = (x - size, y - size, 2 * size, 2 * size)
        yield Rectangle(*place, "halo", _OWNERS[owner], max(2, size // 3))
    if size >= 8:
        yield Label(x, y + size // 2, str(owner), size * 3 // 2, "mark", "middle", bold=True)


def step_mark(x: int, y: int, number: str) -> Iterator[Shape]:
    """A step of the last path, with its number."""
    yield Circle(x, y, 13, "halo", "mark", 3)
    yield Label(x, y + 6, number, 16, "mark", "middle", bold=True)


def _hedge(x: int, y: int, side: int, away: tuple[int, int]) -> Shape:
    """A solid edge, a little inside its own square, so that it shows whose it is."""
    right, down = away
    width = max(4, side // 11)
    inset = side // 2 - width // 2
    middle_x, middle_y = x + side // 2 + right * inset, y + side // 2 + down * inset
    half_x, half_y = (side // 2) * abs(down), (side // 2) * abs(right)
    return Line(
        middle_x - half_x, middle_y - half_y, middle_x + half_x, middle_y + half_y, "text", width
    )


def _triangles(sides: int) -> Iterator[tuple[tuple[int, int], int]]:
    """The facing of every triangle, and how far its base is out, in hundredths of a side."""
    ways = [way for facing, way in _FACING.items() if sides & facing]
    if TYPE_OF[sides] == CORNER:
        both = (ways[0][0] + ways[1][0], ways[0][1] + ways[1][1])
        yield from ((both, 9), (both, 21))
    else:
        yield from ((way, 19) for way in ways)


def _triangle(base: tuple[int, int], away: tuple[int, int], side: int, paint: Paint) -> Shape:
    (x, y), (right, down) = base, away
    # A diagonal way is longer by a factor of 1.4; its triangles are made as large as the others.
    half, tip = (side // 9, side // 8) if right and down else (side // 7, side // 6)
    points = (
        (x + right * tip, y + down * tip),
        (x - down * half, y + right * half),
        (x + down * half, y - right * half),
    )
    return Polygon(points, paint, "outline", max(1, side // 42))
