"""A computer level that speaks GTP: the commands it knows, over one table."""

from collections.abc import Mapping
from importlib.metadata import version
from time import process_time
from types import MappingProxyType
from typing import Any

from ops.gtp_protocol import QUIT, Command, GtpError
from ops.gtp_tables import Table, new_table
from ops.rulesets import UnknownRuleset, ruleset_named
from services.games.registry import game, games
from services.levels import Levels
from workers.engines.contract import Question
from workers.engines.dice import Dice
from workers.engines.gtp_blokus import NAMES
from workers.engines.registry import think, warm

USUAL = MappingProxyType({"caltrop": "classic", "hedgerow": "standard", "triangles": "classic"})
"""The ruleset where only the game is named; of Blokus the one that its programs call so."""
SEED_MAX_CHARS = 40
"""Longest seed that is read: what is longer is no seed, and Python reads no endless number."""


class Session:
    """One program's talk with us; ``commands`` is everything it may ask.

    Answers follow from the seed and the moves before them, also after ``undo``.
    """

    def __init__(self, name: str, level: int, seed: int) -> None:
        self._level, self._seed = level, seed
        self._set_game(name)
        self.commands: Mapping[str, Command] = {
            "protocol_version": lambda: "2",
            "name": lambda: "Plybook",
            "version": lambda: version("plybook"),
            "known_command": lambda name: "true" if name in self.commands else "false",
            "list_commands": lambda: "\n".join(self.commands),
            "set_game": self._set_game,
            "clear_board": self._clear_board,
            "play": self._play,
            "undo": self._undo,
            "genmove": self._genmove,
            "reg_genmove": self._reg_genmove,
            "all_legal": lambda side: "\n".join(self._table.legal(side)),
            "final_score": self._final_score,
            "showboard": self._showboard,
            "set_random_seed": self._set_random_seed,
            "cputime": lambda: f"{process_time():.3f}",
            QUIT: lambda: "",
        }

    @property
    def _table(self) -> Table:
        return self._tables[-1]

    def _sit_down(self, slug: str, options: Mapping[str, Any]) -> None:
        """A new game by these rules, if we can play it at all; else everything stays."""
        spec = Levels.load().spec(slug, self._level)
        if spec is None:
            raise GtpError(f"{slug} has no level {self._level}")
        tables = [new_table(slug, options, self._seed)]
        warm(spec.engine, spec.engine_version)  # no move is to wait for a compiler
        self._spec, self._options, self._tables = spec, options, tables

    def _set_game(self, *words: str) -> str:
        slug, options = game_named(" ".join(words))
        self._sit_down(slug, options)
        return ""

    def _clear_board(self) -> str:
        self._tables = [new_table(self._spec.game, self._options, self._seed)]
        return ""

    def _set_random_seed(self, number: str) -> str:
        if not number.removeprefix("-").isdecimal() or len(number) > SEED_MAX_CHARS:
            raise GtpError(f"the seed is a whole number, not '{number[:SEED_MAX_CHARS]}'")
        self._seed = int(number)
        return ""

    def _play(self, side: str, move: str) -> str:
        self._tables.append(self._table.play(side, move))
        return ""

    def _undo(self) -> str:
        if len(self._tables) == 1:
            raise GtpError("cannot undo")
        self._tables.pop()
        return ""

    def _genmove(self, side: str) -> str:
        move = self._thought(side)
        if move is None:
            return "pass"
        self._tables.append(self._table.play(side, move))
        return move

    def _reg_genmove(self, side: str) -> str:
        return self._thought(side) or "pass"

    def _thought(self, side: str) -> str | None:
        position = self._table.asked(side)
        return None if position is None else think(self._question(position)).move

    def _question(self, position: Any) -> Question:
        played, spec = game(self._spec.game), self._spec
        dice = Dice(self._seed)
        return Question(
            game=spec.game,
            rules_version=played.rules.version,
            ruleset=dict(self._options),
            view=played.notation.format_position(position),
            seat=str(played.rules.awaiting(position)),
            seed=[dice.draw64() for _ in self._tables][-1],
            engine=spec.engine,
            engine_version=spec.engine_version,
            level=spec.level,
            budget=spec.budget,
            noise=spec.noise,
        )

    def _final_score(self) -> str:
        return self._table.score()

    def _showboard(self) -> str:
        return "\n" + game(self._spec.game).drawing.text(self._table.position, None)


def game_named(name: str) -> tuple[str, Mapping[str, Any]]:
    """The game and ruleset of a name; ``GtpError`` says what there is.

    Blokus has the names that its programs use; everything else a game and one of its rulesets.

    >>> game_named("blokus duo")[1] == game_named("Blokus  Duo")[1]
    True
    >>> game_named("hedgerow walled")[0]
    'hedgerow'
    """
    wanted = " ".join(name.lower().split())
    for variant, theirs in NAMES.items():
        if wanted == theirs.lower():
            return "blokus", {"variant": variant, "corners": "fixed"}
    slug, _, ruleset = wanted.partition(" ")
    ours = [known.rules.slug for known in games()]
    if slug not in ours:
        there_are = ", ".join((*NAMES.values(), *ours))
        raise GtpError(f"there is no game '{name.strip()}'; there are {there_are}")
    try:
        return slug, ruleset_named(slug, ruleset.replace(" ", "-") or USUAL[slug])
    except UnknownRuleset as unknown:
        raise GtpError(str(unknown)) from None
