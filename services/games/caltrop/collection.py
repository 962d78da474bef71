"""The player's stones in the solo game (sheet §7.1, §7.4, §7.5): individuals, deck and box.

Every stone owned has a number: its identity, and its place in the order of acquisition.
"""

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet

import msgspec
from msgspec.structs import replace

from services.games.caltrop.decks import (
    SLOTS,
    STARTER,
    Deck,
    deck_objection,
    slot_for,
    upgraded,
)
from services.games.caltrop.stones import KING, QUEEN, Stone
from services.games.contract import BadText, Objection

NOTHING = 0
"""No stone: nothing is kept, or nothing was upgraded."""


class Owned(msgspec.Struct, frozen=True):
    """A stone somebody owns; ``source`` is the number of the one it was upgraded from, or 0."""

    number: int
    stone: Stone
    source: int = NOTHING


class Collection(msgspec.Struct, frozen=True):
    """Stones owned, by number, and which of them are the deck, by slot.

    ``next`` is the number of the next stone; numbers are never used again. ``gone`` holds the
    queens that upgrades replaced: nobody owns them, but what was made of them is known.
    """

    owned: tuple[Owned, ...]
    deck: tuple[int, ...]
    next: int
    gone: tuple[Owned, ...] = ()

    def one(self, number: int) -> Owned:
        """The owned stone of a number; ``BadText`` if there is none."""
        for one in self.owned:
            if one.number == number:
                return one
        raise BadText(f"Stone {number} is not among the stones owned.")

    @property
    def stones(self) -> Deck:
        """The deck as stones, by slot."""
        return tuple(self.one(number).stone for number in self.deck)

    @property
    def box(self) -> tuple[Owned, ...]:
        """The owned stones outside the deck, in the order of acquisition."""
        return tuple(one for one in self.owned if one.number not in self.deck)

    def arranged(self, chosen: AbstractSet[int]) -> tuple[int, ...]:
        """These stones as a deck: who lies in it keeps the slot, others fill up in their order.

        >>> starter().arranged({8, 7, 6, 5, 4, 3, 2, 1})
        (1, 2, 3, 4, 5, 6, 7, 8)
        """
        new = iter(sorted(set(chosen) - set(self.deck)))
        kept = (number if number in chosen else next(new, NOTHING) for number in self.deck)
        return tuple(number for number in (*kept, *new) if number != NOTHING)

    def strongest(self) -> tuple[int, ...]:
        """The legal deck with the most spikes, as it is arranged.

        Of equals a stone of the deck comes first, then the one owned longest.
        """
        best: list[Owned] = []
        for one in sorted(self.owned, key=self._weakness):
            if len(best) < SLOTS and _fits(one.stone, [other.stone.kind for other in best]):
                best.append(one)
        return self.arranged({one.number for one in best})

    def _weakness(self, one: Owned) -> tuple[int, bool, int]:
        return -one.stone.spikes, one.number not in self.deck, one.number


def starter() -> Collection:
    """What a new game begins with: the starter stones, all of them in the deck (§7.1)."""
    owned = tuple(Owned(number, stone) for number, stone in enumerate(STARTER, start=1))
    return Collection(owned, tuple(one.number for one in owned), len(owned) + 1)


def choice_objection(collection: Collection, deck: Sequence[int]) -> Objection | None:
    """Why these numbers, by slot, cannot be the deck (*change stones*, §6), or None."""
    numbers = {one.number for one in collection.owned}
    if strange := [number for number in deck if number not in numbers]:
        return Objection("not-owned", f"Stone {strange[0]} is not among the stones owned.")
    if len(set(deck)) < len(deck):
        return Objection("stone-twice", "A stone lies in one slot only.")
    return deck_objection([collection.one(number).stone for number in deck])


def with_deck(collection: Collection, deck: Sequence[int]) -> Collection:
    """The collection with another deck, which has no objection."""
    return replace(collection, deck=tuple(deck))


