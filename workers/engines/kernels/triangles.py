"""The round of Triangles in arrays (``seeds/triangles/RULES.md``): what is laid, what may be.

The unbounded layout is mapped to an array that no round can leave: 56 tiles in a row reach 28
rhombi from the first. Cells are numbered **in the order of their names**, so that moves in the
order of their numbers are moves in canonical order. A cell keeps its **pattern**, the digits
known at its corners as a number to base 7 (0: none yet), so that what fits is one look-up.

Everything works on full positions. Placing is undone by ``take_back``, hands and points are
plain numbers that a search saves and restores itself.
"""

from itertools import product
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games.triangles.lattice import Cell, Vertex, around, beside, cell_name, corners
from services.games.triangles.tiles import FITTING, READINGS, TILES, VALUES, Pattern
from workers.engines.kernels import bits
from workers.engines.kernels.bits import ONE, ZERO
from workers.engines.kernels.compiling import inlined, kernel

SPAN = 30
NAMED: tuple[Cell, ...] = tuple(
    sorted(product("ud", range(-SPAN, SPAN + 1), range(-SPAN, SPAN + 1)), key=cell_name)
)
"""Every cell by number; one more number stands for all that lie outside."""
NUMBERS = {cell: number for number, cell in enumerate(NAMED)}
OUTSIDE = len(NAMED)
FIRST = NUMBERS["u", 0, 0]
READING_TEXTS = tuple(sorted(READINGS))
"""The clockwise readings by number, in the order of the dictionary."""
READING_TILES = tuple(READINGS[text] for text in READING_TEXTS)

SEATS_MAX, FRONTIER_MAX, MOVES_MAX = 4, 64, 512
FREE, FILLED = -1, -2
RUNNING, OUT, BLOCKED = 0, 1, 2
NOBODY = -1

# The plain numbers of a round, by place in ``Round.n``.
SEAT, PLAYERS, LAID, EDGE, DRAWN, MARKET, PASSES, END, WINNER, SCORED, TWO_SIDES = range(11)


class Tables(NamedTuple):
    """What never changes: the lattice and the tiles as look-ups."""

    corner: NDArray[np.int16]
    beside: NDArray[np.int16]
    around: NDArray[np.int16]
    weight: NDArray[np.int64]
    fits: NDArray[np.uint64]
    reading: NDArray[np.int16]
    digit: NDArray[np.int64]
    tile: NDArray[np.int64]
    value: NDArray[np.int64]


class Round(NamedTuple):
    """A round in progress.

    By cell: ``pattern``, the ``sides`` shared with a tile, and ``where`` it stands in the
    ``edge`` (the free cells beside a tile). By vertex: the filled cells round it, ``ring``. The
    ``market`` lists the next tile first. ``hands`` are sets, ``log`` tells how to take back.
    """

    pattern: NDArray[np.int16]
    sides: NDArray[np.int8]
    where: NDArray[np.int16]
    ring: NDArray[np.int8]
    edge: NDArray[np.int16]
    hands: NDArray[np.uint64]
    market: NDArray[np.int8]
    points: NDArray[np.int64]
    n: NDArray[np.int64]
    log: NDArray[np.int64]


def _pattern_number(pattern: Pattern) -> int:
    a, b, c = (0 if digit is None else digit + 1 for digit in pattern)
    return (a * 7 + b) * 7 + c


def _tables() -> Tables:
    vertices: dict[Vertex, int] = {}
    corner = np.zeros((OUTSIDE + 1, 3), np.int16)
    near = np.full((OUTSIDE + 1, 3), OUTSIDE, np.int16)
    for number, cell in enumerate(NAMED):
        corner[number] = [vertices.setdefault(v, len(vertices)) for v in corners(cell)]
        near[number] = [NUMBERS.get(other, OUTSIDE) for other in beside(cell)]
    ring = np.array(
        [[NUMBERS.get(cell, OUTSIDE) for cell in around(vertex)] for vertex in vertices], np.int16
    )
    # The vertex is the same corner of the n-th cell round it, whichever vertex it is.
    places = [corners(cell).index((0, 0)) for cell in around((0, 0))]
    fits, reading = np.zeros(343, np.uint64), np.full((343, len(TILES)), -1, np.int16)
    for pattern, found in FITTING.items():
        for tile, text in reversed(found):
            fits[_pattern_number(pattern)] |= np.uint64(1 << tile)
            reading[_pattern_number(pattern), tile] = READING_TEXTS.index(text)
    return Tables(
        corner,
        near,
        ring,
        weight=np.array([(49, 7, 1)[place] for place in places], np.int64),
        fits=fits,
        reading=reading,
        digit=np.array([[int(digit) for digit in text] for text in READING_TEXTS], np.int64),
        tile=np.array(READING_TILES, np.int64),
        value=np.array(VALUES, np.int64),
    )


