"""What a run is: the fold of its events (``run_folding.py``). What is remembered stands here.

The fold with a ``Secret`` is the server's; without one it is anybody's, and nothing in it is
hidden: of the order only the next opponent is known until the run has ended.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from events.event_kinds import RunEnded
from services.campaigns.solo_rules import SoloRules
from services.games.caltrop.collection import Collection, starter
from services.games.caltrop.decks import Deck
from services.games.caltrop.rewards import MATCHES
from services.match.secret import Secret

Phase = Literal["ready", "fighting", "growing", "upgrade", "ended"]


class RunMatch(msgspec.Struct, frozen=True):
    """A match of the run: the decks as texts, who placed first, and how it ended (or ``""``)."""

    number: int
    match: str
    opponent: int
    deck: str
    against: str
    first: str
    level: int
    won: bool = False
    how: str = ""


class RunState(msgspec.Struct, frozen=True):
    """A run after ``version`` events.

    ``decks`` are the opponents' by number, with their levels of now; ``grown`` counts the wins
    they have grown for; ``offer`` lists the slots (from 1) of which one is to be upgraded.
    ``since`` (µs) is when the last match ended. Only before the first event there are no rules.
    """

    run: str
    secret: Secret | None = None
    version: int = 0
    campaign: str = ""
    number: int = 0
    player: str = ""
    game: str = ""
    rules: SoloRules | None = None
    for_good: Collection = starter()
    collection: Collection = starter()
    seed_commit: str = ""
    opponent: int = 0
    decks: Mapping[int, Deck] = {}
    matches: tuple[RunMatch, ...] = ()
    wins: int = 0
    grown: int = 0
    offer: tuple[int, ...] = ()
    since: int = 0
    ended: RunEnded | None = None

    @property
    def the_rules(self) -> SoloRules:
        """What the run is played by."""
        assert self.rules is not None, "a run without events has no rules"
        return self.rules

    @property
    def running(self) -> RunMatch | None:
        """The match that is being played."""
        last = self.matches[-1] if self.matches else None
        return None if last is None or last.how else last

    @property
    def next_match(self) -> int:
        """The number of the match that is played now, or comes next."""
        return self.wins + 1

    @property
    def is_growing(self) -> bool:
        """Whether the opponents have levels to gain before the next match."""
        return self.ended is None and self.grown < self.wins < MATCHES

    @property
    def phase(self) -> Phase:
        """What the run waits for: nothing any more, a match, a choice, growth, or the player."""
        if self.ended is not None:
            return "ended"
        if self.running is not None:
            return "fighting"
        if self.offer:
            return "upgrade"
        return "growing" if self.is_growing else "ready"


def initial(run: str, secret: Secret | None = None) -> RunState:
    """The run before its first event."""
    return RunState(run=run, secret=secret)
