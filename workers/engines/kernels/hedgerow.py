"""The board of Hedgerow, compiled: placing (rule sheet §4), regions and their score (§5, §6).

A board is one array of whole numbers. Sets of squares are its first words, one bit a square from
a1 on; a segment between two squares is named by the lower of them, in ``EAST`` or ``NORTH``.
A quarter of a Cross Zero is joined to one cell at most, so it never joins others: regions are
found among whole squares alone, and an empty square is a whole cell of nobody. Owners are 0, who
begins a game, and 1; points are those of owner 0. A placement is square x 16 + glyph, so that
rising numbers are the canonical order.
"""

import numpy as np
from numpy.typing import NDArray

from services.games.hedgerow.pieces import TRIANGLES, TYPE_OF
from services.games.hedgerow.placement import FITTING
from services.games.hedgerow.position import PLACEMENTS, Position
from workers.engines.kernels import bits
from workers.engines.kernels.compiling import kernel

Words = NDArray[np.int64]

EAST, NORTH = 0, 1
"""The inner segments that no solid edge lies on."""
CROSSES, PIECES, SINGLES, PAIRS = 2, 4, 6, 8
"""By owner: Cross Zeros; other pieces; those of them with one or three, and two or three
triangles."""
SUPPLY = 10
"""Five types of owner 0, five of owner 1."""
TURNS, SCORE = 20, 21
"""Pieces placed; the running score of all regions."""
WALLED, CROSSES_COUNT = 22, 23
"""Whether the boundary bears no edges (§10, A2), whether a Cross Zero is present (§10, A7)."""
BOARD = 24
"""Owner x 16 + glyph on every square, ``VACANT`` where nothing has been placed."""
LENGTH = BOARD + 49
VACANT = -1

PLACEMENTS_MAX = 706
"""No position has more placements (§12)."""

ALL_EAST = sum(1 << square for square in range(49) if square % 7 < 6)
ALL_NORTH = sum(1 << square for square in range(49) if square < 42)
ALL = (1 << 49) - 1
_CENTRE = 24

_TRIANGLES = np.array(TRIANGLES, np.int64)
_TYPE_OF = np.array(TYPE_OF, np.int64)
_CORNERS = 1 << 3
_OF_TRIANGLES = (0b00001, 0b00010, 0b01100, 0b10000)
"""By triangles: the set of types that have so many."""
_FITTING = np.array(
    [[sum(1 << glyph for glyph in glyphs) for glyphs in by_bars] for by_bars in FITTING], np.int64
)
"""By set of types and set of barred sides: the set of glyphs that can be placed."""


def laid(position: Position) -> Words:
    """The board of a position, with the pieces that are harvested."""
    board = np.zeros(LENGTH, np.int64)
    board[EAST], board[NORTH] = ALL_EAST, ALL_NORTH
    board[BOARD:] = VACANT
    for square, code in enumerate(position.board):
        if code:
            lay(board, square, (code >> 4) - 1, code & 15)
    board[SUPPLY : SUPPLY + 10] = list(position.supply)
    board[TURNS] = min(position.turns, PLACEMENTS)
    board[WALLED] = position.ruleset.boundary_edges == "forbidden"
    board[CROSSES_COUNT] = position.ruleset.cross_presence == "yes"
    board[SCORE] = running_score(board)
    return board


# Sets of squares


@kernel
def count(squares: int) -> int:
    """How many squares a set has."""
    return np.int64(bits.count(np.uint64(squares)))


@kernel
def lowest(squares: int) -> int:
    """The first square of a set that is not empty."""
    return bits.lowest(np.uint64(squares))


# Edges


@kernel
def _sides(east: int, north: int, square: int) -> int:
    """The sides of a square whose segments are in these sets: N 1, E 2, S 4, W 8."""
    return (
        (north >> square & 1)
        | (east >> square & 1) << 1
        | ((north << 7) >> square & 1) << 2
        | ((east << 1) >> square & 1) << 3
    )


@kernel
def open_sides(board: Words, square: int) -> int:
    """The sides of a square that lead to a neighbour and carry no edge."""
    return _sides(board[EAST], board[NORTH], square)


@kernel
def barred(board: Words, square: int) -> int:
    """The sides on which a piece here may not be solid (§4, rules 4 and 5)."""
    closed = 15 & ~open_sides(board, square)
    return closed if board[WALLED] else closed & _sides(ALL_EAST, ALL_NORTH, square)


# Placing (§4)


@kernel
def lay(board: Words, square: int, owner: int, glyph: int) -> None:
    """Put a piece down, whoever's turn it is; supply, turns and score are left alone."""
    bit = 1 << square
    board[BOARD + square] = owner * 16 + glyph
    if not glyph:
        board[CROSSES + owner] |= bit
        return
    board[EAST] &= ~((glyph >> 1 & 1) * bit | ((glyph >> 3) * bit) >> 1)
    board[NORTH] &= ~((glyph & 1) * bit | ((glyph >> 2 & 1) * bit) >> 7)
    board[PIECES + owner] |= bit
    board[SINGLES + owner] |= (_TRIANGLES[glyph] & 1) * bit
    board[PAIRS + owner] |= (_TRIANGLES[glyph] >> 1) * bit


@kernel
def lift(board: Words, square: int, owner: int, east: int, north: int) -> None:
    """Take back what ``lay`` did; ``east`` and ``north`` are the segments of before."""
    bit = 1 << square
    board[BOARD + square] = VACANT
    board[EAST], board[NORTH] = east, north
    for of_owner in (CROSSES, PIECES, SINGLES, PAIRS):
        board[of_owner + owner] &= ~bit


