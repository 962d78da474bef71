"""Blokus in compiled form: what may be placed, placing, points, and playing on to the end.

Rules of the same name are in ``services/games/blokus/rules.py``; tests hold this file to them.

Each colour looks at the board with its own eyes: a byte for each cell, **barred** (wall, taken,
or beside its own pieces), **contact** (its next piece has to cover one), or free. Its list of
moves is never made anew. A move can become legal only where a contact appears, so the moves of a
new contact are added once, found by growing shapes over free cells; those that cover an older
contact are in the list already, so for this walk older contacts are barred too. Moves that have
become illegal are thrown out when the colour comes to its turn.

What a playout does for each piece is inlined: handing dozens of arrays to another function takes
as long as the work there, late in a game longer.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels.blokus_geometry import (
    CELLS,
    CODE_BITS,
    PLACEMENTS_MAX,
    Growth,
    Shapes,
)
from workers.engines.kernels.chance import below
from workers.engines.kernels.compiling import inlined, kernel

COLOURS_MAX = 4
PIECES = 21
COLOUR_BITS = CODE_BITS + 7
"""A move of any colour is one number: its code, and the colour above it."""
THREAT, CONTACT, BARRED = 1, 16, 128
"""What a colour sees in a cell. The sum over a piece tells its threats met (the low four bits),
and that it is barred; ``THREAT`` is set only while a colour chooses, at most three times."""
THREATS = CONTACT - 1
FRESH_MAX = 400
RECENT_MAX = 8

# Whole numbers below 2**64 throughout in the inner loops: a signed place would first be asked
# whether it counts from the end, and mixed with unsigned ones it would become a float.
_0, _1, _2, _3, _4 = (np.uint64(n) for n in range(5))
CORNER = (1 << CODE_BITS) - 1
_CODE_BITS, _CORNER, _CELLS = np.uint64(CODE_BITS), np.uint64(CORNER), np.uint64(CELLS)


class Sheet(NamedTuple):
    """What stays the same in a game; arrays of four, by colour or seat.

    ``counts`` are how many colours and seats there are. ``owner`` is the seat of a colour, -1
    where the seats take turns; ``out`` the seats that gave up; ``nearness`` by cell how many
    steps it is from the edge of the board, 0 in the walls; ``rival`` by ``colour * 4 + other``
    whose threats a colour meets; ``weight`` by orientation how often playouts draw it.
    """

    counts: NDArray[np.int64]
    owner: NDArray[np.int64]
    out: NDArray[np.int64]
    nearness: NDArray[np.int64]
    rival: NDArray[np.int64]
    weight: NDArray[np.int64]


class State(NamedTuple):
    """A position; arrays by colour, and by colour and cell (or place) where they are longer.

    ``moves`` is a colour's list, some of it stale, without those of its ``fresh`` contacts.
    ``recent`` are the contacts its latest piece made. ``line`` holds what was placed since the
    position was set up, ``colour << COLOUR_BITS | code``. ``turn`` holds the colour to place, the
    turns of a shared colour that are used up, and how long the line is.
    """

    look: NDArray[np.uint8]
    moves: NDArray[np.uint32]
    n_moves: NDArray[np.int64]
    fresh: NDArray[np.int64]
    n_fresh: NDArray[np.int64]
    recent: NDArray[np.int64]
    n_recent: NDArray[np.int64]
    left: NDArray[np.int64]
    last: NDArray[np.int64]
    done: NDArray[np.int64]
    line: NDArray[np.int64]
    turn: NDArray[np.int64]


def blank_state() -> State:
    """All cells barred, nobody's turn: what positions are written into."""
    fours = (np.zeros(COLOURS_MAX, np.int64) for _ in range(6))
    n_moves, n_fresh, n_recent, left, last, done = fours
    return State(
        look=np.full(COLOURS_MAX * CELLS, BARRED, np.uint8),
        moves=np.zeros(COLOURS_MAX * PLACEMENTS_MAX, np.uint32),
        n_moves=n_moves,
        fresh=np.zeros(COLOURS_MAX * FRESH_MAX, np.int64),
        n_fresh=n_fresh,
        recent=np.zeros(COLOURS_MAX * RECENT_MAX, np.int64),
        n_recent=n_recent,
        left=left,
        last=last,
        done=done,
        line=np.zeros(COLOURS_MAX * PIECES, np.int64),
        turn=np.zeros(3, np.int64),
    )


@kernel
def copy(source: State, target: State) -> None:
    """Make one position equal to another, with a line of its own."""
    for place in range(COLOURS_MAX * CELLS):
        target.look[place] = source.look[place]
    for colour in range(COLOURS_MAX):
        first = colour * PLACEMENTS_MAX
        for place in range(first, first + source.n_moves[colour]):
            target.moves[place] = source.moves[place]
        first = colour * FRESH_MAX
        for place in range(first, first + source.n_fresh[colour]):
            target.fresh[place] = source.fresh[place]
        first = colour * RECENT_MAX
        for place in range(first, first + source.n_recent[colour]):
            target.recent[place] = source.recent[place]
        target.n_moves[colour] = source.n_moves[colour]
        target.n_fresh[colour] = source.n_fresh[colour]
        target.n_recent[colour] = source.n_recent[colour]
        target.left[colour] = source.left[colour]
        target.last[colour] = source.last[colour]
        target.done[colour] = source.done[colour]
    target.turn[0] = source.turn[0]
    target.turn[1] = source.turn[1]
    target.turn[2] = 0


