"""A stone by itself, for whoever shows decks and collections: a small drawing, and words."""

from services.games.caltrop.board import BLUE, RED
from services.games.caltrop.figures import in_hand, shapes
from services.games.caltrop.stones import KINDS, STONES, TURNS
from services.games.picture import Picture

SIDE = 120
"""Width and height of the drawing, in units."""

_WAYS = dict(zip(TURNS, ("forward", "right", "back", "left"), strict=True))


def is_stone(text: str) -> bool:
    """Whether there is a stone of this code."""
    return text in STONES


def stone_name(text: str) -> str:
    """What kind of stone it is.

    >>> stone_name("Pe2"), stone_name("ED1")
    ('Tiny', 'Experienced Edna')
    """
    return KINDS[STONES[text].kind].name


def stone_words(text: str) -> str:
    """The stone in words: kind, turn, level, spikes, power.

    >>> stone_words("Ne1")
    'knight turned right, level 1; spikes front 0, right 2, back 1, left 0'
    >>> stone_words("VV2").rpartition("; ")[2]
    'power: Poison'
    """
    one = STONES[text]
    turn = one.type.removeprefix(one.kind)
    way = f" turned {_WAYS[turn]}" if turn else ""
    named = zip(("front", "right", "back", "left"), one.sides, strict=True)
    spikes = ", ".join(f"{side} {number}" for side, number in named)
    power = KINDS[one.kind].power
    tail = f"; power: {power}" if power else ""
    return f"{KINDS[one.kind].name}{way}, level {one.level}; spikes {spikes}{tail}"


def stone_picture(text: str, *, theirs: bool = False) -> Picture:
    """The stone as it lies in the hand, seen by the player; ``theirs`` is an opponent's."""
    colour = RED if theirs else BLUE
    figure = in_hand(STONES[text], colour, BLUE)
    drawn = tuple(shapes(figure, SIDE // 2, SIDE // 2, SIDE))
    return Picture(SIDE, SIDE, text, stone_words(text), drawn)
