"""The board (sheet §2): 49 squares row by row from a1, their neighbours and their lines.

A board is 49 bytes, one piece each (``pieces.py``); a set of squares is an integer, one bit each.
"""

from collections.abc import Iterable, Iterator

from services.games.contract import BadText
from services.games.hedgerow.pieces import (
    CORNER,
    GLYPHS,
    PIECE_NAMES,
    TYPE_OF,
    E,
    N,
    S,
    W,
)
from services.games.notation import square_name

SIZE = 7
AREA = SIZE * SIZE
CENTRE = AREA // 2

Board = bytes
"""The piece on every square; 0: none."""

EMPTY: Board = bytes(AREA)
ALL_SQUARES = (1 << AREA) - 1

NAMES = tuple(square_name(i % SIZE, i // SIZE) for i in range(AREA))
SQUARES = {name: square for square, name in enumerate(NAMES)}

_OPPOSITE = {N: S, E: W, S: N, W: E}
_AWAY = {N: (0, 1), E: (1, 0), S: (0, -1), W: (-1, 0)}


def _line(square: int, right: int, up: int) -> list[int]:
    """The squares from here to the edge of the board, nearest first."""
    column, row = square % SIZE + right, square // SIZE + up
    squares = []
    while 0 <= column < SIZE and 0 <= row < SIZE:
        squares.append(row * SIZE + column)
        column, row = column + right, row + up
    return squares


NEIGHBOURS = tuple(
    tuple(
        (side, line[0], _OPPOSITE[side])
        for side, away in _AWAY.items()
        if (line := _line(square, *away))
    )
    for square in range(AREA)
)
"""By square: (own side, the square beyond, that square's side on the same segment)."""

BOUNDARY = tuple(15 ^ sum(side for side, _, _ in NEIGHBOURS[square]) for square in range(AREA))
"""By square: its sides that lie on the boundary."""


def _directions(glyph: int) -> list[tuple[int, int]]:
    """Where the triangles of a glyph face (sheet §3): both of a Corner Two face its corner."""
    ways = [away for side, away in _AWAY.items() if glyph & side]
    if TYPE_OF[glyph] == CORNER:
        return [(ways[0][0] + ways[1][0], ways[0][1] + ways[1][1])]
    return ways


def _rays(square: int, glyph: int) -> Iterator[tuple[int, bool]]:
    for way in _directions(glyph):
        if line := _line(square, *way):
            yield sum(1 << other for other in line), line[0] > square


RAYS = tuple(
    tuple(tuple(_rays(square, glyph)) for square in range(AREA)) for glyph in range(len(GLYPHS))
)
"""By glyph and square: (the squares a triangle looks along, whether the nearest is the lowest)."""


def squares_in(squares: int) -> Iterator[int]:
    """The squares of a set, in ascending order.

    >>> list(squares_in(0b1010))
    [1, 3]
    """
    while squares:
        lowest = squares & -squares
        yield lowest.bit_length() - 1
        squares ^= lowest


def set_of(squares: Iterable[int]) -> int:
    """The squares as a set."""
    return sum(1 << square for square in squares)


def solid_on(board: Board, square: int) -> int:
    """The sides of a square whose segment carries a neighbour's solid edge already."""
    sides = 0
    for side, beyond, opposite in NEIGHBOURS[square]:
        if board[beyond] & opposite:
            sides |= side
    return sides


def read_diagram(rows: Iterable[str]) -> Board:
    """The board of a diagram (sheet §9): seven rows, rank 7 first, of pieces or ``.``.

    >>> read_diagram([". . . . . . ."] * 6 + ["2NE . . . . . ."])[0] == 2 << 4 | 0b0011
    True
    """
    ranks = [row.split() for row in rows]
    if [len(rank) for rank in ranks] != [SIZE] * SIZE:
        raise BadText("A diagram has seven rows of seven pieces, each like 1NE, 2X or a dot.")
    names = [name for rank in reversed(ranks) for name in rank]
    for name in names:
        if name != "." and name not in PIECE_NAMES:
            raise BadText(f"{name[:8]!r} is no piece: an owner 1 or 2, then X or solid sides.")
    return bytes(PIECE_NAMES.get(name, 0) for name in names)
