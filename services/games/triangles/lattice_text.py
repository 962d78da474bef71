r"""The table in plain characters: digits at the vertices, each tile's seat in its middle.

The last tile has a star in its middle; a dot is a free cell beside a tile::

    3---3
   .\*/.
      3
"""

from services.games.triangles.lattice import Cell, Vertex, corners
from services.games.triangles.position import Position


class _Canvas:
    """Characters by (row, column); rows grow downwards, and both may be negative."""

    def __init__(self) -> None:
        self._marks: dict[tuple[int, int], str] = {}

    def put(self, row: int, column: int, text: str) -> None:
        for offset, character in enumerate(text):
            self._marks[row, column + offset] = character

    def lines(self) -> list[str]:
        if not self._marks:
            return ["(there is no tile on the table)"]
        rows = [row for row, _ in self._marks]
        columns = [column for _, column in self._marks]
        across = range(min(columns), max(columns) + 1)
        return [
            "".join(self._marks.get((row, column), " ") for column in across).rstrip()
            for row in range(min(rows), max(rows) + 1)
        ]


def lattice_lines(view: Position) -> list[str]:
    """The table, row by row from the top."""
    canvas = _Canvas()
    for cell in view.layout.frontier if view.is_running else ():
        canvas.put(*_middle(cell), ".")
    placed = [(turn.seat, turn.placement) for turn in view.turns if turn.placement]
    for number, (seat, placement) in enumerate(placed, start=1):
        _draw_edges(canvas, placement.cell)
        mark = "*" if number == len(placed) else view.seats[seat]
        canvas.put(*_middle(placement.cell), mark)
    for vertex, digit in view.layout.digits.items():
        canvas.put(*_place(vertex), str(digit))
    return canvas.lines()


def _place(vertex: Vertex) -> tuple[int, int]:
    """The row and column of a vertex: four columns to the next one, two rows to the next row."""
    x, y = vertex
    return -2 * y, 4 * x + 2 * y


def _middle(cell: Cell) -> tuple[int, int]:
    """Under (or over) the tip, between the two rows of vertices."""
    tip, flat, _ = map(_place, corners(cell))
    return (tip[0] + flat[0]) // 2, tip[1]


def _draw_edges(canvas: _Canvas, cell: Cell) -> None:
    (row, column), flat = _middle(cell), _place(corners(cell)[1])
    canvas.put(flat[0], column - 1, "---")
    left, right = ("/", "\\") if cell[0] == "u" else ("\\", "/")
    canvas.put(row, column - 1, left)
    canvas.put(row, column + 1, right)
