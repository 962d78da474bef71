"""Matches of Caltrop for tests: random decks, and moves that like to fight."""

from typing import Any

from services.games.caltrop import rules
from services.games.caltrop.decks import deck_objection, deck_text
from services.games.caltrop.position import Position
from services.games.caltrop.preview import preview
from services.games.caltrop.stones import STONES
from tests.kit.playouts import Dice

_TEXTS = tuple(STONES)


def choose(position: Position, listed: tuple[str, ...], dice: Dice) -> str:
    """Any listed move, in every second turn the one of four that turns most stones."""
    some = [listed[dice.below(len(listed))] for _ in range(1 + 3 * dice.below(2))]
    return max(some, key=lambda move: len(preview(position, move).yellow))


def random_deck(dice: Dice) -> str:
    """A legal deck of any stones at any level, rare ones often."""
    while True:
        deck = [STONES[_TEXTS[dice.below(len(_TEXTS))]] for _ in range(8)]
        if deck_objection(deck) is None:
            return deck_text(deck)


def start(dice: Dice) -> Any:
    """The empty board of a single game of two random decks."""
    data = {
        "form": "run",
        "blue": random_deck(dice),
        "red": random_deck(dice),
        "first": "br"[dice.below(2)],
    }
    return rules.setup(rules.ruleset(data))
