"""The named ways to play a game: ``seeds/<game>/rulesets/*.toml``, as plain data."""

import tomllib
from typing import Any

from services.games.registry import game
from services.levels import LEVELS_FILE

SEEDS = LEVELS_FILE.parent


class UnknownRuleset(LookupError):
    """A game has no ruleset of that name; says which it has."""


def ruleset_names(slug: str) -> tuple[str, ...]:
    """The rulesets of a game, in the order of the alphabet."""
    return tuple(sorted(file.stem for file in (SEEDS / slug / "rulesets").glob("*.toml")))


def ruleset_named(slug: str, name: str) -> dict[str, Any]:
    """The whole ruleset of that name; ``UnknownRuleset`` or ``UnknownGame`` if there is none.

    >>> ruleset_named("blokus", "duo")
    {'variant': 'duo', 'corners': 'fixed'}
    """
    rules, known = game(slug).rules, ruleset_names(slug)
    if name not in known:
        raise UnknownRuleset(f"{slug} has no ruleset {name!r}; it has {', '.join(known)}.")
    data = tomllib.loads((SEEDS / slug / "rulesets" / f"{name}.toml").read_text("utf-8"))
    return rules.ruleset_data(rules.ruleset(data))
