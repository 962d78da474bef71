"""Monte-Carlo tree search, the half that is blind to games.

A tree is a handful of arrays; a node is a row. A game's kernel walks down with ``best_child``,
adds the moves of a leaf with ``add_child``, plays on, and hands the rewards of all seats to
``back_up``. A node's value is that of **the seat that moved into it**, so that two to four seats
and several moves in a row need no special case.

Selection is PUCT (Rosin, "Multi-armed bandits with episode context", 2011, in the form of Silver
et al., 2017): value + weight x prior x sqrt(visits of the parent) / (1 + own visits). A child
nobody visited is taken to be as good as its parent has proved to be, less ``unseen``.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels.compiling import kernel

ROOT = 0
NO_SEAT = -1


class Tree(NamedTuple):
    """The arrays of a tree, one row a node; ``used[0]`` rows are in use, row 0 is the root.

    ``total`` sums rewards (each 0 to 1) of the seat in ``seat``. A node's children lie side by
    side, ``n_children`` from row ``first_child`` on; a leaf has none. ``move`` is the game's own
    number of the move that leads here.
    """

    used: NDArray[np.int64]
    visits: NDArray[np.int64]
    total: NDArray[np.float64]
    prior: NDArray[np.float64]
    seat: NDArray[np.int8]
    move: NDArray[np.int64]
    first_child: NDArray[np.int32]
    n_children: NDArray[np.int32]


def new_tree(rows: int) -> Tree:
    """An empty tree with room for so many nodes: the root alone."""
    return Tree(
        used=np.ones(1, np.int64),
        visits=np.zeros(rows, np.int64),
        total=np.zeros(rows, np.float64),
        prior=np.zeros(rows, np.float64),
        seat=np.full(rows, NO_SEAT, np.int8),
        move=np.full(rows, -1, np.int64),
        first_child=np.zeros(rows, np.int32),
        n_children=np.zeros(rows, np.int32),
    )


@kernel
def has_room(tree: Tree, children: int) -> bool:
    """Whether so many more nodes fit; a leaf that finds no room stays a leaf."""
    return tree.used[0] + children <= tree.visits.shape[0]


@kernel
def add_child(tree: Tree, node: int, seat: int, move: int, prior: float) -> int:
    """A further child of a node, after ``has_room``; all children of a node come in one go.

    ``seat`` is who makes the move; the priors of a node's children should add up to 1.
    """
    row = tree.used[0]
    tree.used[0] = row + 1
    if tree.n_children[node] == 0:
        tree.first_child[node] = row
    tree.n_children[node] += 1
    tree.seat[row] = seat
    tree.move[row] = move
    tree.prior[row] = prior
    return row


@kernel
def best_child(tree: Tree, node: int, weight: float, unseen: float) -> int:
    """The child to walk to; of equals the first, which is the game's canonical order."""
    first, visits = tree.first_child[node], tree.visits[node]
    known, worth, seen = 0.0, 0.0, 0.0
    for row in range(first, first + tree.n_children[node]):
        if tree.visits[row]:
            known += tree.total[row]
            seen += tree.visits[row]
    worth = known / seen - unseen if seen else 0.0
    reach = weight * np.sqrt(np.float64(max(visits, 1)))
    best, best_score = first, -np.inf
    for row in range(first, first + tree.n_children[node]):
        n = tree.visits[row]
        value = tree.total[row] / n if n else worth
        score = value + reach * tree.prior[row] / (1 + n)
        if score > best_score:
            best, best_score = row, score
    return best


@kernel
def back_up(tree: Tree, path: NDArray[np.int64], length: int, rewards: NDArray[np.float64]) -> None:
    """Count a playout in every node of a path (the root first); ``rewards`` by seat, 0 to 1."""
    for place in range(length):
        row = path[place]
        tree.visits[row] += 1
        if tree.seat[row] != NO_SEAT:
            tree.total[row] += rewards[tree.seat[row]]


@kernel
def favourite(tree: Tree) -> int:
    """The root's child to play: the most visited, then the one of most value, then the first."""
    first = tree.first_child[ROOT]
    best = first
    for row in range(first + 1, first + tree.n_children[ROOT]):
        if tree.visits[row] > tree.visits[best] or (
            tree.visits[row] == tree.visits[best] and tree.total[row] > tree.total[best]
        ):
            best = row
    return best
