"""Monte-Carlo tree search for Blokus, for two to four seats.

Each playout walks down the tree, plays on by ``play_out``, and is counted in every node it came
through for the seat that moved there. What a colour plays later in a playout tells of the same
move now (RAVE: Gelly and Silver, "Combining online and offline knowledge in UCT", 2007): the
fewer playouts a move has of its own, the more it is judged by those.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels.blokus import (
    COLOUR_BITS,
    COLOURS_MAX,
    PIECES,
    Sheet,
    State,
    add_points,
    blank_state,
    copy,
    next_to_place,
    place,
    play_out,
)
from workers.engines.kernels.blokus_geometry import PLACEMENTS_MAX, Growth, Shapes
from workers.engines.kernels.blokus_priors import Maps, draw_maps, new_maps, phase_of, score
from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.tree import ROOT, Tree, add_child, back_up, has_room, new_tree

ODDS_STEPS = 1_000
CODE = (1 << COLOUR_BITS) - 1
NOT_CHOSEN = -1e9
STAMPS = 255


class Style(NamedTuple):
    """How a search goes about it.

    ``explore`` weighs what a prior promises; ``bias`` says how little the later moves of playouts
    are to be trusted; a child nobody visited is ``unseen`` worse than its parent. The root has at
    most ``root_width`` children, other nodes ``width``. ``margin`` is the part of a reward that
    goes by points, ``margin_scale`` how many of them are half of it.
    """

    explore: float
    bias: float
    unseen: float
    width: int
    root_width: int
    margin: float
    margin_scale: float


class Book(NamedTuple):
    """What a search looks up: tables, weights of priors by phase, odds by score lost."""

    shapes: Shapes
    growth: Growth
    weights: NDArray[np.int64]
    odds: NDArray[np.float64]


class Desk(NamedTuple):
    """What a search writes on.

    ``later`` and ``n_later`` go with the tree's rows: rewards of playouts in which the move came
    later, and how many there were. ``played`` has the stamp of the last playout that played a
    move, ``losses`` and ``lost`` are those of ``score_moves``, ``path`` holds the rows of a walk.
    """

    work: State
    tree: Tree
    later: NDArray[np.float64]
    n_later: NDArray[np.float64]
    played: NDArray[np.uint8]
    maps: Maps
    sums: NDArray[np.int64]
    losses: NDArray[np.int64]
    lost: NDArray[np.int64]
    path: NDArray[np.int64]
    points: NDArray[np.int64]
    rewards: NDArray[np.float64]
    chance: NDArray[np.uint64]


def new_desk(rows: int, chance: NDArray[np.uint64]) -> Desk:
    """A desk for a tree of so many rows."""
    return Desk(
        work=blank_state(),
        tree=new_tree(rows),
        later=np.zeros(rows),
        n_later=np.zeros(rows),
        played=np.zeros(COLOURS_MAX << COLOUR_BITS, np.uint8),
        maps=new_maps(),
        sums=np.zeros(PLACEMENTS_MAX, np.int64),
        losses=np.zeros(PLACEMENTS_MAX, np.int64),
        lost=np.zeros(ODDS_STEPS, np.int64),
        path=np.zeros(COLOURS_MAX * PIECES + 1, np.int64),
        points=np.zeros(COLOURS_MAX, np.int64),
        rewards=np.zeros(COLOURS_MAX),
        chance=chance,
    )


@kernel
def score_moves(book: Book, sheet: Sheet, desk: Desk, colour: int) -> None:
    """Note how much less each move of a colour promises than its best, in the list's order.

    ``losses`` stop at the last row of ``odds``; ``lost`` counts how many moves lose so much.
    """
    state, losses, lost = desk.work, desk.losses, desk.lost
    weights, worst = book.weights[phase_of(state, colour)], book.odds.shape[0] - 1
    draw_maps(state, sheet, weights, colour, desk.maps)
    first, n = colour * PLACEMENTS_MAX, state.n_moves[colour]
    highest = score(desk.maps, weights, book.shapes, np.int64(state.moves[first]))
    for at in range(n):
        losses[at] = score(desk.maps, weights, book.shapes, np.int64(state.moves[first + at]))
        highest = max(highest, losses[at])
    lost[:] = 0
    for at in range(n):
        losses[at] = min(highest - losses[at], worst)
        lost[losses[at]] += 1


@kernel
def expand(book: Book, sheet: Sheet, desk: Desk, node: int, colour: int, width: int) -> None:
    """Give a node the most promising moves of the colour as children, in the list's order."""
    if not has_room(desk.tree, width):
        return
    score_moves(book, sheet, desk, colour)
    limit, spare, total = 0, width, 0.0
    while limit < book.odds.shape[0] and desk.lost[limit] <= spare:
        spare -= desk.lost[limit]
        total += desk.lost[limit] * book.odds[limit]
        limit += 1
    if limit < book.odds.shape[0]:
        total += spare * book.odds[limit]
    seat = sheet.owner[colour]
    if seat < 0:
        seat = desk.work.turn[1] % sheet.counts[1]
    first = colour * PLACEMENTS_MAX
    for at in range(desk.work.n_moves[colour]):
        loss = desk.losses[at]
        if loss > limit or (loss == limit and spare == 0):
            continue
        spare -= loss == limit
        move = colour << COLOUR_BITS | int(np.int64(desk.work.moves[first + at]))
        add_child(desk.tree, node, seat, move, book.odds[loss] / total)


