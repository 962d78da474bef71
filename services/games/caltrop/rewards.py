"""Chance in the solo game (sheet §7.3, §7.4): the order of a run and the new stone.

Chance is handed in. What is drawn by weight is an ordered list of (item, weight), so that a
record of the list and the drawn place can be checked by anyone.
"""

from collections.abc import Collection, Sequence

from services.games.caltrop.stones import TURNED_TYPES, Stone, stone
from services.games.contract import Chance

Weighted = tuple[tuple[str, int], ...]
"""Items with their weights, in the order in which a draw walks them."""

MATCHES = 20
"""Matches of a run; the last one is the boss."""

ORDINARY, BOSS = 23, 24
"""How many opponents can be drawn, and the number of the boss."""

ALWAYS = (15, 16)
"""Lady Lux and Madame Swerve are in every run, in this order."""

MISSING_WEIGHT = 4
"""The share of all missing turns together, and that of a rare stone not owned (§7.4, 2)."""


def run_order(chance: Chance) -> tuple[int, ...]:
    """The numbers of a run's 20 opponents, the boss last (§7.3; purpose ``run-order``)."""
    kept = [place + 1 for place in chance.permutation(ORDINARY)[: MATCHES - 1]]
    for number in ALWAYS:
        if number not in kept:
            places = [place for place, other in enumerate(kept) if other not in ALWAYS]
            kept[places[chance.below(len(places))]] = number
    first, second = (kept.index(number) for number in ALWAYS)
    if second < first:
        kept[first], kept[second] = kept[second], kept[first]
    return (*kept, BOSS)


def places_first(match: int) -> bool:
    """Whether the player places first in this match of a run, counted from 1 (A8)."""
    return match % 2 == 1


def new_stone_weights(opponent: Sequence[Stone], owned: Collection[Stone]) -> Weighted:
    """What can be won from a beaten opponent, with its weights (§7.4, 2; purpose ``new-stone``).

    ``opponent`` has the levels of the match, ``owned`` is the run's copy of the collection.
    """
    types = {one.type for one in owned}
    missing = [type_ for type_ in TURNED_TYPES if type_ not in types]
    share = max(len(missing), 1)
    return (
        *(
            (
                one.at(max(one.level, 1)).text,
                share * MISSING_WEIGHT if _is_new(one, types) else share,
            )
            for one in opponent
        ),
        *((f"{type_}1", MISSING_WEIGHT) for type_ in missing),
    )


def _is_new(one: Stone, types: Collection[str]) -> bool:
    return one.is_rare and one.type not in types


def draw(weights: Weighted, chance: Chance) -> int:
    """The place in the list that is drawn: a uniform number below the total walks along it."""
    left = chance.below(sum(weight for _, weight in weights))
    for place, (_, weight) in enumerate(weights):
        if left < weight:
            return place
        left -= weight
    raise ValueError("a number below the total lies inside the list")


def drawn_stone(weights: Weighted, place: int) -> Stone:
    """The stone at a place of the list."""
    return stone(weights[place][0])