TABLES = _tables()


def new_round() -> Round:
    """An empty table: the first cell is all its edge."""
    cells, vertices = OUTSIDE + 1, len(TABLES.around)
    empty = Round(
        pattern=np.zeros(cells, np.int16),
        sides=np.zeros(cells, np.int8),
        where=np.full(cells, FREE, np.int16),
        ring=np.zeros(vertices, np.int8),
        edge=np.zeros(FRONTIER_MAX, np.int16),
        hands=np.zeros(SEATS_MAX, np.uint64),
        market=np.zeros(len(TILES), np.int8),
        points=np.zeros(SEATS_MAX, np.int64),
        n=np.zeros(11, np.int64),
        log=np.zeros((len(TILES), 5), np.int64),
    )
    empty.edge[0], empty.where[FIRST], empty.n[EDGE] = FIRST, 0, 1
    empty.n[WINNER] = NOBODY
    return empty


# What may be placed (§5)


@kernel
def playable(t: Tables, r: Round) -> Any:
    """The set of tiles that fit somewhere."""
    found = ZERO
    for place in range(r.n[EDGE]):
        found |= t.fits[r.pattern[r.edge[place]]]
    return found


@kernel
def moves(t: Tables, r: Round, found: NDArray[np.int64]) -> int:
    """Lists the moves of the seat to move, reading x cells + cell, in no order; how many."""
    hand, listed = r.hands[r.n[SEAT]], 0
    for place in range(r.n[EDGE]):
        cell = r.edge[place]
        fitting = t.fits[r.pattern[cell]] & hand
        while fitting:
            tile = bits.lowest(fitting)
            fitting &= fitting - ONE
            found[listed] = t.reading[r.pattern[cell], tile] * OUTSIDE + cell
            listed += 1
    return listed


# Points (§6)


@inlined
def bonus(t: Tables, r: Round, cell: int) -> int:
    """What the next tile on a cell earns beyond its value, whichever it is (§6)."""
    sides = r.sides[cell]
    if sides == 1:
        pattern = r.pattern[cell]
        touched = pattern >= 49 and pattern // 7 % 7 and pattern % 7  # three sides, in base 7
        return 40 if touched else 0
    hexagons = 0
    for corner in range(3):
        hexagons += r.ring[t.corner[cell, corner]] == 5  # the sixth closes it
    if hexagons:
        return 50 * hexagons
    return 40 if sides and r.n[TWO_SIDES] else 0


@inlined
def earned(t: Tables, r: Round, tile: int, cell: int) -> int:
    """The points of a placement."""
    points = t.value[tile] if r.n[SCORED] else 0
    if r.n[LAID]:
        return points + bonus(t, r, cell)
    if tile == 0:
        return points + 40
    reading = t.reading[0, tile]
    return points + (10 if t.digit[reading, 0] == t.digit[reading, 2] else 0)


# Placing and taking back


