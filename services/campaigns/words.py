"""The card of a difficulty in words (sheet §7.1)."""

import msgspec

from services.games.caltrop.growth import OTHERS, Difficulty
from services.games.caltrop.stones import KINDS

_MANY = {"P": "Tinies", "N": "knights", "B": "bishops", "R": "rooks", "Q": "queens"}


class Card(msgspec.Struct, frozen=True):
    """A difficulty as it is read before it is chosen."""

    slug: str
    title: str
    ahead: str
    levels: str
    growth: str


def card_of(difficulty: Difficulty) -> Card:
    """What a difficulty means for the opponents."""
    placements, levels = difficulty.look_ahead, difficulty.levels_per_win
    ahead = f"{placements} placements ahead" if placements else "ahead as far as they can"
    return Card(
        slug=difficulty.slug,
        title=difficulty.title,
        ahead=f"Opponents look {ahead}.",
        levels=f"Each gains {levels} level{'s' * (levels != 1)} whenever you win.",
        growth=_growth(difficulty),
    )


def _growth(difficulty: Difficulty) -> str:
    if len(difficulty.groups) == 1:
        return "All their stones grow alike."
    (first, *_) = difficulty.groups
    return f"Their {_listed([_many(kind) for kind in first])} grow first."


def _many(kind: str) -> str:
    return "other stones" if kind == OTHERS else _MANY.get(kind, KINDS[kind].name)


def _listed(items: list[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last
