"""The harvest of Hedgerow, compiled (rule sheet §7): paths, and what they come to turns ahead.

What stands on the board says whose turn it is and which turn, so it is the whole key of a
position: each turn takes one Cross Zero, and owner 1 begins. Values are those of the mover.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games.hedgerow.pieces import TRIANGLES
from services.games.hedgerow.position import HARVESTS
from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.hedgerow import (
    BOARD,
    CROSSES,
    PIECES,
    Words,
    count,
    isolation,
    lowest,
)

PATHS_MAX = 2_000
"""So many paths of a turn are looked at; the most seen in play is 543 (§12)."""
STEPS_MAX = 20_000
"""So many steps are tried for them; after that only lone Cross Zeros are."""
STEPS_A_WALK = 512
"""More than a turn takes in play; one that takes more counts as several."""
TOP = HARVESTS
"""The depth of the turn in question: no further turn has so many to come."""
BEYOND = 10_000
"""More than any score."""

_TRIANGLES = np.array(TRIANGLES, np.int64)
_EXACT, _LEAST, _MOST = 0, 1, 2
_STANDING, _LOW, _HIGH, _BEST, _REPLY, _N, _NEXT, _KEY, _ROW, _FRAME = range(10)

# The eight directions, by twos: with a step between squares, so that straight on and on is
# upwards or downwards in the canonical order. A piece looks along some of them.
_SOUTH, _WEST, _EAST, _NORTH, _SOUTHWEST, _SOUTHEAST, _NORTHWEST, _NORTHEAST = range(8)
_STEP = np.array((-7, -1, 1, 7, -8, -6, 6, 8), np.int64)
_BY_DIRECTION = ((0, -1), (-1, 0), (1, 0), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1))


def _reach(square: int, right: int, up: int) -> int:
    """How many squares lie in a direction."""
    column, row = square % 7 + right, square // 7 + up
    if not (0 <= column < 7 and 0 <= row < 7):
        return 0
    return 1 + _reach(row * 7 + column, right, up)


_REACH = np.array([[_reach(s, *way) for s in range(49)] for way in _BY_DIRECTION], np.int64)
_DIAGONAL = np.zeros(15, np.int64)
for _glyph, _way in ((3, _NORTHEAST), (6, _SOUTHEAST), (12, _SOUTHWEST), (9, _NORTHWEST)):
    _DIAGONAL[_glyph] = _way


class Work(NamedTuple):
    """Room for a search, and what it has found out; made anew for every question.

    ``paths`` holds a turn's paths by depth: their squares and their score; ``trails`` those of
    the turn in question square by square. ``trail`` is the path that is walked, ``ways`` the next
    squares from each of its squares, with their number and that of the next to try; ``sums`` its
    points so far and whether an opposing piece is in it. ``spent`` counts turns whose paths were
    walked, up to ``spent[1]``; ``spent[2]`` numbers the full boards that are searched with one
    table. ``keys``, ``known`` and ``replies`` are the table of positions; ``frames`` the turns
    between the one in question and the one that is being looked at.
    """

    paths: NDArray[np.int64]
    trails: NDArray[np.int8]
    trail: NDArray[np.int64]
    ways: NDArray[np.int64]
    sums: NDArray[np.int64]
    spent: NDArray[np.int64]
    keys: NDArray[np.int64]
    known: NDArray[np.int64]
    replies: NDArray[np.int64]
    frames: NDArray[np.int64]


def new_work(budget: int, bits: int) -> Work:
    """Room for a search of so many turns walked, with a table of 2**bits positions."""
    return Work(
        paths=np.zeros((TOP + 1, PATHS_MAX, 2), np.int64),
        trails=np.zeros((PATHS_MAX, 50), np.int8),
        trail=np.zeros(49, np.int64),
        ways=np.zeros((49, 5), np.int64),
        sums=np.zeros((50, 2), np.int64),
        spent=np.array([0, budget, 0], np.int64),
        keys=np.zeros(1 << bits, np.int64),
        known=np.zeros(1 << bits, np.int64),
        replies=np.zeros(1 << bits, np.int64),
        frames=np.zeros((TOP + 1, _FRAME), np.int64),
    )


# Paths


@kernel
def next_squares(board: Words, standing: int, square: int, found: Words) -> int:
    """Write where the piece on a square can go, lowest first (rule 4), and say how many."""
    glyph = board[BOARD + square] & 15
    n = 0
    if _DIAGONAL[glyph]:
        way = _DIAGONAL[glyph]
        beyond = square
        for _ in range(_REACH[way, square]):
            beyond += _STEP[way]
            if standing >> beyond & 1:
                found[n] = beyond
                n += 1
                if n == 2:
                    break
        if n == 2 and found[0] > found[1]:
            found[0], found[1] = found[1], found[0]
        return n
    for way in range(4):
        if glyph >> (2, 3, 1, 0)[way] & 1:
            beyond = square
            for _ in range(_REACH[way, square]):
                beyond += _STEP[way]
                if standing >> beyond & 1:
                    found[n] = beyond
                    n += 1
                    break
    return n


@kernel
def paths(board: Words, standing: int, owner: int, work: Work, depth: int) -> int:
    """Write an owner's legal paths in the canonical order, and say how many.

    Each is written to ``work.paths[depth]`` and, if that is ``TOP``, square by square to
    ``work.trails``, with -1 behind the last.
    """
    found, ways, sums = work.paths[depth], work.ways, work.sums
    own_crosses = board[CROSSES + owner] & standing
    dead_ends = board[CROSSES + 1 - owner]
    starts = (board[PIECES + owner] | own_crosses) & standing
    n, steps = 0, 0
    while starts and n < PATHS_MAX:
        start = lowest(starts)
        starts &= starts - 1
        if own_crosses >> start & 1:
            found[n, 0], found[n, 1] = 1 << start, -isolation(board)
            if depth == TOP:
                work.trails[n, 0], work.trails[n, 1] = start, -1
            n += 1
            continue
        place, gone = 0, 1 << start
        work.trail[0] = start
        sums[0, 0], sums[0, 1] = _TRIANGLES[board[BOARD + start] & 15], 0
        ways[0, 3], ways[0, 4] = next_squares(board, standing & ~gone, start, ways[0]), 0
        while place >= 0:
            if ways[place, 4] == ways[place, 3] or steps >= STEPS_MAX or n == PATHS_MAX:
                gone ^= 1 << work.trail[place]
                place -= 1
                continue
            square = ways[place, ways[place, 4]]
            ways[place, 4] += 1
            steps += 1
            if own_crosses >> square & 1:
                found[n, 0] = gone | 1 << square
                found[n, 1] = sums[place, 0] if sums[place, 1] else 0
                if depth == TOP:
                    for i in range(place + 1):
                        work.trails[n, i] = work.trail[i]
                    work.trails[n, place + 1], work.trails[n, place + 2] = square, -1
                n += 1
            elif not dead_ends >> square & 1:
                place += 1
                _step(board, owner, work, place, square)
                gone |= 1 << square
                ways[place, 3] = next_squares(board, standing & ~gone, square, ways[place])
                ways[place, 4] = 0
    work.spent[0] += 1 + steps // STEPS_A_WALK
    return n


@kernel
def _step(board: Words, owner: int, work: Work, place: int, square: int) -> None:
    """Note a further square of the path with the points it brings."""
    triangles = _TRIANGLES[board[BOARD + square] & 15]
    is_own = board[PIECES + owner] >> square & 1
    work.trail[place] = square
    work.sums[place, 0] = work.sums[place - 1, 0] + (triangles if is_own else -triangles)
    work.sums[place, 1] = work.sums[place - 1, 1] | (0 if is_own else 1)


# Values


@kernel
def left(board: Words, standing: int) -> int:
    """How many turns are still to come."""
    return count((board[CROSSES] | board[CROSSES + 1]) & standing)


@kernel
def is_spent(work: Work) -> bool:
    """Whether the budget is used up: what the search says then means nothing."""
    return work.spent[0] >= work.spent[1]


@kernel
def greedy(board: Words, standing: int, owner: int, work: Work) -> int:
    """What is to come for the mover if everybody harvests the most points of the moment."""
    points, sign = 0, 1
    for _ in range(left(board, standing)):
        found, best = work.paths[0], 0
        for i in range(1, paths(board, standing, owner, work, 0)):
            if found[i, 1] > found[best, 1]:
                best = i
        points += sign * found[best, 1]
        standing &= ~found[best, 0]
        owner, sign = 1 - owner, -sign
    return points


@kernel
def value(
    board: Words, standing: int, owner: int, depth: int, low: int, high: int, work: Work
) -> int:
    """What is to come for the mover, exact between ``low`` and ``high``.

    Every path of so many turns is looked at; from there on harvests are greedy. Nothing calls
    itself here: a turn that is being looked at is a row of ``frames``.
    """
    frames, level = work.frames, 0
    frames[0, _STANDING], frames[0, _LOW], frames[0, _HIGH] = standing, low, high
    while True:
        frame = frames[level]
        answer = _at_once(board, (owner + level) % 2, depth - level, frame, work)
        if answer == BEYOND:
            _open(board, (owner + level) % 2, depth - level, frame, work)
        while answer != BEYOND or frame[_NEXT] == frame[_N] or frame[_BEST] >= frame[_HIGH]:
            if answer == BEYOND:
                answer = _closed(depth - level, frame, work)
            if level == 0:
                return answer
            level -= 1
            frame = frames[level]
            path = work.paths[depth - level, frame[_NEXT] - 1]
            if path[1] - answer > frame[_BEST]:
                frame[_BEST], frame[_REPLY] = path[1] - answer, path[0]
            answer = BEYOND
        found, after = work.paths[depth - level], frames[level + 1]
        _bring_forward(found, frame[_NEXT], frame[_N], frame[_REPLY] if frame[_NEXT] == 0 else 0)
        squares, points = found[frame[_NEXT], 0], found[frame[_NEXT], 1]
        frame[_NEXT] += 1
        after[_STANDING], after[_LOW] = frame[_STANDING] & ~squares, points - frame[_HIGH]
        after[_HIGH] = points - max(frame[_LOW], frame[_BEST])
        level += 1


@kernel
def _at_once(board: Words, owner: int, depth: int, frame: Words, work: Work) -> int:
    """The value of a turn that need not be looked at path by path, ``BEYOND`` of any other."""
    standing = frame[_STANDING]
    if left(board, standing) == 0:
        return 0
    frame[_KEY] = standing | work.spent[2] << 49
    row = (frame[_KEY] * 0x1E3779B97F4A7C15 >> 40) & (work.keys.shape[0] - 1)
    frame[_ROW], frame[_REPLY] = row, 0
    if work.keys[row] == frame[_KEY]:
        frame[_REPLY] = work.replies[row]
        kind, known = work.known[row] >> 16 & 3, (work.known[row] & 0xFFFF) - BEYOND
        if work.known[row] >> 18 >= depth and (
            kind == _EXACT or (known >= frame[_HIGH] if kind == _LEAST else known <= frame[_LOW])
        ):
            return known
    if is_spent(work):
        return 0
    if depth > 0:
        return BEYOND
    points = greedy(board, standing, owner, work)
    _note(row, frame[_KEY], 0, points, _EXACT, 0, work)
    return points


@kernel
def _open(board: Words, owner: int, depth: int, frame: Words, work: Work) -> None:
    """Begin to look at a turn path by path."""
    frame[_N], frame[_NEXT] = paths(board, frame[_STANDING], owner, work, depth), 0
    frame[_BEST] = -BEYOND


@kernel
def _closed(depth: int, frame: Words, work: Work) -> int:
    """The value of a turn when enough of its paths are looked at; the table learns it."""
    best = frame[_BEST]
    if not is_spent(work):
        kind = _LEAST if best >= frame[_HIGH] else _EXACT if best > frame[_LOW] else _MOST
        _note(frame[_ROW], frame[_KEY], frame[_REPLY], best, kind, depth, work)
    return best


@kernel
def _note(row: int, key: int, reply: int, points: int, kind: int, depth: int, work: Work) -> None:
    """Write to the table of positions; whatever was there before is forgotten."""
    work.keys[row], work.replies[row] = key, reply
    work.known[row] = points + BEYOND | kind << 16 | depth << 18


@kernel
def _bring_forward(found: NDArray[np.int64], place: int, n: int, first: int) -> None:
    """Swap the path to look at next there: ``first`` if it is among them, or the highest score."""
    best = place
    for i in range(place, n):
        if found[i, 0] == first:
            best = i
            break
        if found[i, 1] > found[best, 1]:
            best = i
    for column in range(2):
        found[place, column], found[best, column] = found[best, column], found[place, column]


@kernel
def values(board: Words, standing: int, owner: int, work: Work, worth: Words) -> int:
    """What each path comes to, in canonical order, looked at as deep as the budget allows.

    The best and its equals are exact at that depth, others are only known to be worse. Gives
    the number of paths.
    """
    n = paths(board, standing, owner, work, TOP)
    for i in range(n):
        worth[i] = work.paths[TOP, i, 1]
    # There is nothing to think about with a single path.
    for depth in range(1, left(board, standing) + 1 if n > 1 else 1):
        if not _deeper(board, standing, owner, depth, n, work, worth):
            break
    return n


@kernel
def _deeper(
    board: Words, standing: int, owner: int, depth: int, n: int, work: Work, worth: Words
) -> bool:
    """Look so deep, at the best of the last look first; unless the budget ends."""
    found, looked_at = work.paths[TOP], np.full(n, BEYOND, np.int64)
    best = -BEYOND
    for _ in range(n):
        i = -1
        for j in range(n):
            if looked_at[j] == BEYOND and (i < 0 or worth[j] > worth[i]):
                i = j
        squares, points = found[i, 0], found[i, 1]
        high = points - (best - 1)
        points -= value(board, standing & ~squares, 1 - owner, depth - 1, -BEYOND, high, work)
        if is_spent(work):
            return False
        looked_at[i] = points
        best = max(best, points)
    for i in range(n):
        worth[i] = looked_at[i]
    return True
