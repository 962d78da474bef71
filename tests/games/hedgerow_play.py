"""How random matches of Hedgerow are placed: never uniformly, which nearly always gets stuck.

The sheet's two policies (§12), mixed: heavy-first, which never gets stuck on an open boundary,
and Cross-last, which sometimes does.
"""

from typing import Any

from tests.kit.playouts import Dice, uniform


def weight(move: str) -> int:
    """The triangles of a placement; 0 for a Cross Zero."""
    return 0 if move.startswith("X") else move.index("@")


def heavy_first(position: Any, listed: tuple[str, ...], dice: Dice) -> str:
    """One of the pieces with as many triangles as possible."""
    heaviest = max(map(weight, listed))
    return uniform(position, tuple(m for m in listed if weight(m) == heaviest), dice)


def cross_last(position: Any, listed: tuple[str, ...], dice: Dice) -> str:
    """Anything, but a Cross Zero only where nothing else fits."""
    return uniform(position, tuple(filter(weight, listed)) or listed, dice)


def choose(position: Any, listed: tuple[str, ...], dice: Dice) -> str:
    """A placement by one of the policies, or any of the harvests."""
    if not position.is_placing:
        return uniform(position, listed, dice)
    policy = heavy_first if dice.below(4) else cross_last
    return policy(position, listed, dice)
