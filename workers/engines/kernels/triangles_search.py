"""Tree search for Triangles over many worlds: one tree for all that a seat cannot tell apart.

A playout draws a world, walks down the moves that are legal in it, adds those it meets for the
first time, plays the round to its end by most points, and counts what the end is worth to every
seat. Source: Cowling, Powley and Whitehouse, "Information set Monte Carlo tree search" (2012);
the selection is PUCT as in ``workers/engines/kernels/tree.py``, in which a move's own chances to
be legal take the place of its parent's visits.
"""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games.triangles.tiles import TILES
from workers.engines.kernels import bits, chance
from workers.engines.kernels import triangles as rules
from workers.engines.kernels import triangles_worlds as worlds
from workers.engines.kernels.bits import ONE, ZERO
from workers.engines.kernels.compiling import inlined, kernel
from workers.engines.kernels.triangles import (
    EDGE,
    END,
    LAID,
    MARKET,
    MOVES_MAX,
    OUTSIDE,
    PLAYERS,
    RUNNING,
    SCORED,
    SEAT,
    SEATS_MAX,
    Round,
    Tables,
)
from workers.engines.kernels.triangles_worlds import Worlds

ROOT, NONE = 0, -1
DEPTH_MAX = len(TILES) + 1

STEPS = 64
"""Steps from one world to the next."""
REACH = 0.8
"""How far a playout strays to moves that were tried less."""
UNTRIED = 0.0
"""By how much a move nobody tried is taken to be worse than what is known."""
AWAY = 250
"""In tenths of points: a move that looks worse by this is a quarter as likely to be good."""
THREAT = 40
"""In hundredths of the likely bonus that a move opens to the next seat."""
GROWN = 3
"""A move is looked beyond when it has been visited so often."""
REST = 40.0
"""In a round that is not over, a lead of so many points stands in three of four."""
TURNS = 14
"""So many turns a playout goes on outside the tree."""


class Stakes(NamedTuple):
    """What the end of a round is worth.

    ``totals`` before the round; ``chance[i, j]`` of a seat with i steps of points over the
    ``low`` mark against one with j, while nobody has reached the ``target``; ``last`` is 1 where
    the match ends with this round. ``lead`` is the part of the worth that is plain lead.
    """

    totals: NDArray[np.int64]
    chance: NDArray[np.float64]
    low: int
    step: int
    target: int
    last: int
    lead: float


class Tree(NamedTuple):
    """A tree by rows; row 0 is the root, ``used[0]`` rows are in use.

    A row is a ``move`` of a ``tile``. It was legal ``seen`` times when its parent was visited;
    ``total`` sums what its ``visits`` were worth to the seat that made it. ``look`` is its first
    impression in tenths of points, ``turn`` the seat that came to move after it when it was
    visited first. ``first`` and ``next`` chain the moves of a node, ``rows`` lists the legal ones.
    """

    used: NDArray[np.int64]
    move: NDArray[np.int64]
    tile: NDArray[np.uint64]
    visits: NDArray[np.int64]
    seen: NDArray[np.int64]
    total: NDArray[np.float64]
    look: NDArray[np.int64]
    turn: NDArray[np.int8]
    first: NDArray[np.int32]
    next: NDArray[np.int32]
    rows: NDArray[np.int64]


def new_tree(rows: int) -> Tree:
    """A tree with room for so many rows: the root alone."""
    return Tree(
        used=np.ones(1, np.int64),
        move=np.zeros(rows, np.int64),
        tile=np.zeros(rows, np.uint64),
        visits=np.zeros(rows, np.int64),
        seen=np.zeros(rows, np.int64),
        total=np.zeros(rows, np.float64),
        look=np.zeros(rows, np.int64),
        turn=np.full(rows, NONE, np.int8),
        first=np.full(rows, NONE, np.int32),
        next=np.full(rows, NONE, np.int32),
        rows=np.zeros(MOVES_MAX, np.int64),
    )


# What an end is worth


@kernel
def chance_of(s: Stakes, mine: int, other: int, rest: float) -> float:
    """The chance of a seat against another to win the match, with these totals after a round.

    In the last round the lead decides; so much the less if the ``rest`` may still turn it.
    """
    if s.last or max(mine, other) >= s.target:
        lead = mine - other
        return 0.5 + 0.5 * lead / (abs(lead) + rest) if lead else 0.5
    edge = len(s.chance) - 1
    x = min(max((mine - s.low) / s.step, 0.0), edge - 0.001)
    y = min(max((other - s.low) / s.step, 0.0), edge - 0.001)
    i, j = int(x), int(y)
    x, y = x - i, y - j
    left = s.chance[i, j] * (1.0 - y) + s.chance[i, j + 1] * y
    right = s.chance[i + 1, j] * (1.0 - y) + s.chance[i + 1, j + 1] * y
    return left * (1.0 - x) + right * x