@kernel
def place(state: State, sheet: Sheet, shapes: Shapes, colour: int, code: int) -> None:
    """Put a piece down, and hand the turn to the next colour, blocked or not."""
    look = state.look
    shape, corner = np.uint64(code) >> _CODE_BITS, np.uint64(code) & _CORNER
    own = np.uint64(colour * CELLS) + corner
    if state.last[colour] < 0:
        forget_starts(state, colour)
    for number in range(shapes.size[shape]):
        cell = corner + shapes.cells[shape, number]
        for _ in range(COLOURS_MAX):
            look[cell] = BARRED
            cell += _CELLS
    for number in range(shapes.n_outline[shape]):
        look[own + shapes.outline[shape, number]] = BARRED
    recent = 0
    for number in range(shapes.n_points[shape]):
        cell = own + shapes.points[shape, number]
        if look[cell] == 0:
            look[cell] = CONTACT
            state.fresh[colour * FRESH_MAX + state.n_fresh[colour]] = cell
            state.n_fresh[colour] += 1
            state.recent[colour * RECENT_MAX + recent] = cell - np.uint64(colour * CELLS)
            recent += 1
    state.n_recent[colour] = recent
    piece = np.int64(shapes.piece[shape])
    state.left[colour] &= ~(1 << piece)
    state.last[colour] = piece
    state.line[state.turn[2]] = colour << COLOUR_BITS | code
    state.turn[2] += 1
    state.turn[0] = (colour + 1) % sheet.counts[0]
    if sheet.owner[colour] < 0:
        state.turn[1] += 1


@kernel
def forget_starts(state: State, colour: int) -> None:
    """Before a colour's first piece: its start squares are contacts no more."""
    for cell in range(colour * CELLS, (colour + 1) * CELLS):
        if state.look[cell] == CONTACT:
            state.look[cell] = 0
    state.n_moves[colour] = 0
    state.n_fresh[colour] = 0


@inlined
def grow_moves(state: State, growth: Growth, colour: int) -> None:
    """Add the moves of a colour's fresh contacts to its list."""
    look, moves, left = state.look, state.moves, np.uint64(state.left[colour])
    first = colour * FRESH_MAX
    end = first + state.n_fresh[colour]
    for number in range(first, end):
        if look[state.fresh[number]] == CONTACT:
            look[state.fresh[number]] = 0
    n = np.uint64(colour * PLACEMENTS_MAX + state.n_moves[colour])
    walk = np.uint64(growth.step.shape[0])
    for number in range(first, end):
        contact = np.uint64(state.fresh[number])
        if look[contact] != 0:
            continue
        square = contact - np.uint64(colour * CELLS)
        node = _0
        while node < walk:
            if look[contact + growth.step[node]] != 0 or left & growth.pieces[node] == _0:
                node = growth.skip[node]
                continue
            moves[n] = growth.code[node] + square
            n += left >> growth.piece[node] & _1
            node += _1
        look[contact] = CONTACT
    state.n_fresh[colour] = 0
    state.n_moves[colour] = np.int64(n) - colour * PLACEMENTS_MAX


@inlined
def seen(look: NDArray[np.uint8], shapes: Shapes, own: np.uint64, shape: np.uint64) -> int:
    """All that a colour sees in the cells of a piece whose corner is its cell ``own``."""
    cells = shapes.cells
    return (
        look[own + cells[shape, _0]]
        | look[own + cells[shape, _1]]
        | look[own + cells[shape, _2]]
        | look[own + cells[shape, _3]]
        | look[own + cells[shape, _4]]
    )


@kernel
def refresh(state: State, shapes: Shapes, growth: Growth, colour: int) -> int:
    """Bring a colour's list of moves up to date; how many it has."""
    grow_moves(state, growth, colour)
    moves, left, own = state.moves, np.uint64(state.left[colour]), np.uint64(colour * CELLS)
    first = np.uint64(colour * PLACEMENTS_MAX)
    n = first
    for number in range(first, first + np.uint64(state.n_moves[colour])):
        code = np.uint64(moves[number])
        shape = code >> _CODE_BITS
        if left >> shapes.piece[shape] & _1 == _0:
            continue
        if seen(state.look, shapes, own + (code & _CORNER), shape) < BARRED:
            moves[n] = code
            n += _1
    state.n_moves[colour] = np.int64(n - first)
    return state.n_moves[colour]


