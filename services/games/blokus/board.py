"""A square board as one big integer: a bit for each square, row by row from the bottom.

Square ``column, row`` (from 0) is bit ``row * size + column``. Everything that can ever be
placed on a board is laid out once; judging a move is then a look-up and a few masks.
"""

from collections.abc import Iterator
from functools import cache

import msgspec

from services.games.blokus.pieces import PIECES, orientations
from services.games.notation import square_name


class Placement(msgspec.Struct, frozen=True):
    """A piece in one place. ``number`` is its rank in the canonical order of moves.

    The order is that of the pieces in the sheet, then of the squares in ascending order.
    """

    number: int
    piece: int
    squares: tuple[int, ...]
    mask: int
    text: str


class Board:
    """The geometry of a board of ``size`` by ``size`` squares; made once, by ``board``."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.full = (1 << size * size) - 1
        row = (1 << size) - 1
        left = self.full // row
        self._not_first = self.full ^ left
        self._not_last = self.full ^ left << size - 1
        self.names = tuple(square_name(i % size, i // size) for i in range(size * size))
        self.squares = {name: square for square, name in enumerate(self.names)}
        self.placements = tuple(self._placements())
        self.by_mask = {placement.mask: placement for placement in self.placements}
        self.by_text = {placement.text: placement for placement in self.placements}
        self.covering = self._covering()

    def beside(self, squares: int) -> int:
        """The squares that share an edge with one of these."""
        sideways = (squares & self._not_last) << 1 | (squares & self._not_first) >> 1
        return (sideways | squares << self.size | squares >> self.size) & self.full

    def diagonal(self, squares: int) -> int:
        """The squares that touch one of these at a corner."""
        sideways = (squares & self._not_last) << 1 | (squares & self._not_first) >> 1
        return (sideways << self.size | sideways >> self.size) & self.full

    def text(self, squares: int) -> str:
        """A set of squares in its canonical spelling (sheet §2)."""
        return ",".join(self.names[square] for square in squares_of(squares))

    def _placements(self) -> Iterator[Placement]:
        number = 0
        for piece, shape in enumerate(PIECES):
            for squares in sorted(
                tuple((row + up) * self.size + column + right for row, column in cells)
                for cells in orientations(shape)
                for up in range(self.size - max(row for row, _ in cells))
                for right in range(self.size - max(column for _, column in cells))
            ):
                mask = sum(1 << square for square in squares)
                text = ",".join([self.names[square] for square in squares])
                yield Placement(number, piece, squares, mask, text)
                number += 1

    def _covering(self) -> tuple[tuple[tuple[tuple[int, int], ...], ...], ...]:
        """By square and piece: (mask, number) of each placement that covers the square."""
        lists: list[list[list[tuple[int, int]]]] = [[[] for _ in PIECES] for _ in self.names]
        for placement in self.placements:
            entry = (placement.mask, placement.number)
            for square in placement.squares:
                lists[square][placement.piece].append(entry)
        return tuple(tuple(tuple(entries) for entries in by_piece) for by_piece in lists)


@cache
def board(size: int) -> Board:
    """The board of this size.

    >>> len(board(20).placements), len(board(14).placements)
    (30433, 13729)
    """
    return Board(size)


def squares_of(squares: int) -> Iterator[int]:
    """The squares of a set, in ascending order.

    >>> list(squares_of(0b1010))
    [1, 3]
    """
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest
