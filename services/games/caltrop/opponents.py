"""The opponents of the solo game (sheet §7.2): a roster is data, read and checked here."""

from collections.abc import Mapping
from typing import Any

import msgspec

from services.games.caltrop.decks import Deck, deck_objection
from services.games.caltrop.rewards import ALWAYS, BOSS
from services.games.caltrop.stones import first_of
from services.games.contract import BadText


class Opponent(msgspec.Struct, frozen=True):
    """Somebody to be beaten; ``deck`` is at level 0, in the roster's own order."""

    number: int
    name: str
    deck: Deck

    @property
    def is_boss(self) -> bool:
        """Whether a run ends with this one."""
        return self.number == BOSS


class _Entry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    name: str
    deck: str


class _RosterFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    opponent: tuple[_Entry, ...]


def read_roster(data: Mapping[str, Any]) -> tuple[Opponent, ...]:
    """The opponents of a roster's plain data, by number; ``BadText`` says what is wrong.

    Decks are written as types without levels, separated by blanks: ``ED Q B Nn Ne Pn Pe Pw``.
    """
    try:
        entries = msgspec.convert(data, _RosterFile).opponent
    except msgspec.ValidationError as error:
        raise BadText(f"The roster cannot be read: {error}.") from None
    if [one.number for one in entries] != list(range(1, BOSS + 1)):
        raise BadText(f"A roster lists the opponents 1 to {BOSS} in order.")
    roster = tuple(Opponent(one.number, one.name, _deck(one)) for one in entries)
    if any(not any(s.is_rare for s in roster[number - 1].deck) for number in ALWAYS):
        raise BadText(f"Opponents {ALWAYS[0]} and {ALWAYS[1]} bring a rare stone each.")
    return roster


def _deck(entry: _Entry) -> Deck:
    deck = tuple(first_of(type_) for type_ in entry.deck.split())
    if wrong := deck_objection(deck):
        raise BadText(f"{entry.name}: {wrong.sentence}")
    return deck
