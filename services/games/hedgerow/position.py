"""What a match of Hedgerow is made of: rulesets, scores, and positions as frozen values."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import msgspec

from services.games.contract import BadText, Seat
from services.games.hedgerow.board import EMPTY, Board
from services.games.hedgerow.pieces import PER_TYPE, TYPES

GAMES = 2
PLACEMENTS = 49
HARVESTS = 10
STUCK_NET = 30
"""What a stuck game counts where it does not lose the match (sheet §10, A5)."""


SEAT_NAMES: tuple[Seat, Seat] = ("A", "B")

OPTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "boundary_edges": ("allowed", "forbidden"),
        "cross_presence": ("no", "yes"),
        "stuck_loss": ("match", "game"),
        "first": SEAT_NAMES,
    }
)
"""The values of every option, the usual one first."""


class Ruleset(msgspec.Struct, frozen=True):
    """The options (sheet §10), and the seat that begins game 1."""

    boundary_edges: str = "allowed"
    cross_presence: str = "no"
    stuck_loss: str = "match"
    first: Seat = "A"


def read_ruleset(data: Mapping[str, Any]) -> Ruleset:
    """A checked ruleset; options that are not named have their usual value."""
    for name, value in data.items():
        if name not in OPTIONS:
            raise BadText(f"Hedgerow has no option {name[:40]!r}; it has {', '.join(OPTIONS)}.")
        if value not in OPTIONS[name]:
            raise BadText(f"{name} is {' or '.join(OPTIONS[name])}.")
    return Ruleset(**data)


class Score(msgspec.Struct, frozen=True):
    """What a game has come to so far, from owner 1's side; ``stuck``: the owner who was (0: no)."""

    regions: int = 0
    isolation: int = 0
    harvest: int = 0
    stuck: int = 0

    @property
    def net(self) -> int:
        """The game's result for owner 1 (sheet §8)."""
        if self.stuck:
            return -STUCK_NET if self.stuck == 1 else STUCK_NET
        return self.regions + self.isolation + self.harvest


class Position(msgspec.Struct, frozen=True):
    """A position of the whole match.

    ``board`` holds every piece placed in this game, also when it is harvested: ``standing`` is
    the set of squares whose piece is still there. ``supply`` counts the pieces not placed,
    owner 1's five types and then owner 2's. ``turns`` counts this game's placements and
    harvests. ``scores`` has an entry for each game begun, this one last. ``loser`` lost the
    match by being stuck or giving up; ``last`` is this game's last move.
    """

    ruleset: Ruleset
    board: Board = EMPTY
    standing: int = 0
    supply: bytes = bytes([PER_TYPE]) * 2 * len(TYPES)
    turns: int = 0
    scores: tuple[Score, ...] = (Score(),)
    over: bool = False
    loser: Seat = ""
    last: str = ""

    @property
    def game(self) -> int:
        """The game of the match that is being played: 1 or 2."""
        return len(self.scores)

    @property
    def is_placing(self) -> bool:
        """Whether this game is in its placement phase."""
        return self.turns < PLACEMENTS

    @property
    def mover(self) -> int:
        """The owner whose turn it is; owner 2 begins the harvest (sheet §7)."""
        return 1 + self.turns % 2

    def seat_of(self, owner: int) -> Seat:
        """The seat that plays as this owner in this game: the seats swap after game 1."""
        return seat_of(self.ruleset, self.game, owner)

    def left(self, owner: int) -> bytes:
        """The pieces an owner has not placed, by type."""
        return self.supply[:5] if owner == 1 else self.supply[5:]

    @property
    def total(self) -> int:
        """Seat A's points of the finished games (sheet §8)."""
        finished = self.scores if self.over and not self.loser else self.scores[:-1]
        return sum(
            score.net if seat_of(self.ruleset, game, 1) == "A" else -score.net
            for game, score in enumerate(finished, start=1)
        )


def other(seat: Seat) -> Seat:
    """The seat opposite."""
    return "B" if seat == "A" else "A"


def seat_of(ruleset: Ruleset, game: int, owner: int) -> Seat:
    """The seat that plays as an owner in a game."""
    return ruleset.first if game % 2 == owner % 2 else other(ruleset.first)
