"""A run decided a second time: every draw from its own seed, every growth from the sheet.

As with matches, each stored event is taken as what it must have been: the answer of the decider
to a command. A run's first event is made again from its campaign, its results are compared with
its matches, and once the seed is open every draw is drawn again. A campaign's settlements are
made again from its runs.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from events import event_kinds as kinds
from events.chain import Fault
from events.codec import decode
from events.event_kinds import Event
from services.campaigns import campaign as campaigns
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState, Decision
from services.campaigns.handler import campaign_stream, run_stream
from services.campaigns.run_decider import begin, decide
from services.campaigns.run_folding import evolve
from services.campaigns.run_state import RunState, initial
from services.campaigns.solo_rules import rules_of
from services.match.handler import stream_of
from services.match.secret import Secret
from services.match.state import RUN
from services.proofs.compare import shown
from services.proofs.report import Report
from services.proofs.stream_audit import Read, StreamAudit, no_command

_SEED = re.compile("[0-9a-f]{64}")
_DRAWN = (kinds.RunStarted, kinds.RunMatchEnded, kinds.StoneWon, kinds.UpgradeOffered)
"""Kinds that follow from the seed: not to be judged before it is open."""


def audit_run(run: str, read: Read, chain_faults: Sequence[Fault] = ()) -> Report:
    """The audit of one run from stored events; never raises on any bytes."""
    return _RunAudit(run, run_stream(run), read, chain_faults).report()


def audit_campaign(campaign: str, read: Read, chain_faults: Sequence[Fault] = ()) -> Report:
    """The audit of one campaign from stored events; never raises on any bytes."""
    return _CampaignAudit(campaign, campaign_stream(campaign), read, chain_faults).report()


class _CampaignAudit(StreamAudit):
    def _walk(self, events: list[Event]) -> None:
        state = CampaignState(self.name)
        while state.version < len(events):
            at, actor = state.version, self.stored[state.version].actor
            decide_again = self._command(state, events[at], actor)
            decided = self._decided(at, decide_again)
            if not decided or not self._agrees(at, decided, actor):
                return
            for event in decided:
                state = campaigns.evolve(state, event)

    def _command(self, state: CampaignState, event: Event, actor: str) -> Callable[[], Decision]:
        if isinstance(event, kinds.CampaignStarted):
            player = actor.removeprefix("player:")
            return lambda: campaigns.start(state, rules_of(event.rules), player)
        if isinstance(event, kinds.RunClosed):
            keeping = cmd.KeepStone(event.number, event.kept)
            return lambda: campaigns.keep(state, keeping, self._run(event.run), actor)
        return no_command

    def _run(self, run: str) -> RunState | None:
        state = initial(run)
        for recorded in self.read(run_stream(run)):
            state = evolve(state, decode(recorded.kind, recorded.data))
        return state if state.campaign == self.name else None


class _RunAudit(StreamAudit):
    def _walk(self, events: list[Event]) -> None:
        secret = _opened(events)
        self.is_open = secret is not None
        state = initial(self.name, secret)
        while state.version < len(events):
            at, event = state.version, events[state.version]
            again: tuple[Event, ...] = (event,)
            if secret is not None or not isinstance(event, _DRAWN):
                again = self._decided(at, self._command(state, event, self.stored[at].actor))
            if not again or not self._agrees(at, again, self.stored[at].actor):
                return
            if isinstance(event, kinds.RunMatchOpened | kinds.RunMatchEnded):
                self._compare_with_match(state, at, event)
            for one in again:
                state = evolve(state, one, self.stored[state.version].received_at)

    def _command(self, state: RunState, event: Event, actor: str) -> Callable[[], Decision]:
        if isinstance(event, kinds.RunStarted):
            return lambda: begin(state, self._campaign(event))
        make = _COMMANDS.get(type(event))
        if make is None:
            return no_command
        match = event.match if isinstance(event, kinds.RunMatchOpened) else ""
        return lambda: decide(state, make(event), actor, match)

    def _campaign(self, event: kinds.RunStarted) -> CampaignState:
        """The campaign as the run found it."""
        state = CampaignState(event.campaign)
        for recorded in self.read(campaign_stream(event.campaign)):
            if state.version and state.next_run == event.number:
                break
            state = campaigns.evolve(state, decode(recorded.kind, recorded.data))
        return state

    def _compare_with_match(
        self, state: RunState, at: int, event: kinds.RunMatchOpened | kinds.RunMatchEnded
    ) -> None:
        """The match has the decks the run gave it, and the result that the run took."""
        stored = self.read(stream_of(event.match))
        of_match = [decode(recorded.kind, recorded.data) for recorded in stored]
        if isinstance(event, kinds.RunMatchOpened):
            decks = {"blue": event.deck, "red": event.against}
            expected = {"form": "run", **decks, "first": event.first}
            created = next((e for e in of_match if isinstance(e, kinds.MatchCreated)), None)
            if created and (created.host, created.ruleset) != (f"{RUN}{state.run}", expected):
                self._differs(at, f"{event.kind} match", shown(event), shown(created))
            return
        end = next((e for e in of_match if isinstance(e, kinds.MatchEnded)), None)
        if end is None or (event.won, event.how) != (end.winners == ("A",), end.how):
            self._differs(at, f"{event.kind} won", shown(event), shown(end))


def _opened(events: Sequence[Event]) -> Secret | None:
    """The seed that the last event reveals, if it does."""
    last = events[-1] if events else None
    if not isinstance(last, kinds.RunEnded) or not _SEED.fullmatch(last.server_seed):
        return None
    return Secret(bytes.fromhex(last.server_seed))


_COMMANDS: Mapping[type[Event], Callable[[Any], cmd.RunCommand]] = {
    kinds.DeckChanged: lambda event: cmd.ChangeStones(event.deck),
    kinds.RunMatchOpened: lambda event: cmd.Fight(event.number),
    kinds.RunMatchEnded: lambda event: cmd.CountResult(event.match, event.won, event.how),
    kinds.UpgradeChosen: lambda event: cmd.ChooseUpgrade(event.number, event.slot),
    kinds.OpponentsGrew: lambda event: cmd.GrowOpponents(event.number),
}
