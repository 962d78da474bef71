"""The ways to play a game that have a name: ``seeds/<game>/rulesets/*.toml``.

A file holds a ruleset and nothing else; the comment it opens with says what it is like.
"""

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

import msgspec

from services.api.services import Services
from services.games.contract import Game
from services.web.words import ruleset_words


class NamedRuleset(msgspec.Struct, frozen=True):
    """A ruleset with the words a page shows for it."""

    game: str
    name: str
    title: str
    about: str
    ruleset: dict[str, Any]
    seats: int

    @property
    def words(self) -> str:
        """The name as it is read."""
        return self.name.replace("-", " ")


@lru_cache(64)
def rulesets_of(seeds: Path, game: Game) -> tuple[NamedRuleset, ...]:
    """Every named ruleset of a game, by name; read once, seeds do not change in a process."""
    files = sorted((seeds / game.rules.slug / "rulesets").glob("*.toml"), key=lambda f: f.stem)
    return tuple(_read(game, file) for file in files)


def _read(game: Game, file: Path) -> NamedRuleset:
    text = file.read_text("utf-8")
    ruleset = game.rules.ruleset(tomllib.loads(text))
    return NamedRuleset(
        game=game.rules.slug,
        name=file.stem,
        title=f"{game.title} {file.stem.replace('-', ' ')}",
        about=opening_comment(text),
        ruleset=game.rules.ruleset_data(ruleset),
        seats=game.rules.terms(ruleset).seats,
    )


def way_words(services: Services, game: str, ruleset: Mapping[str, object]) -> str:
    """The way a match is played: its name if it has one, else its options."""
    for named in rulesets_of(services.seeds, services.games.game(game)):
        if named.ruleset == ruleset:
            return named.words
    return ruleset_words(ruleset)


def opening_comment(text: str) -> str:
    r"""The comment a file begins with, as one paragraph.

    >>> opening_comment("# Two people,\n# small board.\nvariant = 'duo'\n# not this\n")
    'Two people, small board.'
    """
    lines = takewhile(lambda line: line.startswith("#"), text.splitlines())
    return " ".join(line.lstrip("# ").rstrip() for line in lines)
