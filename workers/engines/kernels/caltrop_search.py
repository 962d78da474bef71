"""Caltrop searched, compiled: alpha-beta over whole turns with a table of positions (§9).

The table and the order of moves change the work and never a value: with as many placements ahead
as there are empty squares it is the exact one. Work is counted in placements, so that a search
with a budget is the same on every machine. Nothing calls itself here: what a call would keep is
a row of ``frames``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games.caltrop.board import SQUARES
from services.games.caltrop.position import Game
from workers.engines.kernels.caltrop import (
    KEY,
    MOVES,
    WORDS,
    Rows,
    Stones,
    list_moves,
    place_on,
    row_of,
    stones_of,
    twins_of,
    value_for,
)
from workers.engines.kernels.compiling import kernel

BEYOND = 1 << 20
"""More than any value."""
NO_MOVE = -1
ROOT = 0
"""The row of the position that is searched."""
LIKELY = 300
"""What a move that refuted a neighbour is worth in the order of moves: a third of a point."""

PLACED, ALLOWED, FIRST = range(3)
LOW, HIGH, BEST, BEST_MOVE, LISTED, LEFT, TRIED = range(7)
_LOG_ENTRIES = 20
_TO_ENTRY = np.uint64(64 - _LOG_ENTRIES)
_MIX, _32 = np.uint64(0x9E37_79B9_7F4A_7C15), np.uint64(32)
_AT_LEAST, _AT_MOST = 1, 2
"""What a value in the table says; both bits: it is exact."""


class Search(NamedTuple):
    """The arrays of a search; a position has the number of its ``depth``, placements to go.

    ``rows`` holds the root in row 0, and what comes of each move of a position in the ``MOVES``
    rows from ``depth * MOVES`` on. By depth there are ``moves``, ``hopes`` (what each seems
    worth), ``refuting`` (the last move that was too good) and ``frames``: between what bounds a
    value is asked for, the best so far and its move, how many moves are listed, how many are
    left to try, which is being tried. ``opened`` keeps the keys. ``tally`` holds the placements
    done, those allowed, and who placed first; ``keys`` and ``known`` are the table.
    """

    rows: Rows
    stones: Stones
    twins: NDArray[np.int64]
    tally: NDArray[np.int64]
    moves: NDArray[np.int64]
    hopes: NDArray[np.int64]
    refuting: NDArray[np.int64]
    frames: NDArray[np.int64]
    opened: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    known: NDArray[np.int64]


def new_search(game: Game, allowed: int) -> Search:
    """A search of a game's position that may do so many placements."""
    rows = np.zeros(((SQUARES + 1) * MOVES, WORDS), np.uint64)
    rows[ROOT] = row_of(game)[0]
    return Search(
        rows=rows,
        stones=stones_of(game.decks),
        twins=twins_of(game.decks),
        tally=np.array([0, allowed, game.first], np.int64),
        moves=np.zeros((SQUARES + 1, MOVES), np.int64),
        hopes=np.zeros((SQUARES + 1, MOVES), np.int64),
        refuting=np.full(SQUARES + 1, NO_MOVE, np.int64),
        frames=np.zeros((SQUARES + 1, TRIED + 1), np.int64),
        opened=np.zeros(SQUARES + 1, np.uint64),
        keys=np.zeros(1 << _LOG_ENTRIES, np.uint64),
        known=np.zeros(1 << _LOG_ENTRIES, np.int64),
    )


@kernel
def value(search: Search, at: int, depth: int, mover: int, low: int, high: int) -> int:
    """The mover's value of the position in row ``at``, so many placements ahead (at least 1).

    It is exact between ``low`` and ``high`` and a bound outside; the move is in ``frames``. When
    more placements were done than allowed it means nothing.
    """
    tally, frames = search.tally, search.frames
    here = depth
    done = _enter(search, at, here, mover, low, high)
    while not (done and here == depth) and tally[PLACED] <= tally[ALLOWED]:
        if done:
            here += 1
            done = _take(search, here, -frames[here - 1, BEST])
        else:
            at = here * MOVES + _most_hopeful(search.hopes, frames, here)
            bar, bound = max(frames[here, LOW], frames[here, BEST]), frames[here, HIGH]
            here -= 1
            done = _enter(search, at, here, mover ^ (depth - here & 1), -bound, -bar)
    return frames[depth, BEST]


