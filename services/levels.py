"""Computer levels as data: what a level of a game is made of (``seeds/levels.toml``)."""

import tomllib
from collections.abc import Iterable
from pathlib import Path

import msgspec

LEVELS_FILE = Path(__file__).parent.parent / "seeds" / "levels.toml"

OWN_LEVEL_MAX = 8
"""A game's own levels end here; an operator's further ones need not be stronger."""


class LevelSpec(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One level of one game: which engine answers, and how hard it tries.

    ``budget`` counts playouts, nodes or moves looked at, ``noise`` is per mille; ``queue`` is
    the weight class of its turns. In a game with hidden things the answer is handed in a whole
    multiple of ``pace_ms`` after the question, so that its time tells nothing of them.
    """

    game: str
    level: int
    engine: str
    engine_version: int
    budget: int
    noise: int = 0
    queue: str = "ai.quick"
    pace_ms: int = 500


class _LevelsFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    level: tuple[LevelSpec, ...]


class Levels:
    """Every level there is, looked up by game and number.

    >>> Levels([LevelSpec("blokus", 1, "greedy", 1, 0)]).known("blokus")
    (1,)
    """

    def __init__(self, specs: Iterable[LevelSpec]) -> None:
        self._specs: dict[tuple[str, int], LevelSpec] = {}
        for spec in specs:
            if (spec.game, spec.level) in self._specs:
                raise ValueError(f"{spec.game} level {spec.level} is listed twice")
            self._specs[spec.game, spec.level] = spec

    @classmethod
    def load(cls, *further: Path) -> "Levels":
        """The levels of the house and of ``further`` files.

        ``ValueError`` says what is wrong with one (``tomllib`` and msgspec raise kinds of it),
        ``OSError`` that it cannot be read.
        """
        files = [tomllib.loads(path.read_text("utf-8")) for path in (LEVELS_FILE, *further)]
        return cls(spec for file in files for spec in msgspec.convert(file, _LevelsFile).level)

    def spec(self, game: str, level: int) -> LevelSpec | None:
        """What the level is made of; None if the game has no such level."""
        return self._specs.get((game, level))

    def known(self, game: str) -> tuple[int, ...]:
        """The levels a game has, weakest first."""
        return tuple(sorted(level for name, level in self._specs if name == game))

    def own(self, game: str) -> tuple[int, ...]:
        """The levels of the house, each stronger than the one before; not the operator's own."""
        return tuple(level for level in self.known(game) if level <= OWN_LEVEL_MAX)

    def specs(self) -> tuple[LevelSpec, ...]:
        """Every level of every game."""
        return tuple(self._specs.values())
