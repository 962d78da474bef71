"""The ways to play a game that have a name: ``seeds/<game>/rulesets/*.toml``.

A file holds a ruleset and nothing else; the comment it opens with says what it is like.
"""

import tomllib
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from services.games.registry import REGISTRY


class NamedRuleset(msgspec.Struct, frozen=True):
    """A ruleset with the words a page shows for it."""

    game: str
    name: str
    title: str
    about: str
    ruleset: dict[str, Any]
    seats: int


def rulesets_of(seeds: Path, game: str) -> tuple[NamedRuleset, ...]:
    """Every named ruleset of a game, by name."""
    files = sorted((seeds / game / "rulesets").glob("*.toml"), key=lambda file: file.stem)
    return tuple(_read(game, file) for file in files)


def _read(game: str, file: Path) -> NamedRuleset:
    text = file.read_text("utf-8")
    known = REGISTRY.game(game)
    ruleset = known.rules.ruleset(tomllib.loads(text))
    return NamedRuleset(
        game=game,
        name=file.stem,
        title=f"{known.title} {file.stem.replace('-', ' ')}",
        about=opening_comment(text),
        ruleset=known.rules.ruleset_data(ruleset),
        seats=known.rules.terms(ruleset).seats,
    )


def opening_comment(text: str) -> str:
    r"""The comment a file begins with, as one paragraph.

    >>> opening_comment("# Two people,\n# small board.\nvariant = 'duo'\n# not this\n")
    'Two people, small board.'
    """
    lines = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").rstrip() for line in lines)
