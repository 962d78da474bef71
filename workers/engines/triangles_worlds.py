"""What a view of Triangles tells of the tiles it does not show, as the places of a world.

Hands are hidden, but not what was done (``seeds/triangles/RULES.md`` §11): who had to draw or
pass held nothing that fitted the table of that moment, nor drew it but for the last tile; nobody
was dealt a better tile than the one that qualified. A drawn tile that fits is placed at once, so
it needs no place: everybody saw it.
"""

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from services.games.triangles.lattice import EMPTY
from services.games.triangles.position import Position, known_tiles
from services.games.triangles.tiles import (
    ALL_TILES,
    HIGHEST,
    NO_TILE,
    TILES,
    TRIPLES,
    as_set,
    tiles_in,
)
from workers.engines.kernels import chance
from workers.engines.kernels import triangles_worlds as kernel
from workers.engines.kernels.triangles import NOBODY
from workers.engines.kernels.triangles_worlds import Worlds

FIRST_STEPS = 64
"""Steps of the walk for each place, before the first world is taken."""


class Place(msgspec.Struct):
    """A place in a hand: what may lie there to this day, and which tiles may have lain there."""

    owner: int
    held: int
    dealt: bool = False
    placed: int = 0


def worlds_of(view: Position, seed: int) -> Worlds:
    """A world that fits a view, drawn by a seed; ``kernel.mix`` goes on to others.

    A view that no world fits (one made by hand) gets those that fit its counts.
    """
    unseen = ALL_TILES & ~known_tiles(view)
    places = [place for seat in _open_questions(view) for place in _places(view, seat)]
    places += [Place(NOBODY, ALL_TILES) for _ in range(view.unseen)]
    for place in places:
        own = view.hands[place.owner] if place.owner != NOBODY else 0
        place.held = place.held & (own or unseen) | place.placed
    found = _first_world(view, places)
    if found is None:
        counts = [*enumerate(view.hidden), (NOBODY, view.unseen)]
        places = [Place(owner, unseen) for owner, count in counts for _ in range(count)]
        view = replace(view, opening=None)
        found = _first_world(view, places)
    assert found is not None, "any order of the unseen tiles fits the counts"
    worlds = _arrays(view, places, found, unseen, seed)
    kernel.mix(worlds, FIRST_STEPS * len(places))
    return worlds


def _open_questions(view: Position) -> list[int]:
    """The seats whose places are asked for; the own only where it may have been the opener."""
    return [seat for seat, hidden in enumerate(view.hidden) if hidden or _is_open(view)]


def _is_open(view: Position) -> bool:
    """Whether it is known who opened as the one with the best tile, but not with which."""
    opening = view.opening
    known = opening is None or opening.tile != NO_TILE or opening.reason == "previous-winner"
    return not known


def _places(view: Position, seat: int) -> list[Place]:
    """The places of a hand, as the history of the round leaves them."""
    places = [Place(seat, mask, dealt=True) for mask in _dealt(view, seat)]
    opening_tile = view.opening.tile if view.opening else NO_TILE
    layout = EMPTY
    for turn in view.turns:
        placed = turn.placement
        if turn.seat == seat and (turn.drawn or placed is None):
            places = _stuck(places, seat, layout.playable(), turn.drawn - (placed is not None))
        elif turn.seat == seat and placed and placed.tile != opening_tile:
            for place in places:
                place.placed |= place.held & 1 << placed.tile
        if placed:
            layout = layout.put(placed)
    if view.drawn and view.next == seat:
        places = _stuck(places, seat, layout.playable(), view.drawn - 1)
        places.append(Place(seat, layout.playable()))
    return places


def _dealt(view: Position, seat: int) -> Iterator[int]:
    """What each place of the deal may hold: nobody was dealt a better tile (§3)."""
    opening, allowed, size = view.opening, ALL_TILES, view.ruleset.hand_size
    tile = opening.tile if opening else NO_TILE
    if opening and opening.reason == "triple" and tile != NO_TILE:
        allowed &= ~(TRIPLES & -(1 << tile))
    if opening and opening.reason == "highest-sum":
        better = HIGHEST[: HIGHEST.index(tile) + 1] if tile != NO_TILE else ()
        allowed &= ~(TRIPLES | as_set(better))
    if opening and tile != NO_TILE and opening.seat == seat:
        size -= 1  # it was, or has to be, the first tile
        if not view.turns:
            yield 1 << tile
    for _ in range(size):
        yield allowed


def _stuck(places: list[Place], seat: int, playable: int, barren: int) -> list[Place]:
    """A seat could not place what it had, nor what it drew in vain."""
    held = [replace(place, held=place.held & ~playable) for place in places]
    return held + [Place(seat, ALL_TILES & ~playable) for _ in range(barren)]


def _first_world(view: Position, places: Sequence[Place]) -> list[int] | None:
    """Some tile for every place; None where there is none."""
    masks, opening = [place.held for place in places], view.opening
    if opening is None or not _is_open(view):
        return _filled(masks)
    rank = _rank(view)
    holder = next(n for n, p in enumerate(places) if p.dealt and p.owner == opening.seat)
    for tile in tiles_in(masks[holder]):
        worse = as_set(other for other in range(len(TILES)) if rank[other] < rank[tile])
        dealt = [mask & worse if p.dealt else mask for mask, p in zip(masks, places, strict=True)]
        dealt[holder] = 1 << tile
        if rank[tile] and (found := _filled(dealt)):
            return found
    return None


def _filled(masks: Sequence[int]) -> list[int] | None:
    """A tile for each mask, no tile twice, by augmenting paths."""
    holder: dict[int, int] = {}

    def finds(place: int, tried: set[int]) -> bool:
        for tile in tiles_in(masks[place]):
            if tile not in tried:
                tried.add(tile)
                if tile not in holder or finds(holder[tile], tried):
                    holder[tile] = place
                    return True
        return False

    if not all(finds(place, set()) for place in range(len(masks))):
        return None
    found = [NO_TILE] * len(masks)
    for tile, place in holder.items():
        found[place] = tile
    return found


def _rank(view: Position) -> list[int]:
    """How well each tile would have qualified, by the reason that was given (§3); 0: not at all."""
    if view.opening and view.opening.reason == "triple":
        return [tile + 1 if TRIPLES >> tile & 1 else 0 for tile in range(len(TILES))]
    return [len(TILES) - HIGHEST.index(tile) for tile in range(len(TILES))]


def _arrays(
    view: Position, places: Sequence[Place], tiles: Sequence[int], unseen: int, seed: int
) -> Worlds:
    opener = view.opening.seat if view.opening and _is_open(view) else NOBODY
    return Worlds(
        tile=np.array(tiles, np.int64),
        allowed=np.array([place.held for place in places], np.uint64),
        owner=np.array([place.owner for place in places], np.int64),
        dealt=np.array([place.dealt for place in places], np.bool_),
        unseen=np.array([unseen], np.uint64),
        opener=np.array([opener], np.int64),
        rank=np.array(_rank(view), np.int64),
        luck=chance.seeded(seed),
    )


def world_seen(view: Position, worlds: Worlds) -> Position:
    """The world that a walk stands at, as a full position."""
    hands, market = list(view.hands), []
    for tile, owner in zip(worlds.tile.tolist(), worlds.owner.tolist(), strict=True):
        if owner == NOBODY:
            market.append(tile)
        elif view.hidden[owner] and int(worlds.unseen[0]) >> tile & 1:
            hands[owner] |= 1 << tile
    none = (0,) * len(hands)
    return replace(view, hands=tuple(hands), hidden=none, market=tuple(market), unseen=0)
