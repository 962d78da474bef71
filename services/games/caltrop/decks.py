"""Decks (sheet §6): eight stones in slots, what makes them legal, and how they grow (§7.4).

A deck is written as its stones in slot order: ``Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1``.
"""

from collections.abc import Sequence

from services.games.caltrop.stones import KING, QUEEN, Stone, stone
from services.games.contract import BadText, Chance, Objection

Deck = tuple[Stone, ...]

SLOTS = 8
BUDGET = 40
"""Cost points of a duel on a budget (§8)."""

UPGRADES_OFFERED = 3
_NAMES = {KING: "king", QUEEN: "queen"}


def read_deck(text: str) -> Deck:
    """The stones of a deck text, legal or not; ``BadText`` if one cannot be read."""
    return tuple(stone(code) for code in text.split(","))


def deck_text(deck: Sequence[Stone]) -> str:
    """The deck as it is written.

    >>> deck_text(STARTER)
    'Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1'
    """
    return ",".join(one.text for one in deck)


STARTER: Deck = read_deck("Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1")
"""The stones everybody begins with (§7.1)."""


def deck_objection(deck: Sequence[Stone]) -> Objection | None:
    """Why these stones are no deck (§6), or None if they are one."""
    if len(deck) != SLOTS:
        return Objection("deck-size", f"A deck has {SLOTS} stones, not {len(deck)}.")
    kinds = [one.kind for one in deck]
    for code, name in _NAMES.items():
        if kinds.count(code) > 1:
            return Objection(f"two-{name}s", f"A deck holds at most one {name}.")
    return None


def budget_objection(deck: Sequence[Stone]) -> Objection | None:
    """Why a deck may not be brought to a duel on a budget (§6, §8), or None if it may."""
    if wrong := deck_objection(deck):
        return wrong
    rare = [one.kind for one in deck if one.is_rare]
    if twice := sorted({kind for kind in rare if rare.count(kind) > 1}):
        return Objection("two-of-a-rare", f"A duel deck holds each rare stone once: {twice[0]}.")
    if any(one.level < 1 for one in deck):
        return Objection("level", "Stones of a duel deck have level 1 or more.")
    cost = sum(one.cost for one in deck)
    if cost > BUDGET:
        return Objection("too-dear", f"The deck costs {cost} points; {BUDGET} may be spent.")
    return None


# How the player's deck grows (§7.4)


def slot_for(deck: Sequence[Stone], new: Stone) -> int | None:
    """The slot (from 0) a new stone takes by itself (§7.4, 3), or None if it goes to the box.

    It has to have more spikes than the queen, if it is one and the deck has one, and than the
    weakest stone that is no king otherwise; of equally weak ones the last slot counts.
    """
    if new.kind == KING:
        return None
    queens = [slot for slot, one in enumerate(deck) if one.kind == QUEEN]
    if new.kind == QUEEN and queens:
        (weakest,) = queens
    else:
        slots = [slot for slot, one in enumerate(deck) if one.kind != KING]
        weakest = min(slots, key=lambda slot: (deck[slot].spikes, -slot))
    return weakest if new.spikes > deck[weakest].spikes else None


def with_stone(deck: Sequence[Stone], slot: int, new: Stone) -> Deck:
    """The deck with another stone in a slot (from 0)."""
    return (*deck[:slot], new, *deck[slot + 1 :])


def upgradable(deck: Sequence[Stone]) -> tuple[int, ...]:
    """The slots (from 0, ascending) whose stone is below its top level (§7.4, 4)."""
    return tuple(slot for slot, one in enumerate(deck) if one.can_grow)


def upgrade_offer(deck: Sequence[Stone], chance: Chance) -> tuple[int, ...]:
    """The slots (from 0) offered: the first three of a permutation of those that can grow."""
    slots = upgradable(deck)
    if not slots:
        return ()
    return tuple(slots[place] for place in chance.permutation(len(slots))[:UPGRADES_OFFERED])


def upgraded(deck: Sequence[Stone], slot: int) -> tuple[Deck, Stone | None]:
    """The deck after an upgrade in a slot (from 0), and the old stone if it goes to the box.

    A queen is replaced: her old level goes nowhere (A12).
    """
    old = deck[slot]
    if not old.can_grow:
        raise BadText(f"{old.text} is at its top level already.")
    return with_stone(deck, slot, old.at(old.level + 1)), None if old.kind == QUEEN else old
