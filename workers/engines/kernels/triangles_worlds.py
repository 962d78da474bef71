"""Worlds of Triangles: where the tiles may be that a seat does not see, drawn with equal chance.

A world says which tile lies in each **place**: a place in the market, or one that a tile had
when it came into a hand, with the deal or with a draw. A hidden hand that could not play tells
of each of its places what cannot lie there, and that is all a place needs: a set of tiles.

Worlds are the stations of a walk that swaps two places or turns three, wherever every tile may
lie where it comes to. Every step is as likely as its way back, so all worlds that can be reached
are visited equally often. With one hidden hand all of them can be reached by swaps: the places
of a hand stand in the order of time and each tile fits an unbroken row of them, so of two
different worlds one has a swap that brings it nearer to the other (look at the first place in
which they differ, and at the two tiles that want it).
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels import chance
from workers.engines.kernels.bits import ONE
from workers.engines.kernels.compiling import kernel
from workers.engines.kernels.triangles import DRAWN, NOBODY, Round


class Worlds(NamedTuple):
    """A world, by place, and what may change in it.

    ``tile`` lies in a place, ``allowed`` are those that may; ``owner`` is the seat whose hand
    the place belongs to, or ``NOBODY`` for the market. Of the tiles, those ``unseen`` are still
    where they came to; the others have been placed since. Where only the seat that opened is
    known, ``opener`` is it (else ``NOBODY``): the one who was ``dealt`` the tile of the highest
    ``rank``.
    """

    tile: NDArray[np.int64]
    allowed: NDArray[np.uint64]
    owner: NDArray[np.int64]
    dealt: NDArray[np.bool_]
    unseen: NDArray[np.uint64]
    opener: NDArray[np.int64]
    rank: NDArray[np.int64]
    luck: chance.State


@kernel
def may_lie(w: Worlds, place: int, tile: int) -> bool:
    """Whether a tile may lie in a place."""
    return w.allowed[place] >> np.uint64(tile) & ONE == ONE


@kernel
def opens_rightly(w: Worlds) -> bool:
    """Whether the seat that opened is the one that had to."""
    best, holder = 0, NOBODY
    for place in range(len(w.tile)):
        if w.dealt[place] and w.rank[w.tile[place]] > best:
            best, holder = w.rank[w.tile[place]], w.owner[place]
    return holder == w.opener[0]


@kernel
def mix(w: Worlds, steps: int) -> None:
    """Walk on: each step tries to swap two places, or now and then to turn three."""
    n, tile = len(w.tile), w.tile
    for _ in range(steps):
        i, j, k = chance.below(w.luck, n), chance.below(w.luck, n), chance.below(w.luck, 4 * n)
        k = k if k < n and k != i else j
        a, b, c = tile[i], tile[j], tile[k]
        if i == j or not (may_lie(w, j, a) and may_lie(w, k, b) and may_lie(w, i, c)):
            continue
        tile[k], tile[j], tile[i] = b, a, c  # in this order: k is j where two are swapped
        if w.opener[0] != NOBODY and not opens_rightly(w):
            tile[i], tile[j], tile[k] = a, b, c


@kernel
def hand_out(w: Worlds, r: Round) -> None:
    """Put the unseen tiles of the world into the hands and the market of a round."""
    drawn = r.n[DRAWN]
    for place in range(len(w.tile)):
        tile, owner = w.tile[place], w.owner[place]
        if owner == NOBODY:
            r.market[drawn] = tile
            drawn += 1
        elif w.unseen[0] >> np.uint64(tile) & ONE:
            r.hands[owner] |= ONE << np.uint64(tile)