@inlined
def lay(t: Tables, r: Round, tile: int, cell: int) -> None:
    """A tile on the table; nothing is judged, hands and points are left alone."""
    pattern, n = np.int64(r.pattern[cell]), r.n
    reading = t.reading[pattern, tile]
    log = r.log[n[LAID]]
    place = r.where[cell]
    log[0], log[1], log[2], log[3], log[4] = cell, place, n[EDGE], pattern, tile
    for corner in range(3):
        vertex = t.corner[cell, corner]
        r.ring[vertex] += 1
        if (pattern // (49, 7, 1)[corner]) % 7 == 0:
            digit = t.digit[reading, corner] + 1
            for k in range(6):
                r.pattern[t.around[vertex, k]] += digit * t.weight[k]
    n[EDGE] -= 1
    moved = r.edge[n[EDGE]]
    r.edge[place], r.where[moved] = moved, place
    r.where[cell] = FILLED
    for side in range(3):
        near = t.beside[cell, side]
        r.sides[near] += 1
        if r.where[near] == FREE:
            r.where[near] = n[EDGE]
            r.edge[n[EDGE]] = near
            n[EDGE] += 1
    n[LAID] += 1


@inlined
def take_back(t: Tables, r: Round) -> None:
    """Takes the last laid tile off the table again."""
    n = r.n
    n[LAID] -= 1
    log = r.log[n[LAID]]
    cell, place, edge, pattern, tile = log[0], log[1], log[2], log[3], log[4]
    reading = t.reading[pattern, tile]
    for position in range(edge - 1, n[EDGE]):
        r.where[r.edge[position]] = FREE
    for side in range(3):
        r.sides[t.beside[cell, side]] -= 1
    moved = r.edge[place] if place < edge - 1 else cell
    r.edge[edge - 1], r.where[moved] = moved, edge - 1
    r.edge[place], r.where[cell] = cell, place
    n[EDGE] = edge
    for corner in range(3):
        vertex = t.corner[cell, corner]
        r.ring[vertex] -= 1
        if (pattern // (49, 7, 1)[corner]) % 7 == 0:
            digit = t.digit[reading, corner] + 1
            for k in range(6):
                r.pattern[t.around[vertex, k]] -= digit * t.weight[k]


# A turn and what follows from it (§4, §7)


@inlined
def play(t: Tables, r: Round, tile: int, cell: int) -> None:
    """A placement of the seat to move, with the draws, passes and the end that it causes."""
    place(t, r, tile, cell)
    if r.n[END] == RUNNING:
        settle(t, r)


@inlined
def place(t: Tables, r: Round, tile: int, cell: int) -> None:
    """A placement of the seat to move, or its end; draws and passes are still to be settled."""
    n = r.n
    seat = n[SEAT]
    r.points[seat] += earned(t, r, tile, cell)
    r.hands[seat] &= ~(ONE << np.uint64(tile))
    lay(t, r, tile, cell)
    n[PASSES] = 0
    if r.hands[seat]:
        n[SEAT] = (seat + 1) % n[PLAYERS]
        return
    n[END], n[WINNER] = OUT, seat
    r.points[seat] += 25
    for other in range(n[PLAYERS]):
        r.points[seat] += value_of(t, r.hands[other])


@inlined
def settle(t: Tables, r: Round) -> None:
    """Draws and passes until a seat can place or the round ends."""
    n, fitting = r.n, playable(t, r)
    while not r.hands[n[SEAT]] & fitting:
        if n[DRAWN] < n[MARKET]:
            r.hands[n[SEAT]] |= ONE << np.uint64(r.market[n[DRAWN]])
            n[DRAWN] += 1
            r.points[n[SEAT]] -= 5
            continue
        r.points[n[SEAT]] -= 10
        n[PASSES] += 1
        if n[PASSES] == n[PLAYERS]:
            end_blocked(t, r)
            return
        n[SEAT] = (n[SEAT] + 1) % n[PLAYERS]


@kernel
def end_blocked(t: Tables, r: Round) -> None:
    """The end when nobody can place: the single lowest hand gets the differences."""
    n = r.n
    lowest, total, holders = 421, 0, 0
    for seat in range(n[PLAYERS]):
        value = value_of(t, r.hands[seat])
        total += value
        if value == lowest:
            holders += 1
        elif value < lowest:
            lowest, holders, n[WINNER] = value, 1, seat
    n[END] = BLOCKED
    if holders > 1:
        n[WINNER] = NOBODY
    else:
        r.points[n[WINNER]] += total - n[PLAYERS] * lowest


@kernel
def value_of(t: Tables, tiles: Any) -> int:
    """The values of a set of tiles added up."""
    total = 0
    while tiles:
        total += t.value[bits.lowest(tiles)]
        tiles &= tiles - ONE
    return total
