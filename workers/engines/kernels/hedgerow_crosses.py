"""The last placements of Hedgerow, compiled: only Cross Zeros are left, and the harvest is near.

All Cross Zeros of an owner are alike, so what counts is who gets which of the empty squares: ten
squares end in 252 boards at most. Each is harvested by search, a turn deeper each time round
while the budget lasts, and the placements before are minimax over what the boards come to.
"""

from typing import NamedTuple

import numpy as np

from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.hedgerow import (
    ALL,
    LENGTH,
    SUPPLY,
    TURNS,
    Words,
    count,
    isolation,
    lay,
    lowest,
    occupied,
    running_score,
)
from workers.engines.kernels.hedgerow_harvest import BEYOND, TOP, Work, is_spent, value

SQUARES_MAX = 10


class Last(NamedTuple):
    """The boards that can come of it, by the set of owner 0's squares; points are owner 0's.

    Squares are numbered among the empty ones. ``placed`` is what a board scores, ``ends`` that
    and its harvest; ``known`` the value of every division so far, each square being owner 0's,
    owner 1's or empty: ``threes`` says in which place.
    """

    board: Words
    placed: Words
    ends: Words
    known: Words
    threes: Words


def new_last() -> Last:
    """Room for ten squares."""
    threes = [sum(3**i for i in range(SQUARES_MAX) if squares >> i & 1) for squares in range(1024)]
    return Last(
        np.zeros(LENGTH, np.int64),
        np.zeros(1 << SQUARES_MAX, np.int64),
        np.zeros(1 << SQUARES_MAX, np.int64),
        np.zeros(3**SQUARES_MAX, np.int64),
        np.array(threes, np.int64),
    )


@kernel
def are_last(board: Words) -> bool:
    """Whether nobody will place anything but Cross Zeros (§4, rule 6)."""
    others = 0
    for kind in range(1, 5):
        others += board[SUPPLY + kind] + board[SUPPLY + 5 + kind]
    return board[TURNS] > 0 and others == 1 and board[SUPPLY] + board[SUPPLY + 5] > 0


@kernel
def divide(start: Words, last: Last, work: Work, worth: Words) -> int:
    """What each empty square is worth to owner 0 if the mover takes it; how deep harvests went.

    The first look, at greedy harvests, is always finished.
    """
    n = count(occupied(start) ^ ALL)
    most, reached = work.spent[1], -1
    for depth in range(TOP + 1):
        work.spent[1] = most if depth else 1 << 40
        if not _harvest_all(start, last, work, depth):
            break
        reached = depth
        _settle(start, last)
        for i in range(n):
            worth[i] = last.known[last.threes[1 << i] * (1 + start[TURNS] % 2)]
    work.spent[1] = most
    return reached


@kernel
def _harvest_all(start: Words, last: Last, work: Work, depth: int) -> bool:
    """Search the harvest of every board so deep, unless the budget ends."""
    n = count(occupied(start) ^ ALL)
    for firsts in range(1 << n):
        if count(firsts) != start[SUPPLY]:
            continue
        for i in range(LENGTH):
            last.board[i] = start[i]
        free = occupied(start) ^ ALL
        for i in range(n):
            lay(last.board, lowest(free), 0 if firsts >> i & 1 else 1, 0)
            free &= free - 1
        if depth == 0:
            last.placed[firsts] = running_score(last.board) + isolation(last.board)
        work.spent[2] = firsts
        harvest = value(last.board, ALL, 1, depth, -BEYOND, BEYOND, work)
        if is_spent(work):
            return False
        last.ends[firsts] = last.placed[firsts] - harvest
    return True


@kernel
def _settle(start: Words, last: Last) -> None:
    """Work out the value of every division, those with more squares filled first."""
    n = count(occupied(start) ^ ALL)
    for firsts in range((1 << n) - 1, -1, -1):
        others = (1 << n) - 1 ^ firsts
        seconds = others
        while seconds >= 0:
            filled = count(firsts) + count(seconds)
            if count(firsts) == (filled + 1 - start[TURNS] % 2) // 2:
                row = last.threes[firsts] + 2 * last.threes[seconds]
                last.known[row] = _best(start, last, firsts, seconds, others ^ seconds, filled)
            seconds = (seconds - 1) & others if seconds else -1


@kernel
def _best(start: Words, last: Last, firsts: int, seconds: int, free: int, filled: int) -> int:
    """The value of a division to whose turn it is, from owner 0's side."""
    if not free:
        return last.ends[firsts]
    is_second = (start[TURNS] + filled) % 2
    best = BEYOND if is_second else -BEYOND
    row = last.threes[firsts] + 2 * last.threes[seconds]
    while free:
        square = free & -free
        free ^= square
        points = last.known[row + last.threes[square] * (1 + is_second)]
        best = min(best, points) if is_second else max(best, points)
    return best
