"""The lattice of triangles (``seeds/triangles/RULES.md`` §2) and the tiles lying on it.

Vertices are integer pairs, **y upwards**; a cell is its kind (``u`` points up, ``d`` down) and
the axial coordinates of its rhombus. Corners 0, 1, 2 of a cell run clockwise in both kinds, and
side n is the one opposite corner n.
"""

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from services.games.triangles.tiles import FITTING_TILES, Pattern, Reading

Vertex = tuple[int, int]
Cell = tuple[str, int, int]

FIRST_CELL: Cell = ("u", 0, 0)
"""Where the first tile of a round is written."""

_CELLS_KEPT = 8_192  # far more than a match meets; bounded, since cells come from outside


@lru_cache(_CELLS_KEPT)
def corners(cell: Cell) -> tuple[Vertex, Vertex, Vertex]:
    """The vertices at corners 0, 1, 2.

    >>> corners(("u", 0, 0)), corners(("d", 0, 0))
    (((0, 1), (1, 0), (0, 0)), ((1, 0), (0, 1), (1, 1)))
    """
    kind, q, r = cell
    if kind == "u":
        return (q, r + 1), (q + 1, r), (q, r)
    return (q + 1, r), (q, r + 1), (q + 1, r + 1)


@lru_cache(_CELLS_KEPT)
def beside(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """The cells across sides 0, 1, 2."""
    kind, q, r = cell
    if kind == "u":
        return ("d", q, r - 1), ("d", q - 1, r), ("d", q, r)
    return ("u", q, r + 1), ("u", q + 1, r), ("u", q, r)


@lru_cache(_CELLS_KEPT)
def around(vertex: Vertex) -> tuple[Cell, ...]:
    """The six cells round a vertex, clockwise."""
    x, y = vertex
    return (
        ("u", x, y), ("d", x, y - 1), ("u", x, y - 1),
        ("d", x - 1, y - 1), ("u", x - 1, y), ("d", x - 1, y),
    )  # fmt: skip


class Placement(msgspec.Struct, frozen=True):
    """A tile on a cell: its digits at corners 0, 1, 2."""

    tile: int
    digits: Reading
    cell: Cell

    @property
    def text(self) -> str:
        """The one text of a placement, e.g. ``232d0.-1``."""
        a, b, c = self.digits
        return f"{a}{b}{c}{cell_name(self.cell)}"


def cell_name(cell: Cell) -> str:
    """A cell as it is written.

    >>> cell_name(("d", 0, -1))
    'd0.-1'
    """
    kind, q, r = cell
    return f"{kind}{q}.{r}"


class Layout(msgspec.Struct, frozen=True):
    """The tiles on the table as the rules see them; never changed, only added to.

    ``digits`` by vertex, ``cells`` that are filled, and the ``frontier``: the free cells that
    share a side with a filled one.
    """

    digits: Mapping[Vertex, int]
    cells: frozenset[Cell]
    frontier: frozenset[Cell]

    def put(self, placement: Placement) -> "Layout":
        """The layout with one more tile on it."""
        cell = placement.cell
        digits = dict(self.digits)
        for vertex, digit in zip(corners(cell), placement.digits, strict=True):
            digits.setdefault(vertex, digit)
        cells = self.cells | {cell}
        return Layout(digits, cells, self.frontier.union(beside(cell)) - cells)

    def pattern(self, cell: Cell) -> Pattern:
        """The digits known at the corners of a cell."""
        get = self.digits.get
        a, b, c = corners(cell)
        return get(a), get(b), get(c)

    def shared_sides(self, cell: Cell) -> tuple[int, ...]:
        """The sides of a cell, by number, across which a tile lies."""
        return tuple(side for side, near in enumerate(beside(cell)) if near in self.cells)

    def playable(self) -> int:
        """The set of tiles that fit somewhere; on the empty table that is every tile (§5)."""
        if not self.cells:
            return FITTING_TILES[None, None, None]
        found, get = 0, self.digits.get
        for cell in self.frontier:
            a, b, c = corners(cell)
            found |= FITTING_TILES[get(a), get(b), get(c)]
        return found


EMPTY = Layout({}, frozenset(), frozenset())
"""The table before the first tile."""
