"""Triangles to look at: the table fitted to what lies on it, hands and market, and plain text.

A tile shows its digits at the corners and has a border in its seat's pattern with the letter in
the middle; the last one has a heavy edge and a ring. Free cells beside tiles carry the name
that a placement needs.
"""

from collections.abc import Iterable, Iterator

import msgspec

from services.games.contract import Seat
from services.games.picture import Area, Circle, Label, Paint, Picture, Polygon, Rectangle, Shape
from services.games.triangles.describing import sentences, state_of
from services.games.triangles.lattice import FIRST_CELL, Cell, Vertex, cell_name, corners
from services.games.triangles.lattice_text import lattice_lines
from services.games.triangles.position import Position
from services.games.triangles.tiles import TILES, tiles_in

MARGIN, BOARD_WIDTH, BOARD_HEIGHT = 24, 880, 760
SIDE_MIN, SIDE_MAX = 40, 116
PANEL_X, PANEL_WIDTH, PANEL_HEAD, PANEL_GAP = MARGIN + BOARD_WIDTH + 28, 496, 84, 16
SMALL, SMALL_STEP, SMALL_ROW, SMALL_IN_ROW = 54, 60, 58, 8
HEIGHT_OF_SIDE = 866
"""Thousandths of its side that an equilateral triangle is high."""

Point = tuple[int, int]

_PAINTS: tuple[Paint, ...] = ("owner-1", "owner-2", "owner-3", "owner-4")


class _Fit(msgspec.Struct, frozen=True):
    """How the lattice lies in the picture: the side of a cell, and where vertex (0, 0) is."""

    side: int
    x: int
    y: int

    @property
    def row(self) -> int:
        """The height of a row of cells."""
        return self.side * HEIGHT_OF_SIDE // 1000

    def point(self, vertex: Vertex) -> Point:
        """A vertex on the picture, whose y grows downwards."""
        x, y = vertex
        return self.x + (2 * x + y) * self.side // 2, self.y - y * self.row

    def triangle(self, cell: Cell) -> tuple[Point, ...]:
        """The corners 0, 1, 2 of a cell on the picture."""
        return tuple(map(self.point, corners(cell)))


def picture(view: Position, seat: Seat | None) -> Picture:
    """The table, its free cells by name, the last tile marked; hands and market beside it."""
    panels, bottom = _panels(view, seat)
    height = max(MARGIN + BOARD_HEIGHT, bottom) + MARGIN
    width = PANEL_X + PANEL_WIDTH + MARGIN
    return Picture(
        width=width,
        height=height,
        title=f"Triangles, {view.ruleset.players} players to {view.ruleset.target}",
        description=" ".join(sentences(view)),
        shapes=(
            Rectangle(0, 0, width, height, "ground", rounding=16),
            Rectangle(
                MARGIN, MARGIN, BOARD_WIDTH, height - 2 * MARGIN, "board", "line", 3, rounding=10
            ),
            *_table(view, height - 2 * MARGIN),
            *panels,
        ),
        board=Area("board", 0, 0, PANEL_X - 14, height),
        asides=(Area("hands", PANEL_X - 14, MARGIN, PANEL_WIDTH + 28, bottom - MARGIN),),
        spots=tuple(_spots(view, height - 2 * MARGIN)),
    )


def _spots(view: Position, height: int) -> Iterator[Area]:
    """The middles of the free cells."""
    fit = _fit_of(view, height)
    for cell in free_cells(view):
        (x, y), half = _middle(fit.triangle(cell)), fit.side * 24 // 100
        yield Area(cell_name(cell), x - half, y - half, 2 * half, 2 * half)


def free_cells(view: Position) -> tuple[Cell, ...]:
    """The cells that a tile can be tried on now, in order."""
    if not view.is_running:
        return ()
    return tuple(sorted(view.layout.frontier)) or (FIRST_CELL,)


def _fit_of(view: Position, height: int) -> _Fit:
    """The lattice of a position: what lies there and what is free."""
    return _fit([*free_cells(view), *(p.cell for p in view.placed)], height)


