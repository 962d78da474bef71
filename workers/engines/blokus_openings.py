"""What the strongest Blokus engine has learned of openings (``seeds/blokus/openings.toml``)."""

import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from services.games.blokus import notation, rules
from services.games.blokus.position import Position

FILE = Path(__file__).parents[2] / "seeds" / "blokus" / "openings.toml"

Answers = Mapping[str, int]
"""Placements that were found good, each with its share in hundredths of a long search."""


class Opening(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What to answer to the first placements of a match."""

    options: dict[str, Any]
    after: tuple[str, ...]
    answers: dict[str, int]

    def position(self) -> Position:
        """The position it is about."""
        position = rules.setup(rules.ruleset(self.options))
        for text in self.after:
            position = rules.apply(position, text).position
        return position


class _File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    opening: tuple[Opening, ...]


@cache
def openings() -> Mapping[str, Answers]:
    """The answers of the file, by the text of the position.

    >>> len(openings()) > 20
    True
    """
    known = msgspec.convert(tomllib.loads(FILE.read_text("utf-8")), _File).opening
    return {notation.format_position(one.position()): one.answers for one in known}


def as_text(one: Opening) -> str:
    """Its part of the file."""
    options = ", ".join(f'{name} = "{value}"' for name, value in one.options.items())
    answers = ", ".join(f'"{text}" = {share}' for text, share in one.answers.items())
    after = ", ".join(f'"{text}"' for text in one.after)
    lines = ("[[opening]]", f"options = {{ {options} }}", f"after = [{after}]")
    return "\n".join([*lines, f"answers = {{ {answers} }}", ""])