@kernel
def _enter(search: Search, at: int, depth: int, mover: int, low: int, high: int) -> bool:
    """Begin with the position in a row; whether its value is found at once."""
    frames = search.frames
    frames[depth, LOW], frames[depth, HIGH], frames[depth, BEST] = low, high, -BEYOND
    if depth == 1:
        _place_last(search, at, mover)
        return True
    key = _key(search.rows, at)
    search.opened[depth] = key
    known = _known(search, key)
    frames[depth, BEST_MOVE] = _move(known)
    floor, ceiling = _floor(known, depth), _ceiling(known, depth)
    if floor >= high or ceiling <= low or floor == ceiling:
        frames[depth, BEST] = floor if floor > -BEYOND else ceiling
        return True
    n = list_moves(search.rows, at, search.twins, mover, search.moves, depth)
    frames[depth, LISTED], frames[depth, LEFT] = n, n
    search.tally[PLACED] += n
    for i in range(n):
        move, to = search.moves[depth, i], depth * MOVES + i
        place_on(search.rows, at, to, search.stones, mover, move)
        hope = value_for(search.rows, to, mover, search.tally[FIRST])
        if move == _move(known):
            hope += BEYOND
        elif move == search.refuting[depth]:
            hope += LIKELY
        search.hopes[depth, i] = hope
    return False


@kernel
def _most_hopeful(hopes: NDArray[np.int64], frames: NDArray[np.int64], depth: int) -> int:
    """The place of the move to try next: it seems best, of equals the first in the list."""
    best = 0
    for i in range(1, frames[depth, LISTED]):
        if hopes[depth, i] > hopes[depth, best]:
            best = i
    hopes[depth, best] = -2 * BEYOND
    frames[depth, TRIED] = best
    frames[depth, LEFT] -= 1
    return best


@kernel
def _take(search: Search, depth: int, found: int) -> bool:
    """Take in the value of the move that was tried; whether no other needs to be."""
    frames = search.frames
    if found > frames[depth, BEST]:
        move = search.moves[depth, frames[depth, TRIED]]
        frames[depth, BEST], frames[depth, BEST_MOVE] = found, move
        if found >= frames[depth, HIGH]:
            search.refuting[depth] = move
            frames[depth, LEFT] = 0
    if frames[depth, LEFT]:
        return False
    _remember(search, depth)
    return True


@kernel
def _place_last(search: Search, at: int, mover: int) -> None:
    """The best value after one placement, or the first that is too good."""
    rows, stones, moves, tally = search.rows, search.stones, search.moves, search.tally
    frames, refuting = search.frames, search.refuting
    n = list_moves(rows, at, search.twins, mover, moves, 1)
    for likely in range(n):
        if moves[1, likely] == refuting[1]:
            moves[1, likely], moves[1, 0] = moves[1, 0], refuting[1]
    for i in range(n):
        place_on(rows, at, MOVES, stones, mover, moves[1, i])
        tally[PLACED] += 1
        found = value_for(rows, MOVES, mover, tally[FIRST])
        if found > frames[1, BEST]:
            frames[1, BEST], frames[1, BEST_MOVE] = found, moves[1, i]
            if found >= frames[1, HIGH]:
                refuting[1] = moves[1, i]
                return


# The table: what is known of a position is its best move + 1, the depth, the sort of its value,
# and the value + 2**18; 0 is nothing.


@kernel
def _key(rows: Rows, at: int) -> np.uint64:
    """64 bits that tell positions apart: stones, marks and hands."""
    key = _MIX
    for word in range(KEY):
        key = (key ^ rows[at, word]) * _MIX
        key ^= key >> _32
    return key


@kernel
def _remember(search: Search, depth: int) -> None:
    """Keep what was found of a position; the last one with the same entry stays."""
    frames, key = search.frames, search.opened[depth]
    best, sort = frames[depth, BEST], 0
    if best > frames[depth, LOW]:
        sort |= _AT_LEAST
    if best < frames[depth, HIGH]:
        sort |= _AT_MOST
    entry = np.int64(key >> _TO_ENTRY)
    search.keys[entry] = key
    known = frames[depth, BEST_MOVE] + 1 << 26 | depth << 21 | sort << 19
    search.known[entry] = known | best + (1 << 18)


@kernel
def _known(search: Search, key: np.uint64) -> int:
    """What the table holds of a position."""
    entry = np.int64(key >> _TO_ENTRY)
    return search.known[entry] if search.keys[entry] == key else 0


@kernel
def _move(known: int) -> int:
    """The best move of a position as far as is known."""
    return (known >> 26) - 1


@kernel
def _floor(known: int, depth: int) -> int:
    """What a position is worth at least at this depth."""
    if known >> 21 & 31 == depth and known >> 19 & _AT_LEAST:
        return (known & (1 << 19) - 1) - (1 << 18)
    return -BEYOND


@kernel
def _ceiling(known: int, depth: int) -> int:
    """What a position is worth at most at this depth."""
    if known >> 21 & 31 == depth and known >> 19 & _AT_MOST:
        return (known & (1 << 19) - 1) - (1 << 18)
    return BEYOND
