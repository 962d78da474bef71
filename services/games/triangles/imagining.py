"""Full positions that fit a view: hidden tiles dealt out as the public history allows (§11).

Every tile of a hand has come at some time, with the deal or with a draw, and at every later
draw or pass of its seat it did not fit the table of that time. So each place in a hand has a
set of tiles it can hold. The history does not tell which place a placed tile came from, where
several could have held it; one of them is drawn. The places are then filled from shuffled
tiles, the narrowest first: with one hidden hand every way to fill them is equally likely.
"""

from msgspec.structs import replace

from services.games.contract import Chance
from services.games.triangles.lattice import EMPTY
from services.games.triangles.play import qualifying
from services.games.triangles.position import Opening, Position, known_tiles
from services.games.triangles.tiles import (
    ALL_TILES,
    HIGHEST,
    NO_TILE,
    TRIPLES,
    as_set,
    tiles_in,
)

_TRIES = 24
"""Deals tried that have to fit the whole history, before one that fits the counts is taken."""

Places = list[int]
"""For each tile of a hand the set of tiles it can be."""


def imagine(view: Position, chance: Chance) -> Position:
    """A position in which nothing is hidden; all else is as in the view.

    A view that no deal fits (a position made by hand) gets one that fits its counts.
    """
    unknown = tiles_in(ALL_TILES & ~known_tiles(view))
    if not unknown:
        return view
    for _ in range(_TRIES):
        hands = _filled(view, _places(view, chance), _shuffled(unknown, chance))
        if hands and _is_sound(view, hands):
            return _with_hands(view, hands, unknown, chance)
    hands = _filled(view, _places_to_play(view), _shuffled(unknown, chance))
    anything: list[Places] = [[ALL_TILES] * count for count in view.hidden]
    hands = hands or _filled(view, anything, list(unknown)) or view.hands
    return _with_hands(view, hands, unknown, chance)


def _shuffled(tiles: tuple[int, ...], chance: Chance) -> list[int]:
    return [tiles[place] for place in chance.permutation(len(tiles))]


def _with_hands(
    view: Position, hands: tuple[int, ...], unknown: tuple[int, ...], chance: Chance
) -> Position:
    held = as_set(unknown)
    for hand in hands:
        held &= ~hand
    rest = tiles_in(held)
    market = view.market or tuple(_shuffled(rest, chance) if rest else ())
    return replace(view, hands=hands, hidden=(0,) * len(hands), market=market, unseen=0)


def _filled(view: Position, places: list[Places], tiles: list[int]) -> tuple[int, ...] | None:
    """The hands with their places filled, narrowest first; None if a place stays empty."""
    hands = list(view.hands)
    left = as_set(tiles)
    due = sorted(
        ((allowed & left).bit_count(), seat, allowed)
        for seat, hand in enumerate(places)
        for allowed in hand
    )
    for _, seat, allowed in due:
        tile = next((t for t in tiles if allowed >> t & left >> t & 1), NO_TILE)
        if tile == NO_TILE:
            return None
        left &= ~(1 << tile)
        hands[seat] |= 1 << tile
    return tuple(hands)


def _is_sound(view: Position, hands: tuple[int, ...]) -> bool:
    """The seat to move can place, and the one that opens a round is the one that does."""
    opening = view.opening
    if not view.is_running or opening is None:
        return True
    if view.turns:
        return bool(hands[view.next] & view.layout.playable())
    if opening.tile == NO_TILE and opening.reason != "previous-winner":
        found = qualifying(hands)
        return (found.seat, found.reason) == (opening.seat, opening.reason)
    return True


def _places_to_play(view: Position) -> list[Places]:
    """Places that say nothing but that the seat to move can place."""
    places: list[Places] = [[ALL_TILES] * count for count in view.hidden]
    if view.is_running and view.hidden[view.next]:
        places[view.next][0] = view.layout.playable()
    return places


def _places(view: Position, chance: Chance) -> list[Places]:
    """The hidden places of every hand, as the history of the round leaves them."""
    opening = view.opening
    if not view.is_running or opening is None:
        return [[ALL_TILES] * count for count in view.hidden]
    places = _dealt_places(view, opening)
    layout = EMPTY
    for turn in view.turns:
        hand = places[turn.seat]
        if turn.drawn or turn.placement is None:
            _exclude(hand, layout.playable(), turn.drawn, found=turn.placement is not None)
        if turn.placement is not None:
            _take(hand, turn.placement.tile, chance)
            layout = layout.put(turn.placement)
    if view.drawn:
        _exclude(places[view.next], layout.playable(), view.drawn, found=True)
    for hand, shown, hidden in zip(places, view.hands, view.hidden, strict=True):
        if not hidden:
            hand.clear()
        for tile in tiles_in(shown) if hidden else ():
            _take(hand, tile, chance)
    return places


def _dealt_places(view: Position, opening: Opening) -> list[Places]:
    """The places of the deal: nobody was dealt a better tile than the qualifying one (§3)."""
    size, tile = view.ruleset.hand_size, opening.tile
    allowed = ALL_TILES
    if opening.reason == "triple" and tile != NO_TILE:
        allowed &= ~(TRIPLES & -(1 << tile))
    if opening.reason == "highest-sum":
        better = HIGHEST[: HIGHEST.index(tile) + 1] if tile != NO_TILE else ()
        allowed &= ~(TRIPLES | as_set(better))
    places = [[allowed] * size for _ in view.seats]
    if tile != NO_TILE:
        places[opening.seat][0] = 1 << tile
    return places


def _exclude(hand: Places, playable: int, drawn: int, *, found: bool) -> None:
    """A seat could not place: neither what it held nor what it drew, but for the last if found."""
    hand[:] = [allowed & ~playable for allowed in hand] + [ALL_TILES & ~playable] * drawn
    if found:
        hand[-1] = playable


def _take(hand: Places, tile: int, chance: Chance) -> None:
    """The place a shown tile came from: the narrowest kinds are certain, else one is drawn."""
    fitting = [place for place, allowed in enumerate(hand) if allowed >> tile & 1]
    if len(fitting) > 1:
        fitting = [fitting[chance.below(len(fitting))]]
    if hand:
        hand.pop(fitting[0] if fitting else -1)