@kernel
def next_to_place(state: State, sheet: Sheet, shapes: Shapes, growth: Growth) -> int:
    """The colour whose turn it is, its list up to date; -1 when nobody places any more."""
    colours, seats = sheet.counts[0], sheet.counts[1]
    blocked = 0
    while blocked < colours:
        colour = state.turn[0]
        if state.done[colour]:
            blocked += 1
        elif refresh(state, shapes, growth, colour) == 0:
            state.done[colour] = 1
            blocked += 1
        elif sheet.owner[colour] < 0 and sheet.out[state.turn[1] % seats]:
            state.turn[1] += 1
            blocked = 0
        else:
            return colour
        state.turn[0] = (colour + 1) % colours
    return -1


@inlined
def mark_threats(state: State, sheet: Sheet, colour: int, on: bool) -> None:
    """Show a colour the newest contacts of its rivals, or hide them again."""
    for other in range(sheet.counts[0]):
        if sheet.rival[colour * COLOURS_MAX + other] == 0 or state.done[other]:
            continue
        first = other * RECENT_MAX
        for place in range(first, first + state.n_recent[other]):
            cell = state.recent[place]
            if on:
                if state.look[other * CELLS + cell] == CONTACT:
                    state.look[colour * CELLS + cell] += THREAT
            else:
                state.look[colour * CELLS + cell] &= np.uint8(BARRED | CONTACT)


@inlined
def threats_met(look: NDArray[np.uint8], shapes: Shapes, own: np.uint64, shape: np.uint64) -> int:
    """How many of the threats shown to a colour a piece covers."""
    met = 0
    for number in range(shapes.size[shape]):
        met += look[own + shapes.cells[shape, number]] & THREATS
    return met


@inlined
def draw(
    state: State,
    sheet: Sheet,
    shapes: Shapes,
    growth: Growth,
    sums: NDArray[np.int64],
    chance: NDArray[np.uint64],
    colour: int,
) -> int:
    """A move for a playout, -1 if there is none: of those that meet most threats, by weight."""
    grow_moves(state, growth, colour)
    mark_threats(state, sheet, colour, True)
    look, moves = state.look, state.moves
    left, own = np.uint64(state.left[colour]), np.uint64(colour * CELLS)
    first = np.uint64(colour * PLACEMENTS_MAX)
    n, start = first, first
    most, total = 0, 0
    for number in range(first, first + np.uint64(state.n_moves[colour])):
        code = np.uint64(moves[number])
        shape = code >> _CODE_BITS
        if left >> shapes.piece[shape] & _1 == _0:
            continue
        what = seen(look, shapes, own + (code & _CORNER), shape)
        if what >= BARRED:
            continue
        met = 0
        if what & THREATS:
            met = threats_met(look, shapes, own + (code & _CORNER), shape)
            if met > most:
                most, total, start = met, 0, n
        if met == most:
            total += sheet.weight[shape]
        moves[n] = code
        sums[n - first] = total
        n += _1
    state.n_moves[colour] = np.int64(n - first)
    mark_threats(state, sheet, colour, False)
    if n == first:
        return -1
    place = drawn(sums, np.int64(start - first), np.int64(n - first), below(chance, total))
    return np.int64(moves[first + np.uint64(place)])


@inlined
def drawn(sums: NDArray[np.int64], low: np.int64, high: np.int64, number: int) -> np.int64:
    """The first place from ``low`` to ``high`` whose running sum is greater than the number."""
    while high - low > 1:
        middle = (low + high) // 2
        if sums[middle - 1] > number:
            high = middle
        else:
            low = middle
    return low


@kernel
def play_out(
    state: State,
    sheet: Sheet,
    shapes: Shapes,
    growth: Growth,
    sums: NDArray[np.int64],
    chance: NDArray[np.uint64],
) -> int:
    """Play on to the end by weighted draws; how many pieces were placed."""
    colours, seats = sheet.counts[0], sheet.counts[1]
    blocked, placed = 0, 0
    while blocked < colours:
        colour = state.turn[0]
        blocked += 1
        if state.done[colour] == 0:
            if sheet.owner[colour] < 0 and sheet.out[state.turn[1] % seats]:
                state.turn[1] += 1
                blocked = 0
                if refresh(state, shapes, growth, colour) == 0:
                    state.done[colour] = 1
            else:
                code = draw(state, sheet, shapes, growth, sums, chance, colour)
                if code >= 0:
                    place(state, sheet, shapes, colour, code)
                    blocked = 0
                    placed += 1
                    continue
                state.done[colour] = 1
        state.turn[0] = (colour + 1) % colours
    return placed


@kernel
def add_points(state: State, sheet: Sheet, shapes: Shapes, points: NDArray[np.int64]) -> None:
    """The points of every seat as they stand (rule sheet, section 4)."""
    for seat in range(COLOURS_MAX):
        points[seat] = 0
    for colour in range(sheet.counts[0]):
        owner, left = sheet.owner[colour], state.left[colour]
        if owner < 0:
            continue
        if left == 0:
            points[owner] += 20 if state.last[colour] == 0 else 15
        for piece in range(shapes.squares.shape[0]):
            if left >> piece & 1:
                points[owner] -= shapes.squares[piece]
