"""A campaign: what is owned for good, over its runs. State, steps and decisions, all pure."""

from collections.abc import Iterable
from typing import Any

import msgspec
from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import decode
from events.event_kinds import Event
from events.recorded import Foldable
from services.campaigns.commands import KeepStone
from services.campaigns.records import collection_of, written
from services.campaigns.run_state import RunState
from services.campaigns.solo_rules import SoloRules, rules_of
from services.games.caltrop import rules as caltrop
from services.games.caltrop.collection import NOTHING, Collection, after_run, gained, starter
from services.match.refusals import Refusal

Decision = tuple[Event, ...] | Refusal


class ClosedRun(msgspec.Struct, frozen=True):
    """A run that is over and settled; ``kept`` is the number of the stone kept (0: none)."""

    run: str
    number: int
    how: str
    wins: int
    kept: int


class CampaignState(msgspec.Struct, frozen=True):
    """A campaign after ``version`` events. Only before the first are there no rules."""

    campaign: str
    version: int = 0
    player: str = ""
    rules: SoloRules | None = None
    collection: Collection = starter()
    closed: tuple[ClosedRun, ...] = ()

    @property
    def next_run(self) -> int:
        """The number of the run that is played now, or comes next."""
        return len(self.closed) + 1

    @property
    def the_rules(self) -> SoloRules:
        """What the campaign is played by."""
        assert self.rules is not None, "a campaign without events has no rules"
        return self.rules


def fold(state: CampaignState, events: Iterable[Foldable]) -> CampaignState:
    """The campaign after more stored events; ``UnknownKind`` on kinds of the future."""
    for recorded in events:
        state = evolve(state, decode(recorded.kind, recorded.data))
    return state


def evolve(state: CampaignState, event: Event) -> CampaignState:
    """The campaign after one more event."""
    after: CampaignState = _STEPS[type(event)](state, event)
    return replace(after, version=state.version + 1)


def _started(state: CampaignState, event: kinds.CampaignStarted) -> CampaignState:
    return replace(
        state,
        player=event.player,
        rules=rules_of(event.rules),
        collection=collection_of(event.stones, event.deck, event.next_number),
    )


def _closed(state: CampaignState, event: kinds.RunClosed) -> CampaignState:
    run = ClosedRun(event.run, event.number, event.how, event.wins, event.kept)
    return replace(
        state,
        collection=collection_of(event.stones, event.deck, event.next_number),
        closed=(*state.closed, run),
    )


_STEPS: dict[type[Event], Any] = {
    kinds.CampaignStarted: _started,
    kinds.RunClosed: _closed,
}


def start(state: CampaignState, rules: SoloRules, player: str) -> Decision:
    """Begin a campaign with the starter stones (sheet §7.1)."""
    if state.version:
        return Refusal("campaign-exists", f"Campaign {state.campaign} exists already.")
    first = starter()
    return (
        kinds.CampaignStarted(
            player=player,
            game=caltrop.slug,
            rules_version=caltrop.version,
            rules=rules.data(),
            stones=written(first.owned),
            deck=first.deck,
            next_number=first.next,
        ),
    )


def keep(state: CampaignState, command: KeepStone, run: RunState | None, actor: str) -> Decision:
    """Settle the run that is over: what is owned for good from now on (sheet §7.5)."""
    if refusal := unless_players(state, actor):
        return refusal
    if command.number != state.next_run:
        return stale_run(state)
    if run is None or run.ended is None:
        return Refusal("run-not-over", "A stone is kept when the run is over.")
    choice = {one.number for one in gained(state.collection, run.collection)}
    if command.stone != NOTHING and command.stone not in choice:
        sentence = f"Stone {command.stone} was not gained in this run."
        return Refusal("not-gained", sentence, {"stones": sorted(choice)})
    after = after_run(state.collection, run.collection, command.stone)
    return (
        kinds.RunClosed(
            run=run.run,
            number=command.number,
            how=run.ended.how,
            wins=run.wins,
            kept=command.stone,
            stones=written(after.owned),
            deck=after.deck,
            next_number=after.next,
        ),
    )


def unless_players(state: CampaignState, actor: str) -> Refusal | None:
    """A refusal for everybody but the campaign's player."""
    if actor == f"player:{state.player}":
        return None
    return Refusal("not-your-campaign", "This campaign is somebody else's.")


def stale_run(state: CampaignState) -> Refusal:
    """Whoever asks looks at another run than the campaign is at."""
    sentence = f"The campaign is at run {state.next_run}."
    return Refusal("stale-run", sentence, {"number": state.next_run})
