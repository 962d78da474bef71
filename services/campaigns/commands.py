"""What can be asked of a campaign or a run. Like a match's commands, they are never stored.

Whoever asks names what they look at (a run's number, a match's number), so a late or repeated
request never means something else than it did.
"""

from typing import Annotated

import msgspec

from services.match.commands import Command

Number = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
StoneNumber = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
Slot = Annotated[int, msgspec.Meta(ge=1, le=8)]
DeckNumbers = Annotated[tuple[StoneNumber, ...], msgspec.Meta(min_length=1, max_length=8)]
DifficultyName = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z-]{0,31}$", max_length=32)]


class StartCampaign(Command, frozen=True, tag="start-campaign"):
    """Begin a new game; the difficulty is chosen once."""

    difficulty: DifficultyName


class StartRun(Command, frozen=True, tag="start-run"):
    """Begin the ``number``-th run of a campaign."""

    number: Number


class KeepStone(Command, frozen=True, tag="keep-stone"):
    """Settle the ``number``-th run: keep a stone gained in it for good, or none (0)."""

    number: Number
    stone: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class ChangeStones(Command, frozen=True, tag="change-stones"):
    """Put other owned stones into the deck; their numbers by slot."""

    deck: DeckNumbers


class Fight(Command, frozen=True, tag="fight"):
    """Begin the ``number``-th match of the run."""

    number: Number


class ChooseUpgrade(Command, frozen=True, tag="choose-upgrade"):
    """Take one of the upgrades offered after the ``number``-th match."""

    number: Number
    slot: Slot


class CountResult(Command, frozen=True, tag="count-result"):
    """The run's match is over: who won it, and how. The server's own step."""

    match: str
    won: bool
    how: str


class GrowOpponents(Command, frozen=True, tag="grow"):
    """Let the opponents gain the levels of the ``number``-th win. The server's own step."""

    number: Number


RunCommand = ChangeStones | Fight | ChooseUpgrade | CountResult | GrowOpponents
"""What is asked of a run that has begun."""