@kernel
def types_to_place(board: Words) -> int:
    """The set of types the mover may place one of (§4, rules 2, 3 and 6)."""
    if board[TURNS] == 0:
        return _CORNERS
    owner = board[TURNS] % 2
    left, types = 0, 0
    for kind in range(5):
        some = board[SUPPLY + 5 * owner + kind]
        left += some
        if some:
            types |= 1 << kind
    if owner == 1 and left - board[SUPPLY + 5] == 1:
        return types & 1
    return types


@kernel
def placements(board: Words, types: int, found: Words) -> int:
    """Write the legal placements of these types in the canonical order, and say how many."""
    n = 0
    free = 1 << _CENTRE if board[TURNS] == 0 else occupied(board) ^ ALL
    while free:
        square = lowest(free)
        free &= free - 1
        glyphs = _FITTING[types, barred(board, square)]
        while glyphs:
            found[n] = square * 16 + lowest(glyphs)
            glyphs &= glyphs - 1
            n += 1
    return n


@kernel
def occupied(board: Words) -> int:
    """The squares that hold a piece."""
    return board[CROSSES] | board[CROSSES + 1] | board[PIECES] | board[PIECES + 1]


@kernel
def heaviest(board: Words, found: Words) -> int:
    """Like ``placements``, of the pieces with the most triangles that fit: the care of §12."""
    types = types_to_place(board)
    for triangles in range(3, -1, -1):
        n = placements(board, types & _OF_TRIANGLES[triangles], found)
        if n:
            return n
    return 0


@kernel
def place(board: Words, placement: int) -> None:
    """The mover's placement, with everything that follows but the end of the phase."""
    square, glyph, owner = placement >> 4, placement & 15, board[TURNS] % 2
    area = region(board, square)
    board[SCORE] += change(board, square, owner, glyph, area, worth(board, area))
    lay(board, square, owner, glyph)
    board[SUPPLY + 5 * owner + _TYPE_OF[glyph]] -= 1
    board[TURNS] += 1


# Regions and their score (§5, §6)


@kernel
def grown(board: Words, squares: int, until: int) -> int:
    """The whole squares joined to these; it may stop when all of ``until`` is among them."""
    east, north = board[EAST], board[NORTH]
    whole = ALL & ~(board[CROSSES] | board[CROSSES + 1])
    before = 0
    while squares != before and until & ~squares:
        before = squares
        sideways = (squares & east) << 1 | (squares >> 1) & east
        squares |= (sideways | (squares & north) << 7 | (squares >> 7) & north) & whole
    return squares


@kernel
def region(board: Words, square: int) -> int:
    """The region of a square that holds no Cross Zero."""
    return grown(board, 1 << square, ALL)


@kernel
def _triangles(board: Words, squares: int, owner: int) -> int:
    return count(squares & board[SINGLES + owner]) + 2 * count(squares & board[PAIRS + owner])


@kernel
def worth(board: Words, area: int) -> int:
    """What a region is worth (§6); one with empty squares counts as if nothing were to come."""
    is_first, is_second = area & board[PIECES], area & board[PIECES + 1]
    if not is_first and not is_second:
        return 0
    lead = _triangles(board, area, 0) - _triangles(board, area, 1)
    if is_first and is_second:
        return lead
    if area & (area - 1) and not board[CROSSES_COUNT]:
        return 0
    east, north = board[EAST], board[NORTH]
    near = (area & east) << 1 | (area >> 1) & east | (area & north) << 7 | (area >> 7) & north
    if not area & (area - 1) and not near & (board[CROSSES] | board[CROSSES + 1]):
        return -lead
    if board[CROSSES_COUNT] and near & board[CROSSES + (1 if is_first else 0)]:
        return lead
    return 0


@kernel
def change(board: Words, square: int, owner: int, glyph: int, area: int, before: int) -> int:
    """What a placement changes in the score; ``area`` is the square's region, worth ``before``.

    That region may fall apart, nothing else changes: every part holds the square itself or a
    neighbour behind a segment that is now closed.
    """
    east, north = board[EAST], board[NORTH]
    sides = open_sides(board, square) & (glyph or 15)
    bit = 1 << square
    rest = area if glyph else area & ~bit
    parts = (
        (sides & 1) * (bit << 7)
        | (sides >> 1 & 1) * (bit << 1)
        | (sides >> 2 & 1) * (bit >> 7)
        | (sides >> 3) * (bit >> 1)
        | bit
    ) & rest
    lay(board, square, owner, glyph)
    points = -before
    while parts:
        part = grown(board, parts & -parts, parts)
        if not parts & ~part:
            part = rest
        points += worth(board, part)
        rest &= ~part
        parts &= ~part
    lift(board, square, owner, east, north)
    return points


@kernel
def running_score(board: Words) -> int:
    """The score of all regions, counted anew."""
    points = 0
    rest = ALL & ~(board[CROSSES] | board[CROSSES + 1])
    while rest:
        area = grown(board, rest & -rest, ALL)
        points += worth(board, area)
        rest &= ~area
    return points


@kernel
def net(board: Words, harvest: int) -> int:
    """The game's net once the board is full: regions, Isolation Value and harvest (§8)."""
    return board[SCORE] + isolation(board) + harvest


@kernel
def isolation(board: Words) -> int:
    """The triangles left to owner 1 (§4)."""
    left = board[SUPPLY + 5 :]
    return left[1] + 2 * left[2] + 2 * left[3] + 3 * left[4]