@kernel
def rewards_of(s: Stakes, r: Round, rewards: NDArray[np.float64]) -> None:
    """What a round is worth to each seat, as the points stand; together 1."""
    players, whole = r.n[PLAYERS], 0.0
    rest = REST if r.n[END] == RUNNING else 0.0
    for seat in range(players):
        mine, rewards[seat] = s.totals[seat] + r.points[seat], 1.0
        for rival in range(players):
            if rival != seat:
                other = s.totals[rival] + r.points[rival]
                lead = min(max(mine - other, -500), 500) / 1000.0 + 0.5
                rewards[seat] *= chance_of(s, mine, other, rest) * (1.0 - s.lead) + lead * s.lead
        whole += rewards[seat]
    for seat in range(players):
        rewards[seat] /= whole


# First impressions, and playing to the end


@kernel
def opened(t: Tables, r: Round, unseen: Any, held: int) -> int:
    """In tenths of points, the best bonus that lies open to the next seat, by its likelihood."""
    best, hidden = 0, max(bits.count(unseen), 1)
    for place in range(r.n[EDGE]):
        cell = r.edge[place]
        fitting = t.fits[r.pattern[cell]] & unseen
        if fitting:
            bonus = rules.bonus(t, r, cell)
            if bonus:
                best = max(best, 10 * bonus * min(held * bits.count(fitting), hidden) // hidden)
    return best


@kernel
def first_look(t: Tables, r: Round, move: int, unseen: Any) -> int:
    """A placement's points and the weight it rids of, less what it opens to the next seat."""
    tile, cell = t.tile[move // OUTSIDE], move % OUTSIDE
    look = 10 * rules.earned(t, r, tile, cell) + 2 * t.value[tile]
    after = (r.n[SEAT] + 1) % r.n[PLAYERS]
    held = bits.count(r.hands[after])
    rules.lay(t, r, tile, cell)
    threat = opened(t, r, unseen & ~(ONE << np.uint64(tile)), held)
    rules.take_back(t, r)
    return look - threat * THREAT // 100


@inlined
def greedy(t: Tables, r: Round) -> int:
    """The placement of most points, of equals the heaviest, as tile x cells + cell; -1: none."""
    hand, best, found = r.hands[r.n[SEAT]], -1, -1
    for place in range(r.n[EDGE]):
        cell = r.edge[place]
        fitting = t.fits[r.pattern[cell]] & hand
        if not fitting:
            continue
        bonus = rules.bonus(t, r, cell) if r.n[LAID] else 0
        while fitting:
            tile = bits.lowest(fitting)
            fitting &= fitting - ONE
            look = 16 * (bonus + (t.value[tile] if r.n[SCORED] else 0)) + t.value[tile]
            if look > best:
                best, found = look, tile * OUTSIDE + cell
    return found


@inlined
def play_on(t: Tables, r: Round, turns: int) -> None:
    """Play so many turns more, or to the end of the round if that comes first."""
    while r.n[END] == RUNNING and turns > 0:
        found = greedy(t, r)
        if found < 0:
            rules.settle(t, r)
            continue
        rules.place(t, r, found // OUTSIDE, found % OUTSIDE)
        turns -= 1
    if r.n[END] == RUNNING:
        rules.settle(t, r)


@kernel
def add_promises(t: Tables, r: Round) -> None:
    """Give every seat of a running round the points that its hand promises, against the others.

    What is left of a round strays by 74 points, of which a hand foretells the few that are added
    here (fitted to 1,200 rounds of play by most points): so less is lost by not playing on.
    """
    fitting = rules.playable(t, r)
    for seat in range(r.n[PLAYERS]):
        hand = r.hands[seat]
        count = bits.count(hand)
        promise = 450 // count - 20 * count + 4 * rules.value_of(t, hand)
        promise += 45 * bits.count(hand & fitting)
        if seat == r.n[SEAT]:
            promise += 60
        r.points[seat] += promise // 10


@kernel
def sample_rounds(
    t: Tables, start: Round, luck: chance.State, hand_size: int, points: NDArray[np.int64]
) -> None:
    """The points of the first two seats in rounds that are dealt by chance and played out."""
    r, deck, n = start, np.arange(len(t.value)), start.n.copy()
    for number in range(len(points)):
        for place in range(len(deck) - 1):
            other = place + chance.below(luck, len(deck) - place)
            deck[place], deck[other] = deck[other], deck[place]
        r.n[:], r.points[:], r.hands[:] = n, 0, ZERO
        for place in range(n[PLAYERS] * hand_size):
            r.hands[place // hand_size] |= ONE << np.uint64(deck[place])
        for place in range(n[MARKET]):
            r.market[place] = deck[len(deck) - 1 - place]
        play_on(t, r, DEPTH_MAX)
        points[number, 0], points[number, 1] = r.points[0], r.points[1]
        while r.n[LAID]:
            rules.take_back(t, r)


# The tree


@kernel
def sort(numbers: NDArray[np.int64], count: int) -> None:
    """Put the first few numbers in order, smallest first."""
    for place in range(1, count):
        number, other = numbers[place], place - 1
        while other >= 0 and numbers[other] > number:
            numbers[other + 1] = numbers[other]
            other -= 1
        numbers[other + 1] = number


@inlined
def choices(
    t: Tables, r: Round, tree: Tree, node: int, loose: Any, listed: NDArray[np.int64]
) -> int:
    """Lists the rows of a node's moves that are legal now, new ones added; how many.

    ``loose`` are the tiles not on the table.
    """
    hand, known, last, row = r.hands[r.n[SEAT]], 0, NONE, tree.first[node]
    while row != NONE:
        if hand >> tree.tile[row] & ONE:
            tree.rows[known] = row
            known += 1
        last, row = row, tree.next[row]
    count = rules.moves(t, r, listed)
    if count == known or tree.used[0] + count > len(tree.move):
        return known
    for place in range(known):
        move, other = tree.move[tree.rows[place]], 0
        while listed[other] != move:
            other += 1
        count -= 1
        listed[other] = listed[count]
    sort(listed, count)
    for place in range(count):
        last = add(t, r, tree, node, last, listed[place], loose & ~hand)
        tree.rows[known] = last
        known += 1
    return known


@kernel
def add(t: Tables, r: Round, tree: Tree, node: int, last: int, move: int, unseen: Any) -> int:
    """A new move of a node, after its last one."""
    row = tree.used[0]
    tree.used[0] += 1
    tree.move[row], tree.tile[row] = move, np.uint64(t.tile[move // OUTSIDE])
    tree.look[row] = first_look(t, r, move, unseen)
    if last == NONE:
        tree.first[node] = row
    else:
        tree.next[last] = row
    return row


@inlined
def best_child(tree: Tree, count: int) -> int:
    """Of the rows that are listed the one to walk to; of equals the first."""
    top, known, visits = -(1 << 40), 0.0, 0
    for row in tree.rows[:count]:
        top = max(top, tree.look[row])
        known += tree.total[row]
        visits += tree.visits[row]
    whole = 0.0
    for row in tree.rows[:count]:
        whole += likely(tree, row, top)
    untried = known / visits - UNTRIED if visits else 0.0
    best, best_score = NONE, -1e9
    for row in tree.rows[:count]:
        tree.seen[row] += 1
        n = tree.visits[row]
        value = tree.total[row] / n if n else untried
        reach = REACH * np.sqrt(np.float64(tree.seen[row])) / (1 + n)
        score = value + reach * likely(tree, row, top) / whole
        if score > best_score:
            best, best_score = row, score
    return best


@kernel
def likely(tree: Tree, row: int, top: int) -> float:
    """How likely a move seems beside one that looks best: 1, and less by the square."""
    away = 1.0 + (top - tree.look[row]) / AWAY
    return 1.0 / (away * away)


@kernel
def think(t: Tables, r: Round, w: Worlds, s: Stakes, tree: Tree, playouts: int) -> None:
    """Grow the tree by so many playouts from a round in which the seat to move thinks."""
    hands, market, points, n = r.hands.copy(), r.market.copy(), r.points.copy(), r.n.copy()
    path, listed = np.zeros(DEPTH_MAX, np.int64), np.zeros(MOVES_MAX, np.int64)
    rewards, moved = np.zeros(SEATS_MAX), np.zeros(DEPTH_MAX, np.int64)
    tree.turn[ROOT] = n[SEAT]
    all_loose = w.unseen[0]
    for seat in range(n[PLAYERS]):
        all_loose |= hands[seat]
    for _ in range(playouts):
        worlds.mix(w, STEPS)
        r.hands[:], r.points[:], r.n[:] = hands, points, n
        worlds.hand_out(w, r)
        node, depth, loose = ROOT, 0, all_loose
        while r.n[END] == RUNNING:
            if tree.turn[node] == NONE:
                tree.turn[node] = r.n[SEAT]
            if tree.turn[node] != r.n[SEAT] or (node and tree.visits[node] < GROWN):
                break
            node = best_child(tree, choices(t, r, tree, node, loose, listed))
            if node == NONE:
                break
            path[depth], moved[depth] = node, r.n[SEAT]
            depth += 1
            loose &= ~(ONE << tree.tile[node])
            rules.play(t, r, int(tree.tile[node]), tree.move[node] % OUTSIDE)
        play_on(t, r, TURNS)
        if r.n[END] == RUNNING:
            add_promises(t, r)
        rewards_of(s, r, rewards)
        tree.visits[ROOT] += 1
        for place in range(depth):
            tree.visits[path[place]] += 1
            tree.total[path[place]] += rewards[moved[place]]
        while r.n[LAID] > n[LAID]:
            rules.take_back(t, r)
    r.hands[:], r.market[:], r.points[:], r.n[:] = hands, market, points, n


@kernel
def favourite(tree: Tree) -> int:
    """The move to play: the most visited, then the one of most worth, then the first."""
    best = row = tree.first[ROOT]
    while row != NONE:
        more = tree.visits[row] - tree.visits[best]
        if more > 0 or (more == 0 and tree.total[row] > tree.total[best]):
            best = row
        row = tree.next[row]
    return tree.move[best]
