"""What a campaign is played by: a difficulty and the roster, read from seeds, kept in the log.

A campaign carries both whole, so a change of the seeds changes no campaign that has begun.
"""

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from services.games.caltrop import rules
from services.games.caltrop.growth import Difficulty, read_difficulties
from services.games.caltrop.opponents import Opponent, read_roster

SEEDS = Path(__file__).parent.parent.parent / "seeds" / rules.slug

LEVELS = {2: 2, 0: 8}
"""The computer level that looks so many placements ahead (0: as far as it can)."""


class SoloRules(msgspec.Struct, frozen=True):
    """A difficulty, and the opponents by number."""

    difficulty: Difficulty
    roster: tuple[Opponent, ...]

    @property
    def level(self) -> int:
        """The computer level of the opponents."""
        return LEVELS[self.difficulty.look_ahead]

    def opponent(self, number: int) -> Opponent:
        """An opponent by number."""
        return self.roster[number - 1]

    def data(self) -> dict[str, Any]:
        """Both as plain data: what the log keeps."""
        opponents = [
            {
                "number": one.number,
                "name": one.name,
                "deck": " ".join(stone.type for stone in one.deck),
            }
            for one in self.roster
        ]
        difficulty = msgspec.to_builtins(self.difficulty)
        groups = [list(group) for group in self.difficulty.groups]  # as JSON gives them back
        return {"difficulty": {**difficulty, "groups": groups}, "opponents": opponents}


def rules_of(data: Mapping[str, Any]) -> SoloRules:
    """The rules that a log kept as plain data."""
    (difficulty,) = read_difficulties({"difficulty": [data["difficulty"]]}).values()
    return SoloRules(difficulty, read_roster({"opponent": data["opponents"]}))


class Offering(msgspec.Struct, frozen=True):
    """What a new campaign can be begun with."""

    difficulties: Mapping[str, Difficulty]
    roster: tuple[Opponent, ...]

    @classmethod
    def load(cls, folder: Path = SEEDS) -> "Offering":
        """The seeds of a folder; ``BadText`` says what is wrong with them."""
        difficulties = tomllib.loads((folder / "difficulties.toml").read_text("utf-8"))
        roster = tomllib.loads((folder / "rosters" / "opponents.toml").read_text("utf-8"))
        return cls(read_difficulties(difficulties), read_roster(roster))

    def rules(self, difficulty: str) -> SoloRules | None:
        """The rules of a difficulty; None if there is no such one."""
        found = self.difficulties.get(difficulty)
        return None if found is None else SoloRules(found, self.roster)
