"""A run decided a second time: every draw from its own seed, every growth from the sheet.

As with matches, each stored event is taken as what it must have been: the answer of the decider
to a command. A run's first event is made again from its campaign, its results are compared with
its matches, and once the seed is open every draw is drawn again. A campaign's settlements are
made again from its runs.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events import event_kinds as kinds
from events.chain import NOTHING, Fault, verify_stream
from events.codec import UnknownKind, decode
from events.event_kinds import Event
from events.heads import KeptHead, compare
from events.log import EventLog
from events.recorded import Recorded
from services.campaigns import campaign as campaigns
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState, Decision
from services.campaigns.handler import campaign_stream, run_stream
from services.campaigns.run_decider import begin, decide
from services.campaigns.run_folding import evolve
from services.campaigns.run_state import RunState, initial
from services.campaigns.solo_rules import rules_of
from services.match.handler import stream_of
from services.match.refusals import Refusal
from services.match.secret import Secret
from services.match.state import RUN
from services.proofs.compare import difference, shown
from services.proofs.report import CHAIN_ONLY, PROVED, Difference, Report

Read = Callable[[str], Sequence[Recorded]]
"""The stored events of a stream, none if there is none."""

_SEED = re.compile("[0-9a-f]{64}")
_DRAWN = (kinds.RunStarted, kinds.RunMatchEnded, kinds.StoneWon, kinds.UpgradeOffered)
"""Kinds that follow from the seed: not to be judged before it is open."""


def audit_run(run: str, read: Read, chain_faults: Sequence[Fault] = ()) -> Report:
    """The audit of one run from stored events; never raises on any bytes."""
    return _RunAudit(run, run_stream(run), read, chain_faults).report()


def audit_campaign(campaign: str, read: Read, chain_faults: Sequence[Fault] = ()) -> Report:
    """The audit of one campaign from stored events; never raises on any bytes."""
    return _CampaignAudit(campaign, campaign_stream(campaign), read, chain_faults).report()


def audit_stored_solo(log: EventLog, name: str, kept: Iterable[KeptHead] = ()) -> Report | None:
    """The audit of the campaign or run of this name; None if neither log nor heads know it.

    As with matches, only ``kept`` heads show a chain that was computed again, or cut short.
    """
    of_run = name.startswith("r-")
    stream = run_stream(name) if of_run else campaign_stream(name)
    faults = compare(log, (head for head in kept if head.stream == stream))
    if not log.head(stream).version and not faults:
        return None
    return (audit_run if of_run else audit_campaign)(name, log.read, faults)


def audit_solo(log: EventLog, kept: Iterable[KeptHead] = ()) -> Iterator[Report]:
    """The audits of every campaign and run that the log or a kept head knows, by name."""
    heads = tuple(kept)
    for prefix in (campaign_stream(""), run_stream("")):
        known = {head.stream for head in heads if head.stream.startswith(prefix)}
        for stream in sorted(known.union(_stored_streams(log, prefix))):
            if report := audit_stored_solo(log, stream.removeprefix(prefix), heads):
                yield report


def _stored_streams(log: EventLog, prefix: str) -> Iterator[str]:
    after = ""
    while page := log.streams(prefix, after):
        yield from (head.stream for head in page)
        after = page[-1].stream


class _Audit(ABC):
    """One walk over a stream, decision by decision, up to the first that differs."""

    def __init__(self, name: str, stream: str, read: Read, chain_faults: Sequence[Fault]) -> None:
        self.name = name
        self.read = read
        self.stored = read(stream)
        self.found = [
            Difference(name, fault.version, fault.what, fault.stored, fault.computed)
            for fault in (*verify_stream(self.stored), *chain_faults)
        ]
        self.unchecked = ""
        self.is_open = True

    def report(self) -> Report:
        try:
            self._walk(self._decoded())
        except UnknownKind as error:
            self.unchecked = str(error)
        return Report(
            match=self.name,
            verdict=self._verdict(),
            game=self._game(),
            events=len(self.stored),
            differences=tuple(self.found),
        )

    def _verdict(self) -> str:
        if self.found:
            return f"differs at event {self.found[0].version}"
        if self.unchecked:
            return f"not checkable ({self.unchecked})"
        return PROVED if self.is_open else CHAIN_ONLY

    def _game(self) -> str:
        first = self.decoded[0] if self.decoded else None
        return first.game if isinstance(first, kinds.RunStarted | kinds.CampaignStarted) else ""

    def _decoded(self) -> list[Event]:
        """The events up to the first that cannot be read."""
        self.decoded: list[Event] = []
        for recorded in self.stored:
            try:
                self.decoded.append(decode(recorded.kind, recorded.data))
            except (msgspec.DecodeError, ValueError) as error:
                self._differs(len(self.decoded), recorded.kind, "not readable", str(error))
                break
        return self.decoded

    @abstractmethod
    def _walk(self, events: list[Event]) -> None:
        """Decide the events again, one after the other."""

    def _agrees(self, at: int, again: Sequence[Event], actor: str) -> bool:
        """Whether the stored events from ``at`` on are these, by this actor."""
        for number, event in enumerate(again, start=at):
            if number >= len(self.decoded):
                self._differs(number, event.kind, NOTHING, shown(event))
                return False
            if found := difference(self.decoded[number], event):
                self._differs(number, *found)
                return False
            if self.stored[number].actor != actor:
                self._differs(number, f"{event.kind} actor", self.stored[number].actor, actor)
                return False
        return True

    def _decided(self, at: int, decision: Callable[[], Decision]) -> tuple[Event, ...]:
        """The events of a decision made again; none after a refusal, which differs."""
        try:
            decided = decision()
        except Exception as error:  # noqa: BLE001 - changed bytes break what honest ones cannot
            decided = Refusal("unreadable", repr(error))
        if isinstance(decided, Refusal):
            nothing = f"nothing ({decided.code}: {decided.sentence})"
            self._differs(at, self.decoded[at].kind, shown(self.decoded[at]), nothing)
            return ()
        return decided

    def _differs(self, index: int, what: str, stored: str, derived: str) -> None:
        self.found.append(Difference(self.name, index + 1, what, stored, derived))


class _CampaignAudit(_Audit):
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
        return _no_command

    def _run(self, run: str) -> RunState | None:
        state = initial(run)
        for recorded in self.read(run_stream(run)):
            state = evolve(state, decode(recorded.kind, recorded.data))
        return state if state.campaign == self.name else None


class _RunAudit(_Audit):
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
            return _no_command
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


def _no_command() -> Decision:
    return Refusal("no-command", "no command leads to it")


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
