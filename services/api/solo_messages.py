"""The words of the solo game on the wire."""

from typing import Annotated

import msgspec

from services.api.messages import Asked, PublicEvent
from services.campaigns import commands as cmd
from services.campaigns.views import CampaignView, RunView


class NewCampaign(Asked, frozen=True):
    """Begin a new game; the difficulty is chosen once."""

    difficulty: cmd.DifficultyName


class NewRun(Asked, frozen=True):
    """Begin the run of this number."""

    number: cmd.Number


class Keeping(Asked, frozen=True):
    """Settle the run of this number: the stone to keep, or 0 for none."""

    number: cmd.Number
    stone: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 0


class NewDeck(Asked, frozen=True):
    """The numbers of eight owned stones, by slot."""

    deck: cmd.DeckNumbers


class Fighting(Asked, frozen=True):
    """Begin the match of this number."""

    number: cmd.Number


class Upgrading(Asked, frozen=True):
    """The slot to upgrade, after the match of this number."""

    number: cmd.Number
    slot: cmd.Slot


class CampaignAnswer(msgspec.Struct, frozen=True):
    """A campaign and where it stands; ``head`` is the hash (hex) of event ``version``."""

    campaign: str
    version: int
    head: str
    mine: bool
    view: CampaignView


class RunAnswer(msgspec.Struct, frozen=True):
    """A run and where it stands; ``head`` is the hash (hex) of event ``version``."""

    run: str
    version: int
    head: str
    mine: bool
    view: RunView


class SoloEventPage(msgspec.Struct, frozen=True):
    """Events in order; ``next`` is the version to pass as ``after`` (0: the end)."""

    stream: str
    events: tuple[PublicEvent, ...]
    next: int
