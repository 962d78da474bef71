"""The options of Triangles (``seeds/triangles/RULES.md`` §9)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from services.games.contract import SEATS, BadText, Seat
from services.games.triangles.tiles import TILES

HAND_SIZE_OF_MANY = 7
"""What three or four seats are dealt: four hands of 16 would be more than there is."""

ROUNDS_MAX = 100


class Ruleset(msgspec.Struct, frozen=True, kw_only=True):
    """The options, in the sheet's order; ``max_rounds`` 0 means no cap."""

    target: int = 400
    hand_size: int = 8
    score_placement: bool = True
    opening_tile: str = "qualifying"
    bridge_two_sides: bool = False
    max_rounds: int = 40
    players: int = 2

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, A first: also the order of turns."""
        return SEATS[: self.players]

    @property
    def market_size(self) -> int:
        """The tiles left when the hands are dealt."""
        return len(TILES) - self.players * self.hand_size


VALUES: Mapping[str, tuple[Any, ...]] = MappingProxyType(
    {
        "target": (200, 400, 500, 600),
        "hand_size": tuple(range(7, 17)),
        "score_placement": (True, False),
        "opening_tile": ("qualifying", "free"),
        "bridge_two_sides": (False, True),
        "max_rounds": tuple(range(ROUNDS_MAX + 1)),
        "players": (2, 3, 4),
    }
)
"""Every value of every option."""


def ruleset(data: Mapping[str, Any]) -> Ruleset:
    """A checked ruleset; with three or four players ``hand_size`` is 7 whatever is asked."""
    for name, value in data.items():
        if name not in VALUES:
            raise BadText(f"Triangles has no option {name[:40]!r}; it has {', '.join(VALUES)}.")
        # True is 1 to Python, and not to us.
        if not any(type(value) is type(known) and value == known for known in VALUES[name]):
            raise BadText(f"{name} is one of {_listed(name)}.")
    checked = Ruleset(**data)
    if checked.players > 2:
        return msgspec.structs.replace(checked, hand_size=HAND_SIZE_OF_MANY)
    return checked


def _listed(name: str) -> str:
    values = VALUES[name]
    if len(values) > 5:
        return f"{values[0]} to {values[-1]}"
    return ", ".join(option_text(value) for value in values)


def ruleset_data(ruleset: Ruleset) -> dict[str, Any]:
    """The whole ruleset as plain data, in the sheet's order."""
    return {name: getattr(ruleset, name) for name in VALUES}


def option_text(value: object) -> str:
    """The value of an option as it is written in records and position lines."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def option_value(name: str, text: str) -> Any:
    """The value a text stands for; ``BadText`` if the option has no such value."""
    for value in VALUES.get(name, ()):
        if option_text(value) == text:
            return value
    if name in VALUES:
        raise BadText(f"{name} is one of {_listed(name)}.")
    raise BadText(f"Triangles has no option {name[:40]!r}; it has {', '.join(VALUES)}.")
