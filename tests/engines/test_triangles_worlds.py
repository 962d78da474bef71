"""Imagined worlds of Triangles: they fit all that was seen, and are equally likely."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations, islice, permutations
from typing import Any

import numpy as np
import pytest

from services.games import registry
from services.games.triangles.lattice import EMPTY
from services.games.triangles.play import qualifying
from services.games.triangles.position import Position, known_tiles
from services.games.triangles.tiles import ALL_TILES, NO_TILE, as_set, tiles_in
from tests.kit.playouts import Dice, playout
from workers.engines.kernels import chance
from workers.engines.kernels.triangles import NOBODY
from workers.engines.kernels.triangles_worlds import Worlds, mix
from workers.engines.triangles_worlds import world_seen, worlds_of

GAME = registry.game("triangles")
OPTIONS: tuple[dict[str, Any], ...] = (
    {"max_rounds": 2},
    {"max_rounds": 2, "players": 3},
    {"max_rounds": 2, "players": 4, "opening_tile": "free"},
    {"max_rounds": 2, "hand_size": 16, "opening_tile": "free"},
)


def seen(options: dict[str, Any], seed: int) -> Iterator[tuple[Position, Position]]:
    """The positions of a match at random, and each as its seat to move sees it."""
    start = GAME.rules.setup(GAME.rules.ruleset(options))
    for turn in playout(GAME, start, Dice(seed)):
        yield turn.position, GAME.rules.view(turn.position, turn.seat)


def hands_dealt(worlds: Worlds, view: Position) -> list[int]:
    """The hands of the deal, as a world has them, and the opening tile, which has no place."""
    hands = [0] * len(view.seats)
    places = zip(worlds.tile.tolist(), worlds.owner.tolist(), worlds.dealt.tolist(), strict=True)
    for tile, owner, dealt in places:
        hands[owner] |= dealt << tile
    if view.opening and view.opening.tile != NO_TILE:
        hands[view.opening.seat] |= 1 << view.opening.tile
    return hands


@pytest.mark.parametrize("options", OPTIONS)
def test_every_world_looks_as_the_view_does(options: dict[str, Any]) -> None:
    """Nothing a seat sees is different in what it imagines."""
    for number, (_, view) in islice(enumerate(seen(options, seed=1)), None, None, 3):
        seat, worlds = view.seats[view.next], worlds_of(view, number)
        for _ in range(3):
            assert GAME.rules.view(world_seen(view, worlds), seat) == view
            assert not any(
                not int(mask) >> tile & 1
                for tile, mask in zip(worlds.tile.tolist(), worlds.allowed, strict=True)
            )
            mix(worlds, 50)


@pytest.mark.parametrize("options", OPTIONS)
def test_who_could_not_play_holds_nothing_it_could_have_played(options: dict[str, Any]) -> None:
    """What a hidden hand still has of the tiles it held when it drew did not fit then."""
    stuck = 0
    for number, (_, view) in islice(enumerate(seen(options, seed=2)), None, None, 3):
        worlds = worlds_of(view, number)
        layout, drawn_since = EMPTY, Counter[int]()
        unplayable: list[tuple[int, int]] = []
        for turn in view.turns:
            if view.hidden[turn.seat] and (turn.drawn or turn.placement is None):
                unplayable.append((turn.seat, layout.playable()))
                drawn_since[turn.seat] = 0
            if turn.placement:
                layout = layout.put(turn.placement)
        for _ in range(3):
            hands = world_seen(view, worlds).hands
            last = dict(unplayable)
            for seat, playable in last.items():
                stuck += 1
                assert not hands[seat] & playable
            mix(worlds, 50)
    assert stuck > 20


@pytest.mark.parametrize("options", OPTIONS)
def test_in_every_world_the_seat_that_opened_had_to(options: dict[str, Any]) -> None:
    """Nobody was dealt a better tile; with a free opening the best one may still be hidden."""
    qualified = 0
    for number, (_, view) in islice(enumerate(seen(options, seed=3)), None, None, 3):
        opening = view.opening
        assert opening is not None
        if opening.reason == "previous-winner":
            continue
        worlds = worlds_of(view, number)
        for _ in range(3):
            found = qualifying(hands_dealt(worlds, view))
            assert (found.seat, found.reason) == (opening.seat, opening.reason)
            qualified += 1
            mix(worlds, 50)
    assert qualified > 20


# Equal chances: counted by looking at every way things can have been


def arrivals_and_stays(view: Position, seat: int) -> tuple[list[int], dict[int, list[int]]]:
    """When the tiles of a seat came, and for every tile when it may have come, word for word.

    Turns are counted from 0, the deal is -1. A tile may have come at a time before it left if it
    did not fit at any moment from then on at which the seat was stuck. Tiles that were drawn and
    fitted are left out: they came and left in the same turn.
    """
    arrivals, stuck, leaves = [-1] * view.ruleset.hand_size, [], {}
    layout = EMPTY
    for when, turn in enumerate(view.turns):
        placed = turn.placement
        if turn.seat == seat and (turn.drawn or placed is None):
            stuck.append((when, layout.playable()))
            arrivals += [when] * (turn.drawn - (placed is not None))
        elif turn.seat == seat and placed:
            leaves[placed.tile] = when
        layout = layout.put(placed) if placed else layout
    came = {}
    for tile in (*leaves, *tiles_in(ALL_TILES & ~known_tiles(view))):
        left = leaves.get(tile, len(view.turns))
        came[tile] = [
            place
            for place, arrival in enumerate(arrivals)
            if arrival < left
            and not any(arrival <= when < left and fits >> tile & 1 for when, fits in stuck)
        ]
    return arrivals, came


def ways(came: dict[int, list[int]], tiles: tuple[int, ...]) -> int:
    """In how many ways the tiles can have come, each at a time of its own."""

    @cache
    def count(number: int, taken: int) -> int:
        if number == len(tiles):
            return 1
        free = [place for place in came[tiles[number]] if not taken >> place & 1]
        return sum(count(number + 1, taken | 1 << place) for place in free)

    return count(0, 0)


def deals_behind(view: Position, seat: int) -> dict[int, int]:
    """The hands a hidden seat can hold, each with the number of deals that lead to it."""
    arrivals, came = arrivals_and_stays(view, seat)
    unseen = tiles_in(ALL_TILES & ~known_tiles(view))
    placed = tuple(tile for tile in came if tile not in unseen)
    assert len(arrivals) == len(placed) + view.hidden[seat]
    found = {
        as_set(hand): ways(came, (*placed, *hand))
        for hand in combinations(unseen, view.hidden[seat])
    }
    return {hand: number for hand, number in found.items() if number}


def telling_view(seed: int) -> Position:
    """A view of a hand of two that was stuck before, in a round that a winner opened."""
    for _, view in seen({"max_rounds": 2, "hand_size": 7}, seed):
        seat = 1 - view.next
        stuck = any(turn.seat == seat and turn.drawn > 1 for turn in view.turns)
        if view.round == 2 and stuck and view.hidden[seat] <= 2:
            assert view.opening
            assert view.opening.reason == "previous-winner"
            return view
    raise AssertionError("no such view in this match")


@pytest.mark.parametrize("seed", [10, 13, 14])
def test_worlds_are_as_likely_as_the_deals_that_lead_to_them(seed: int) -> None:
    """Hands are met in proportion to the deals behind them, all of which are counted here."""
    view, total = telling_view(seed), 10_000
    seat, worlds, met = 1 - view.next, worlds_of(view, seed), Counter[int]()
    deals = deals_behind(view, seat)
    assert len(set(deals.values())) >= 3, "some hands are likelier than others"
    for _ in range(total):
        mix(worlds, 100)
        met[hand_of(worlds, seat)] += 1
    assert set(met) <= set(deals)
    worth = total / sum(deals.values())
    stray = sum((met[hand] - worth * n) ** 2 / (worth * n) for hand, n in deals.items())
    assert stray < len(deals) + 4 * (2 * len(deals)) ** 0.5


def hand_of(worlds: Worlds, seat: int) -> int:
    """The hand of a seat in a world."""
    held = as_set(worlds.tile[worlds.owner == seat].tolist())
    return held & int(worlds.unseen[0])


def test_worlds_that_only_a_turn_of_three_can_reach_are_met() -> None:
    """Three hidden hands, each wanting what another has: swaps alone would never get there."""
    masks = [0b0011, 0b0110, 0b0101, 0b1111]
    worlds = Worlds(
        tile=np.arange(4),
        allowed=np.array(masks, np.uint64),
        owner=np.array([0, 1, 2, NOBODY]),
        dealt=np.zeros(4, np.bool_),
        unseen=np.array([0b1111], np.uint64),
        opener=np.array([NOBODY]),
        rank=np.zeros(56, np.int64),
        luck=chance.seeded(5),
    )
    fitting = {
        order
        for order in permutations(range(4))
        if all(mask >> tile & 1 for mask, tile in zip(masks, order, strict=True))
    }
    met = Counter[tuple[int, ...]]()
    for _ in range(4_000):
        mix(worlds, 40)
        met[tuple(worlds.tile.tolist())] += 1
    assert set(met) == fitting
    assert max(met.values()) - min(met.values()) < 6 * (4_000 / len(fitting)) ** 0.5
