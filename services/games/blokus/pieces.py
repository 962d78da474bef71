"""The 21 pieces: every shape of one to five squares joined by edges (sheet §1)."""

import msgspec

Cell = tuple[int, int]
"""A square of a shape as (row, column), so that cells sort as squares are written (sheet §2)."""


class Piece(msgspec.Struct, frozen=True):
    """A shape in one base position; row 0 is at the bottom."""

    name: str
    cells: tuple[Cell, ...]

    @property
    def size(self) -> int:
        """How many squares it covers."""
        return len(self.cells)


def _piece(name: str, cells: str) -> Piece:
    """A piece from the sheet's table: cells as column and row digits."""
    return Piece(name, tuple(sorted((int(cell[1]), int(cell[0])) for cell in cells.split())))


PIECES = (
    _piece("I1", "00"),
    _piece("I2", "00 10"),
    _piece("I3", "00 10 20"),
    _piece("V3", "00 10 01"),
    _piece("I4", "00 10 20 30"),
    _piece("L4", "00 10 20 01"),
    _piece("T4", "00 10 20 11"),
    _piece("Z4", "00 10 11 21"),
    _piece("O4", "00 10 01 11"),
    _piece("F", "10 01 11 12 22"),
    _piece("I5", "00 10 20 30 40"),
    _piece("L5", "00 10 20 30 01"),
    _piece("N", "00 10 20 21 31"),
    _piece("P", "00 10 01 11 02"),
    _piece("T5", "02 12 22 11 10"),
    _piece("U", "00 10 20 01 21"),
    _piece("V5", "00 10 20 01 02"),
    _piece("W", "00 10 11 21 22"),
    _piece("X", "10 01 11 21 12"),
    _piece("Y", "00 10 20 30 11"),
    _piece("Z5", "00 10 11 12 22"),
)
"""In the sheet's order; a piece's number is its place here."""

PIECE_NUMBERS = {piece.name: number for number, piece in enumerate(PIECES)}

ALL_PIECES = (1 << len(PIECES)) - 1
"""A set of pieces is an integer with a bit for each number: this is the full set."""


def pieces_in(pieces: int) -> tuple[int, ...]:
    """The numbers in a set of pieces, in order.

    >>> pieces_in(0b101)
    (0, 2)
    """
    return tuple(number for number in range(len(PIECES)) if pieces >> number & 1)


def squares_in(pieces: int) -> int:
    """How many squares a set of pieces covers.

    >>> squares_in(ALL_PIECES)
    89
    """
    return sum(PIECES[number].size for number in pieces_in(pieces))


def orientations(piece: Piece) -> tuple[tuple[Cell, ...], ...]:
    """The different ways a piece can lie, turned and flipped, each moved to row and column 0.

    >>> sum(len(orientations(piece)) for piece in PIECES)
    91
    """
    turned = [piece.cells]
    for _ in range(3):
        turned.append(tuple((column, -row) for row, column in turned[-1]))
    flipped = [tuple((row, -column) for row, column in cells) for cells in turned]
    return tuple(sorted({_moved_to_zero(cells) for cells in turned + flipped}))


def _moved_to_zero(cells: tuple[Cell, ...]) -> tuple[Cell, ...]:
    low = min(row for row, _ in cells)
    left = min(column for _, column in cells)
    return tuple(sorted((row - low, column - left) for row, column in cells))
