"""The regions (sheet §5) and what they score (sheet §6): a pure function of a board.

Cells: a square with a piece is one cell; a Cross Zero has four, its quarters N, E, S, W, which
are never joined directly. An empty square, met only in a running score, is one cell of nobody.
"""

import msgspec

from services.games.hedgerow.board import AREA, NAMES, NEIGHBOURS, Board
from services.games.hedgerow.pieces import SIDES, TRIANGLES

ISOLATED, MIXED, SINGLE, BARE = "isolated", "mixed", "single", "bare"
WHOLE = 0
"""The part of a square that is all of it; quarters are named by their side's bit."""

Cell = tuple[int, int]
"""A square and the part of it: ``WHOLE``, or a side for a quarter of a Cross Zero."""

_SIDE_NAMES = {side: letter for letter, side in SIDES.items()}


class Region(msgspec.Struct, frozen=True):
    """One region: its cells in ascending order, and what it is worth.

    ``kind`` is ``isolated``, ``mixed``, ``single`` (sheet §6) or ``bare`` (no piece belongs to
    it). ``squares`` are those of its pieces, ``triangles`` those of owner 1 and owner 2,
    ``points`` owner 1's.
    """

    cells: tuple[Cell, ...]
    squares: tuple[int, ...]
    kind: str
    triangles: tuple[int, int]
    points: int

    @property
    def name(self) -> str:
        """The region's lowest square, e.g. ``d4``, or quarter, e.g. ``d4.N``, if it is bare."""
        square, part = self.cells[0] if self.kind == BARE else (self.squares[0], WHOLE)
        return f"{NAMES[square]}.{_SIDE_NAMES[part]}" if part else NAMES[square]

    @property
    def quarters(self) -> int:
        """How many quarters of Cross Zeros it has."""
        return sum(1 for _, part in self.cells if part)


def regions(board: Board, cross_presence: str = "no") -> tuple[Region, ...]:
    """Every region, by its lowest cell. Supply is not looked at; empty squares are allowed."""
    found, seen = [], set[Cell]()
    for cell in _all_cells(board):
        if cell not in seen:
            cells = _flood(board, cell)
            seen |= cells
            found.append(_region(board, tuple(sorted(cells)), cross_presence))
    return tuple(found)


def placement_score(board: Board, cross_presence: str = "no") -> int:
    """Owner 1's points of all regions, without the Isolation Value (sheet §6)."""
    return sum(region.points for region in regions(board, cross_presence))


def _all_cells(board: Board) -> list[Cell]:
    return [
        (square, part)
        for square in range(AREA)
        for part in (SIDES.values() if _is_cross(board[square]) else (WHOLE,))
    ]


def _is_cross(code: int) -> bool:
    return code != 0 and not code & 15


def _flood(board: Board, start: Cell) -> set[Cell]:
    cells, waiting = {start}, [start]
    while waiting:
        square, part = waiting.pop()
        for side, beyond, opposite in NEIGHBOURS[square]:
            if part not in (WHOLE, side) or board[square] & side or board[beyond] & opposite:
                continue
            cell = (beyond, opposite if _is_cross(board[beyond]) else WHOLE)
            if cell not in cells:
                cells.add(cell)
                waiting.append(cell)
    return cells


def _region(board: Board, cells: tuple[Cell, ...], cross_presence: str) -> Region:
    squares = tuple(square for square, part in cells if not part and board[square])
    triangles = [0, 0]
    for square in squares:
        triangles[(board[square] >> 4) - 1] += TRIANGLES[board[square] & 15]
    first, second = triangles
    present = {board[square] >> 4 for square in squares}
    if cross_presence == "yes":
        present |= {board[square] >> 4 for square, part in cells if part}
    kind = _kind(squares, cells, present)
    points = {ISOLATED: second - first, MIXED: first - second}.get(kind, 0)
    return Region(cells, squares, kind, (first, second), points)


def _kind(squares: tuple[int, ...], cells: tuple[Cell, ...], present: set[int]) -> str:
    if not squares:
        return BARE
    if len(cells) == 1:
        return ISOLATED
    return MIXED if len(present) == 2 else SINGLE
