"""How the opponents of a run grow (sheet §7.1, §7.4, 1): difficulties, and steps of a deck."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from services.games.caltrop.decks import Deck, with_stone
from services.games.caltrop.stones import KINDS, Stone
from services.games.contract import BadText

OTHERS = "others"
"""The name of the group of all kinds that no earlier group names."""

BOSS_SKIPS = 3
"""The wins of a run after which the boss does not grow yet (A15)."""


class Difficulty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A difficulty as its card says it.

    ``look_ahead`` counts placements (0: as far as they can), ``groups`` are kinds by code, in
    the order in which they grow.
    """

    slug: str
    title: str
    look_ahead: int
    levels_per_win: int
    groups: tuple[tuple[str, ...], ...]


class _DifficultiesFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    difficulty: tuple[Difficulty, ...]


def read_difficulties(data: Mapping[str, Any]) -> Mapping[str, Difficulty]:
    """The difficulties of a file's plain data, easiest first; ``BadText`` says what is wrong."""
    try:
        found = msgspec.convert(data, _DifficultiesFile).difficulty
    except msgspec.ValidationError as error:
        raise BadText(f"The difficulties cannot be read: {error}.") from None
    for one in found:
        if strange := [k for group in one.groups for k in group if k != OTHERS and k not in KINDS]:
            raise BadText(f"{one.slug}: {strange[0]!r} is no kind of stone.")
    return {one.slug: one for one in found}


def growing_slot(deck: Sequence[Stone], groups: Iterable[Sequence[str]]) -> int | None:
    """The slot (from 0) whose stone rises in one step (A9), None if nothing can.

    The first group with a stone below its top level is used; there the lowest level rises
    first, and among equals the first in deck order. A king never does.
    """
    named: set[str] = set()
    for group in groups:
        slots = [slot for slot, one in enumerate(deck) if _is_in(one, group, named)]
        if growing := [slot for slot in slots if deck[slot].can_grow]:
            return min(growing, key=lambda slot: (deck[slot].level, slot))
        named.update(group)
    return None


def _is_in(stone: Stone, group: Sequence[str], named: set[str]) -> bool:
    return stone.kind in group or (OTHERS in group and stone.kind not in named)


def grown(
    deck: Deck, difficulty: Difficulty, win: int, *, boss: bool = False
) -> tuple[Deck, tuple[int, ...]]:
    """A deck after the ``win``-th win of a run (from 1), and the slots (from 0) that rose.

    The boss skips the first wins. A deck with nothing to raise stays.
    """
    risen: list[int] = []
    if boss and win <= BOSS_SKIPS:
        return deck, ()
    for _ in range(difficulty.levels_per_win):
        slot = growing_slot(deck, difficulty.groups)
        if slot is None:
            break
        deck = with_stone(deck, slot, deck[slot].at(deck[slot].level + 1))
        risen.append(slot)
    return deck, tuple(risen)


def deck_after(deck: Deck, difficulty: Difficulty, wins: int, *, boss: bool = False) -> Deck:
    """A deck after the wins 1 to ``wins`` of a run: the fold that every record has to equal."""
    for win in range(1, wins + 1):
        deck, _ = grown(deck, difficulty, win, boss=boss)
    return deck
