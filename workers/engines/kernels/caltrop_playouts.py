"""Caltrop before its end, compiled: Monte-Carlo tree search over whole turns.

A leaf is tried by one playout to the end in which each stone is the better one of two drawn
placements. The prior of a move falls with what it is worth less than the best one after a single
placement. Work is counted in placements, as in ``caltrop_search``.
"""

import numpy as np

from services.games.caltrop.board import SQUARES
from workers.engines.kernels.caltrop import copy, list_moves, place, place_on, value_for
from workers.engines.kernels.caltrop_search import ALLOWED, BEYOND, FIRST, PLACED, Search
from workers.engines.kernels.chance import State, below
from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.tree import ROOT, Tree, add_child, back_up, best_child, has_room

WEIGHT, UNSEEN = 2.0, 0.1
"""How much the prior counts in the walk down, and what an unseen move is taken to be worth less."""
SLOPE = 600.0
"""So much less worth (§9: a point is 1,024) makes a move's prior a quarter."""
TRIALS = 4
"""A leaf gets children when it was tried so often."""
DRAWN = 2
"""Of so many drawn placements the best is played in a playout."""
_WALK, _TRIED, _KEPT = 1, 2, 3
"""The rows of the position walked to, of a placement that is tried, and of the best one yet."""


@kernel
def grow(tree: Tree, search: Search, mover: int, empty: int, luck: State) -> int:
    """Grow the tree of the search's position until its placements are done; how many playouts.

    ``mover`` is to move there, with so many empty squares. One playout there is in any case.
    """
    rows, stones, tally = search.rows, search.stones, search.tally
    path, rewards = np.zeros(SQUARES + 1, np.int64), np.zeros(2, np.float64)
    playouts = 0
    while playouts == 0 or tally[PLACED] < tally[ALLOWED]:
        copy(rows, 0, _WALK)
        node, length, to_move, left = ROOT, 1, mover, empty
        while left and (tree.n_children[node] or _expand(tree, search, node, to_move)):
            node = best_child(tree, node, WEIGHT, UNSEEN)
            path[length] = node
            place(rows, _WALK, stones, to_move, tree.move[node])
            tally[PLACED] += 1
            length, to_move, left = length + 1, 1 - to_move, left - 1
            if tree.visits[node] < TRIALS:
                break
        rewards[0] = 1.0 if _played_out(search, to_move, left, luck) > 0 else 0.0
        rewards[1] = 1.0 - rewards[0]
        back_up(tree, path, length, rewards)
        playouts += 1
    return playouts


@kernel
def _expand(tree: Tree, search: Search, node: int, mover: int) -> bool:
    """Give a leaf its children, if there is room for them."""
    rows, hopes, moves, tally = search.rows, search.hopes, search.moves, search.tally
    n = list_moves(rows, _WALK, search.twins, mover, moves, 0)
    if not has_room(tree, n):
        return False
    tally[PLACED] += n
    best = -BEYOND
    for i in range(n):
        place_on(rows, _WALK, _TRIED, search.stones, mover, moves[0, i])
        hopes[0, i] = value_for(rows, _TRIED, mover, tally[FIRST])
        best = max(best, hopes[0, i])
    total = 0.0
    for i in range(n):
        total += _likelihood(best - hopes[0, i])
    for i in range(n):
        add_child(tree, node, mover, moves[0, i], _likelihood(best - hopes[0, i]) / total)
    return True


@kernel
def _likelihood(short: int) -> float:
    """How likely a move is that is worth so much less than the best."""
    steps = 1.0 + short / SLOPE
    return 1.0 / (steps * steps)


@kernel
def _played_out(search: Search, mover: int, empty: int, luck: State) -> int:
    """Blue's value of the position walked to when its game has been played to the end."""
    rows, stones, moves, tally = search.rows, search.stones, search.moves, search.tally
    while empty:
        n, best = list_moves(rows, _WALK, search.twins, mover, moves, 0), -BEYOND
        for _ in range(DRAWN):
            place_on(rows, _WALK, _TRIED, stones, mover, moves[0, below(luck, n)])
            hope = value_for(rows, _TRIED, mover, tally[FIRST])
            if hope > best:
                best = hope
                copy(rows, _TRIED, _KEPT)
        copy(rows, _KEPT, _WALK)
        tally[PLACED] += DRAWN
        mover, empty = 1 - mover, empty - 1
    return value_for(rows, _WALK, 0, tally[FIRST])