def with_new_stone(collection: Collection, new: Stone) -> tuple[Collection, int | None]:
    """The collection with a stone won, and the slot (from 0) it took by itself (§7.4, 3)."""
    number, slot = collection.next, slot_for(collection.stones, new)
    deck = collection.deck if slot is None else _put(collection.deck, slot, number)
    owned = (*collection.owned, Owned(number, new))
    return replace(collection, owned=owned, deck=deck, next=number + 1), slot


def with_upgrade(collection: Collection, slot: int) -> Collection:
    """The collection after the upgrade of the stone in a slot (from 0), §7.4, 4."""
    old = collection.one(collection.deck[slot])
    deck, to_box = upgraded(collection.stones, slot)
    number = collection.next
    kept = tuple(one for one in collection.owned if to_box is not None or one != old)
    return replace(
        collection,
        owned=(*kept, Owned(number, deck[slot], old.number)),
        deck=_put(collection.deck, slot, number),
        next=number + 1,
        gone=collection.gone if to_box is not None else (*collection.gone, old),
    )


def gained(for_good: Collection, in_run: Collection) -> tuple[Owned, ...]:
    """The stones of a run that are not owned for good: one of them may be kept (§7.5)."""
    before = {one.number for one in for_good.owned}
    return tuple(one for one in in_run.owned if one.number not in before)


def after_run(for_good: Collection, in_run: Collection, keep: int = NOTHING) -> Collection:
    """What is owned for good once a run is over and one gained stone (or nothing) is kept (§7.5).

    ``for_good`` is the collection at the start of the run, ``in_run`` the run's copy at its end.
    """
    owned = for_good.owned
    if keep != NOTHING:
        kept = in_run.one(keep)
        if kept not in gained(for_good, in_run):
            raise BadText(f"Stone {keep} was not gained in this run.")
        older = tuple(_sources(in_run, kept))
        if kept.stone.kind == QUEEN:
            owned = tuple(one for one in owned if one.number not in older)
        numbers = {one.number for one in owned}
        # What lies between is dropped with the run, so the kept stone names its nearest ancestor.
        source = next((number for number in older if number in numbers), NOTHING)
        owned = (*owned, replace(kept, source=source))
    ended = Collection(owned, (), in_run.next)
    return replace(ended, deck=_refilled(ended, in_run))


def _refilled(ended: Collection, in_run: Collection) -> tuple[int, ...]:
    """The run's deck; slots whose stone is lost are filled in the order of the slots."""
    owned = {one.number for one in ended.owned}
    slots = [number if number in owned else NOTHING for number in in_run.deck]
    for slot, number in enumerate(in_run.deck):
        if slots[slot] == NOTHING:
            slots[slot] = _successor(ended, in_run, number, slots)
    return tuple(slots)


def _successor(ended: Collection, in_run: Collection, lost: int, slots: list[int]) -> int:
    """What takes the slot of a lost stone: what it was made of, else the strongest that fits."""
    outside = [one for one in ended.owned if one.number not in slots]
    by_number = {one.number: one for one in outside}
    for number in _sources(in_run, _known(in_run, lost)):
        if number in by_number:
            return number
    filled = [ended.one(number).stone.kind for number in slots if number != NOTHING]
    fitting = [one for one in outside if _fits(one.stone, filled)]
    return max(fitting, key=lambda one: (one.stone.spikes, -one.number)).number


def _fits(stone: Stone, kinds: Iterable[str]) -> bool:
    return stone.kind not in (KING, QUEEN) or stone.kind not in kinds


def _sources(in_run: Collection, one: Owned) -> Iterable[int]:
    """The numbers of what a stone was upgraded from, back to the first."""
    while one.source != NOTHING:
        yield one.source
        one = _known(in_run, one.source)


def _known(in_run: Collection, number: int) -> Owned:
    return next(one for one in (*in_run.owned, *in_run.gone) if one.number == number)


def _put(deck: Sequence[int], slot: int, number: int) -> tuple[int, ...]:
    return (*deck[:slot], number, *deck[slot + 1 :])