def _fit(cells: Iterable[Cell], height: int) -> _Fit:
    """The largest lattice whose cells all fit into the board."""
    vertices = [vertex for cell in cells for vertex in corners(cell)] or [(0, 0), (1, 0), (0, 1)]
    across = [2 * x + y for x, y in vertices]
    up = [y for _, y in vertices]
    width, rows = max(across) - min(across), max(up) - min(up)
    room = (
        (BOARD_WIDTH - 2 * MARGIN) * 2 // width,
        (height - 2 * MARGIN) * 1000 // (rows * HEIGHT_OF_SIDE),
    )
    side = max(SIDE_MIN, min(SIDE_MAX, *room)) // 2 * 2
    unplaced = _Fit(side, 0, 0)
    left = MARGIN + (BOARD_WIDTH - width * side // 2) // 2
    top = MARGIN + (height - rows * unplaced.row) // 2
    return _Fit(side, left - min(across) * side // 2, top + max(up) * unplaced.row)


def _table(view: Position, height: int) -> Iterator[Shape]:
    free = free_cells(view)
    turns = [turn for turn in view.turns if turn.placement]
    fit = _fit_of(view, height)
    for cell in free:
        triangle = fit.triangle(cell)
        x, y = _middle(triangle)
        size = max(9, fit.side * 19 // 100)
        yield Polygon(triangle, "none", "line", 2)
        yield Label(x, y + size // 3, cell_name(cell), size, "quiet", "middle")
    for turn in turns:
        assert turn.placement is not None
        triangle, digits = fit.triangle(turn.placement.cell), turn.placement.digits
        is_last = turn is turns[-1]
        yield from _tile(triangle, digits, _PAINTS[turn.seat], fit.side, 6 if is_last else 3)
        x, y = _middle(triangle)
        if is_last:
            yield Circle(x, y, fit.side * 13 // 100, "halo", "mark", 3)
        size = fit.side * 16 // 100
        yield Label(x, y + size * 3 // 8, view.seats[turn.seat], size, "mark", "middle")


def _tile(
    triangle: tuple[Point, ...], digits: Iterable[int], paint: Paint, side: int, edge: int
) -> Iterator[Shape]:
    """A tile: a border in its owner's pattern, the digits on white inside its corners."""
    yield Polygon(triangle, paint, "outline", edge)
    yield Polygon(_towards_middle(triangle, 80), "halo")
    size = side * 25 // 100
    for (x, y), digit in zip(_towards_middle(triangle, 50), digits, strict=True):
        yield Label(x, y + size * 3 // 8, str(digit), size, "mark", "middle", bold=True)


def _middle(triangle: tuple[Point, ...]) -> Point:
    return sum(x for x, _ in triangle) // 3, sum(y for _, y in triangle) // 3


def _towards_middle(triangle: tuple[Point, ...], percent: int) -> tuple[Point, ...]:
    """The corners pulled in, to this part of their distance from the middle."""
    mx, my = _middle(triangle)
    return tuple(
        (mx + (x - mx) * percent // 100, my + (y - my) * percent // 100) for x, y in triangle
    )


def _panels(view: Position, seat: Seat | None) -> tuple[list[Shape], int]:
    """Everything beside the table from top to bottom, and where it ends."""
    shapes: list[Shape] = []
    y = MARGIN
    for number, name in enumerate(view.seats):
        tiles = [*tiles_in(view.hands[number]), *[None] * view.hidden[number]]
        rows = -(-len(tiles) // SMALL_IN_ROW)
        height = PANEL_HEAD + rows * SMALL_ROW + 8
        if number == view.next:
            shapes.append(
                Rectangle(PANEL_X - 10, y, PANEL_WIDTH + 10, height, "board", rounding=10)
            )
        yours = " (you)" if name == seat else ""
        shapes.append(Rectangle(PANEL_X, y + 12, 24, 24, _PAINTS[number], "outline"))
        shapes.append(Label(PANEL_X + 36, y + 32, f"Seat {name}{yours}", 22, bold=True))
        total = f"{view.sums()[number]} points"
        shapes.append(Label(PANEL_X + PANEL_WIDTH - 14, y + 32, total, 22, anchor="end", bold=True))
        shapes.append(Label(PANEL_X, y + 64, state_of(view, number), 18, "quiet"))
        shapes += _hand(tiles, _PAINTS[number], y + PANEL_HEAD)
        y += height + PANEL_GAP
    market = f"Market: {view.market_count}"
    shapes.append(Label(PANEL_X, y + 24, market, 22, bold=True))
    return shapes, y + 40


def _hand(tiles: Iterable[int | None], paint: Paint, top: int) -> Iterator[Shape]:
    for place, tile in enumerate(tiles):
        row, column = divmod(place, SMALL_IN_ROW)
        fit = _Fit(SMALL, PANEL_X + column * SMALL_STEP, top + row * SMALL_ROW + SMALL_ROW - 8)
        triangle = fit.triangle(FIRST_CELL)
        if tile is None:
            yield Polygon(triangle, paint, "outline", 2)
        else:
            yield from _tile(triangle, map(int, TILES[tile]), paint, SMALL, 2)


def text(view: Position, seat: Seat | None) -> str:
    """The table in digits and letters, its free cells by name, and all else in sentences."""
    lines = lattice_lines(view)
    if free := free_cells(view):
        lines.append(f"Free cells: {' '.join(map(cell_name, free))}")
    if seat in view.seats and (hand := view.hands[view.seats.index(seat)]):
        lines.append(f"Your hand: {' '.join(TILES[tile] for tile in tiles_in(hand))}")
    return "\n".join((*lines, *sentences(view), ""))