@kernel
def choose_child(style: Style, desk: Desk, node: int) -> int:
    """The child to walk to: by its worth so far, and by what its prior still promises."""
    tree = desk.tree
    first, end = tree.first_child[node], tree.first_child[node] + tree.n_children[node]
    known, seen = 0.0, 0
    for row in range(first, end):
        known += tree.total[row]
        seen += tree.visits[row]
    worth = known / seen - style.unseen if seen else 0.5
    reach = style.explore * np.sqrt(np.float64(max(seen, 1)))
    best, best_found = first, NOT_CHOSEN
    for row in range(first, end):
        n, later = tree.visits[row], desk.n_later[row]
        value = tree.total[row] / n if n else worth
        if later > 0.0:
            trust = later / (later + n + later * n * style.bias)
            value += trust * (desk.later[row] / later - value)
        found = value + reach * tree.prior[row] / (1 + n)
        if found > best_found:
            best, best_found = row, found
    return best


@kernel
def note_later(desk: Desk, depth: int, stamp: int) -> None:
    """Count the moves of a playout for the children, all along its path, that they equal.

    ``stamp`` tells this playout from the last ``STAMPS``; with 1 a new round begins.
    """
    tree, line, played = desk.tree, desk.work.line, desk.played
    if stamp == 1:
        played[:] = 0
    for at in range(desk.work.turn[2] - 1, -1, -1):
        played[line[at]] = stamp
        if at > depth:
            continue
        node = desk.path[at]
        for row in range(tree.first_child[node], tree.first_child[node] + tree.n_children[node]):
            if played[tree.move[row]] == stamp:
                desk.n_later[row] += 1.0
                desk.later[row] += desk.rewards[tree.seat[row]]


@kernel
def judge(style: Style, book: Book, sheet: Sheet, desk: Desk) -> None:
    """Rewards by seat: its rank among the seats, ties shared, and a little for the margin."""
    points, seats = desk.points, sheet.counts[1]
    add_points(desk.work, sheet, book.shapes, points)
    total = 0
    for seat in range(seats):
        total += points[seat]
    for seat in range(seats):
        beaten = 0
        for other in range(seats):
            if other != seat:
                beaten += (points[seat] > points[other]) + (points[seat] >= points[other])
        rank = beaten / (2.0 * (seats - 1))
        ahead = (points[seat] * seats - total) / ((seats - 1) * style.margin_scale)
        by_points = 0.5 + 0.5 * ahead / (1.0 + abs(ahead))
        desk.rewards[seat] = (1.0 - style.margin) * rank + style.margin * by_points


@kernel
def walk(root: State, sheet: Sheet, book: Book, style: Style, desk: Desk, stamp: int) -> int:
    """One playout; how many pieces it placed.

    The deeper a node is, the more often it has to be met before it gets children.
    """
    tree, work, path = desk.tree, desk.work, desk.path
    copy(root, work)
    path[0] = ROOT
    depth, node = 0, ROOT
    while True:
        if tree.n_children[node] == 0:
            if node != ROOT and tree.visits[node] < 1 + depth // 2:
                break
            colour = next_to_place(work, sheet, book.shapes, book.growth)
            if colour < 0:
                break
            width = style.root_width if node == ROOT else style.width
            expand(book, sheet, desk, node, colour, width)
            if tree.n_children[node] == 0:
                break
        node = choose_child(style, desk, node)
        depth += 1
        path[depth] = node
        colour = tree.move[node] >> COLOUR_BITS
        if sheet.owner[colour] < 0:
            while sheet.out[work.turn[1] % sheet.counts[1]]:
                work.turn[1] += 1
        place(work, sheet, book.shapes, colour, tree.move[node] & CODE)
    play_out(work, sheet, book.shapes, book.growth, desk.sums, desk.chance)
    judge(style, book, sheet, desk)
    back_up(tree, path, depth + 1, desk.rewards)
    note_later(desk, depth, stamp)
    return work.turn[2]


@kernel
def search(
    root: State, sheet: Sheet, book: Book, style: Style, desk: Desk, budget: int
) -> tuple[int, int]:
    """Play out until so many pieces were placed; how many playouts and pieces it were."""
    playouts, placed = 0, 0
    while placed < budget:
        placed += walk(root, sheet, book, style, desk, playouts % STAMPS + 1)
        playouts += 1
    return playouts, placed
