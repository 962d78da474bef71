"""The end of a round of two in Triangles, searched to its last tile.

Once the market is empty, all tiles that a seat does not see lie in the other hand: nothing is
hidden any more and nothing is left to chance, so that alpha-beta finds the best line there is.
The line that is looked at is kept in arrays, one row a placement: a compiled function that calls
itself is not to be had everywhere.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels import triangles as rules
from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.triangles import (
    END,
    MOVES_MAX,
    OUTSIDE,
    RUNNING,
    SEAT,
    SEATS_MAX,
    Round,
    Tables,
)
from workers.engines.kernels.triangles_search import Stakes, rewards_of, sort

TILES_MAX = 24
"""With more tiles in both hands than this nothing is searched: it would not come to an end."""
_SHIFT = 1 << 21
"""More than any move's number."""


class Line(NamedTuple):
    """The placements from the root to where the search is, by depth.

    The ``moves`` there, how ``many`` there are and how many were ``looked`` at; the ``best``
    worth found so far, and the worths ``alpha`` and ``beta`` between which it has to lie to
    matter. The rest is the round as it was, but for the table.
    """

    moves: NDArray[np.int64]
    many: NDArray[np.int64]
    looked: NDArray[np.int64]
    best: NDArray[np.float64]
    alpha: NDArray[np.float64]
    beta: NDArray[np.float64]
    hands: NDArray[np.uint64]
    points: NDArray[np.int64]
    n: NDArray[np.int64]


@kernel
def ranked(t: Tables, r: Round, listed: NDArray[np.int64]) -> int:
    """Lists the moves, most points first, of equals in canonical order; how many."""
    count = rules.moves(t, r, listed)
    for place in range(count):
        move = listed[place]
        points = rules.earned(t, r, t.tile[move // OUTSIDE], move % OUTSIDE)
        listed[place] = (200 - points) * _SHIFT + move
    sort(listed, count)
    for place in range(count):
        listed[place] %= _SHIFT
    return count


@kernel
def enter(t: Tables, r: Round, line: Line, depth: int, mine: int) -> None:
    """Begin to look at the round as it stands now."""
    line.many[depth], line.looked[depth] = ranked(t, r, line.moves[depth]), 0
    line.hands[depth, :], line.points[depth, :], line.n[depth, :] = r.hands, r.points, r.n
    line.best[depth] = -1.0 if r.n[SEAT] == mine else 2.0
    line.alpha[depth] = line.alpha[depth - 1] if depth else -1.0
    line.beta[depth] = line.beta[depth - 1] if depth else 2.0


@kernel
def leave(t: Tables, r: Round, line: Line, depth: int) -> None:
    """Take the last placement back: the round as it was at this depth."""
    rules.take_back(t, r)
    r.hands[:], r.points[:] = line.hands[depth], line.points[depth]
    r.n[:] = line.n[depth]


@kernel
def learn(line: Line, depth: int, mine: int, value: float) -> bool:
    """What the move last looked at is worth; whether it is the best so far."""
    if line.n[depth, SEAT] == mine:
        better = value > line.best[depth]
        line.alpha[depth] = max(line.alpha[depth], value)
    else:
        better = value < line.best[depth]
        line.beta[depth] = min(line.beta[depth], value)
    if better:
        line.best[depth] = value
    return better


@kernel
def best_move(t: Tables, r: Round, s: Stakes, positions: int) -> tuple[int, int]:
    """The best move and how many positions it took; -1 if they were more than ``positions``."""
    depths = TILES_MAX + 1
    line = Line(
        np.zeros((depths, MOVES_MAX), np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths, np.int64),
        np.zeros(depths),
        np.zeros(depths),
        np.zeros(depths),
        np.zeros((depths, len(r.hands)), np.uint64),
        np.zeros((depths, len(r.points)), np.int64),
        np.zeros((depths, len(r.n)), np.int64),
    )
    rewards, mine, depth, found, entered = np.zeros(SEATS_MAX), r.n[SEAT], 0, -1, 1
    enter(t, r, line, 0, mine)
    while True:
        if line.looked[depth] == line.many[depth] or line.alpha[depth] >= line.beta[depth]:
            if depth == 0:
                return found, entered
            value = line.best[depth]
            depth -= 1
        else:
            move = line.moves[depth, line.looked[depth]]
            line.looked[depth] += 1
            rules.play(t, r, t.tile[move // OUTSIDE], move % OUTSIDE)
            if r.n[END] == RUNNING:
                if entered == positions:
                    break
                entered, depth = entered + 1, depth + 1
                enter(t, r, line, depth, mine)
                continue
            rewards_of(s, r, rewards)
            value = rewards[mine]
        leave(t, r, line, depth)
        if learn(line, depth, mine, value) and depth == 0:
            found = line.moves[0, line.looked[0] - 1]
    for back in range(depth, -1, -1):
        leave(t, r, line, back)
    return -1, entered
