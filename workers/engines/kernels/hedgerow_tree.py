"""Tree search for the placing of Hedgerow, compiled, on the game-blind tree.

A playout places the heaviest pieces that fit, each where it gains most at once among some that
are drawn, and harvests greedily: that is the care of the rule sheet (§12) and its advice (§14).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games.hedgerow.position import PLACEMENTS, STUCK_NET
from workers.engines.kernels import chance, tree
from workers.engines.kernels.chance import State
from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.hedgerow import (
    ALL,
    BOARD,
    LENGTH,
    PLACEMENTS_MAX,
    TURNS,
    VACANT,
    WALLED,
    Words,
    barred,
    change,
    heaviest,
    net,
    open_sides,
    place,
    region,
    worth,
)
from workers.engines.kernels.hedgerow_harvest import BEYOND, Work, greedy, new_work
from workers.engines.kernels.tree import ROOT, Tree

UNSEEN = 0.0
POINT = 16
"""Gains are weighed in sixteenths of a point."""
GLANCE = 20
"""About so many placements are weighed for one in a playout: more playouts see more."""
WASTE = 2 * POINT
"""Against a segment that can carry no edge any more, where edges are short (§10, A2)."""


class Match(NamedTuple):
    """What the game counts for: owner 0's points ahead by earlier games, and how far to see.

    ``is_lost`` says whether a stuck player has lost the match (§10, A5); ``width`` is the lead
    at which half of what is to win is won.
    """

    ahead: int
    is_lost: bool
    width: float
    weight: float


class Room(NamedTuple):
    """Room for a search; made anew for every question."""

    tree: Tree
    board: Words
    found: Words
    gains: Words
    path: Words
    rewards: NDArray[np.float64]
    work: Work


def new_room(rows: int) -> Room:
    """Room for so many nodes."""
    return Room(
        tree.new_tree(rows),
        np.zeros(LENGTH, np.int64),
        np.zeros(PLACEMENTS_MAX, np.int64),
        np.zeros(PLACEMENTS_MAX, np.int64),
        np.zeros(PLACEMENTS + 1, np.int64),
        np.zeros(2, np.float64),
        new_work(1 << 40, 10),
    )


@kernel
def weigh(board: Words, first: int, n: int, step: int, room: Room) -> None:
    """Write the mover's gains of the placements in ``room.found``, or of every so many-th."""
    owner = board[TURNS] % 2
    area, before = 0, 0
    for i in range(first, n, step):
        square, glyph = room.found[i] >> 4, room.found[i] & 15
        if not area >> square & 1:
            area = region(board, square)
            before = worth(board, area)
        gain = change(board, square, owner, glyph, area, before)
        room.gains[i] = POINT * (gain if owner == 0 else -gain)
        if board[WALLED]:
            room.gains[i] -= WASTE * wasted(board, square, glyph)


@kernel
def wasted(board: Words, square: int, glyph: int) -> int:
    """How many segments the placement leaves without an edge for good."""
    n = 0
    bars = barred(board, square) | glyph
    for side, step in ((1, 7), (2, 1), (4, -7), (8, -1)):
        if open_sides(board, square) & side & ~bars and board[BOARD + square + step] != VACANT:
            n += 1
    return n


@kernel
def play_out(board: Words, room: Room, luck: State) -> int:
    """Place quickly to the end; gives the owner who is stuck, or -1."""
    while board[TURNS] < PLACEMENTS:
        n = heaviest(board, room.found)
        if n == 0:
            return board[TURNS] % 2
        step = 1 + n // GLANCE
        first = int(np.int64(chance.below(luck, step)))
        weigh(board, first, n, step, room)
        best, best_gain = 0, -BEYOND
        for i in range(first, n, step):
            gain = room.gains[i] + np.int64(chance.below(luck, POINT))
            if gain > best_gain:
                best, best_gain = i, gain
        place(board, room.found[best])
    return -1


@kernel
def reward(match: Match, points: int) -> float:
    """What a game's net is worth to owner 0, 0 to 1."""
    total = match.ahead + points
    return 0.5 + 0.5 * total / (match.width + abs(total))


@kernel
def expand(board: Words, node: int, room: Room) -> None:
    """Add the heaviest placements to a leaf, if there are any and there is room."""
    n = heaviest(board, room.found)
    if not tree.has_room(room.tree, n):
        return
    weigh(board, 0, n, 1, room)
    most = -BEYOND
    for i in range(n):
        most = max(most, room.gains[i])
    total = 0.0
    for i in range(n):
        total += _likely(most - room.gains[i])
    for i in range(n):
        prior = _likely(most - room.gains[i]) / total
        tree.add_child(room.tree, node, board[TURNS] % 2, room.found[i], prior)


@kernel
def _likely(behind: int) -> float:
    """How likely a placement is good that gains so much less than another at once."""
    points = 1.0 + behind / POINT
    return 1.0 / (points * points)


@kernel
def is_inner(board: Words, node: int, room: Room) -> bool:
    """Whether a node has children; one that is met a second time gets them."""
    if room.tree.n_children[node] == 0 and room.tree.visits[node] and board[TURNS] < PLACEMENTS:
        expand(board, node, room)
    return room.tree.n_children[node] > 0


@kernel
def grow(start: Words, match: Match, playouts: int, room: Room, luck: State) -> int:
    """Search the tree from a position; the favourite is the placement to play."""
    board, nodes = room.board, room.tree
    expand(start, ROOT, room)
    for _ in range(playouts):
        for i in range(LENGTH):
            board[i] = start[i]
        node, length = ROOT, 1
        room.path[0] = ROOT
        while is_inner(board, node, room):
            node = tree.best_child(nodes, node, match.weight, UNSEEN)
            place(board, nodes.move[node])
            room.path[length] = node
            length += 1
        stuck = play_out(board, room, luck)
        if stuck < 0:
            room.rewards[0] = reward(match, net(board, -greedy(board, ALL, 1, room.work)))
        elif match.is_lost:
            room.rewards[0] = stuck
        else:
            room.rewards[0] = reward(match, STUCK_NET if stuck else -STUCK_NET)
        room.rewards[1] = 1.0 - room.rewards[0]
        tree.back_up(nodes, room.path, length, room.rewards)
    return nodes.move[tree.favourite(nodes)]
