"""A match decided a second time, by someone who trusts nobody.

An audit needs the stored events and nothing else. It checks the hash chain, then takes every
event as what it must have been: the answer of the decider to a command of that actor at that
time. The command is made again from the event, decided again by the rules of the version that
the match names, and the two answers are compared. So a move out of turn, a seat that was not
the actor's, a forced pass left out, a takeback nobody agreed to, a wrong score and a seed that
does not open its commitment are all found the same way, and stored facts prove nothing.
"""

import re
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from events import event_kinds as kinds
from events.chain import NOTHING, Fault, verify_stream
from events.codec import DamagedEvent, UnknownKind, decode
from events.event_kinds import Event
from events.recorded import Recorded
from services.games.registry import REGISTRY, Registry, UnknownGame
from services.match.decider import decide
from services.match.folding import evolve
from services.match.imports import match_id_of
from services.match.jobs import AiJob, job_for
from services.match.opening import unless_asked_for_entry
from services.match.refusals import Refusal
from services.match.secret import Secret
from services.match.state import MatchState, initial
from services.proofs.asked import command_behind
from services.proofs.compare import difference, shown
from services.proofs.report import CHAIN_ONLY, PROVED, Difference, Report

Awaited = Callable[[], str]
"""Waits for the move of an engine that was asked; ``EngineMissing`` if none came."""
Engines = Callable[[AiJob, kinds.Thought], Awaited]
"""Asks for a computer's turn again, by its job and its evidence; ``EngineMissing`` if it cannot.

Many are asked before the first answer is waited for, so they may think side by side."""


_HEX_32 = re.compile("[0-9a-f]{64}")


class EngineMissing(LookupError):
    """The engine that the evidence names is not installed, or is silent; the message says which."""


def audit_match(
    events: Sequence[Recorded],
    *,
    chain_faults: Sequence[Fault] = (),
    engines: Engines | None = None,
    secret: Secret | None = None,
    games: Registry = REGISTRY,
) -> Report:
    """The audit of one match from its stored events, version 1 first; never raises on any bytes.

    Differences of the chain come first (they name the very event that was changed), then the
    first that the decider finds.

    ``chain_faults`` are what the caller found against kept heads. With ``engines`` the
    computers' moves are played again; their seeds follow from the seed the last event reveals,
    or from ``secret`` for a match that still runs.
    """
    faults = [*verify_stream(events), *chain_faults]
    return _Audit(events, engines, secret, games).report(faults)


class _Audit:
    """One walk over the events, decision by decision, up to the first that differs."""

    def __init__(
        self,
        stored: Sequence[Recorded],
        engines: Engines | None,
        secret: Secret | None,
        games: Registry,
    ) -> None:
        self.stored = stored
        self.match = stored[0].stream.removeprefix("match/")
        self.engines = engines
        self.secret = secret
        self.games = games
        self.found: list[Difference] = []
        self.unchecked = ""
        self.asked: list[tuple[int, kinds.MovePlayed, Awaited]] = []
        self.plies = self.forced = self.thoughts = self.rerun = self.fallbacks = 0

    def report(self, faults: Sequence[Fault]) -> Report:
        chain = [
            Difference(self.match, fault.version, fault.what, fault.stored, fault.computed)
            for fault in faults
        ]
        state = initial(self.match, games=self.games)
        try:
            state = self._walk()
        except (UnknownKind, UnknownGame) as error:
            self.unchecked = str(error)
        # Whatever the walk found, it ended there: the engines' moves come before it.
        self.found = [*chain, *self._played_otherwise(), *self.found]
        return Report(
            match=self.match,
            verdict=self._verdict(state),
            game=state.game.rules.slug if state.game else "",
            events=len(self.stored),
            plies=self.plies,
            forced=self.forced,
            thoughts=self.thoughts,
            rerun=self.rerun,
            fallbacks=self.fallbacks,
            differences=tuple(self.found),
        )

    def _verdict(self, state: MatchState) -> str:
        if self.found:
            return f"differs at event {self.found[0].version}"
        if self.unchecked:
            return f"not checkable ({self.unchecked})"
        return CHAIN_ONLY if state.seed_commit and state.secret is None else PROVED

    def _walk(self) -> MatchState:
        """The fold, as far as every decision comes out the same again."""
        events = self._decoded()
        state = initial(self.match, _opened(events) or self.secret, _rules_of(events, self.games))
        while state.version < len(events):
            asked = self.stored[state.version]
            if _is_veiled(state):
                state = self._followed(state, events[state.version], asked.received_at)
                if self.found:
                    break
                continue
            decided = self._decided_again(state, events[state.version :], asked)
            for again in decided:
                if not self._agrees(state, again, events, asked.actor):
                    return state
                state = evolve(state, again, self.stored[state.version].received_at)
            if not decided:
                break
        return state

    def _followed(self, state: MatchState, event: Event, received_at: int) -> MatchState:
        """The fold of an event that only its secret could judge."""
        try:
            return evolve(state, event, received_at)
        except Exception as error:  # noqa: BLE001 - changed bytes break what honest ones cannot
            self._differs(state.version, event.kind, shown(event), repr(error))
            return state

    def _decoded(self) -> list[Event]:
        """The events up to the first that cannot be read."""
        events: list[Event] = []
        for recorded in self.stored:
            try:
                events.append(decode(recorded.kind, recorded.data))
            except UnknownKind as error:
                self.unchecked = str(error)
                break
            except DamagedEvent as error:
                self._differs(len(events), recorded.kind, "not readable", error.why)
                break
        return events

    def _decided_again(
        self, state: MatchState, events: Sequence[Event], asked: Recorded
    ) -> Sequence[Event]:
        """What the decider answers to the command behind ``asked``, the first of these events."""
        try:
            decided = _decide(state, events, asked)
        except Exception as error:  # noqa: BLE001 - changed bytes break what honest ones cannot
            decided = Refusal("unreadable", repr(error))
        if isinstance(decided, Refusal):
            ply = decided.details.get("ply", 0)
            self._differs(
                state.version + ply,
                events[ply].kind,
                shown(events[ply]),
                f"nothing ({decided.code}: {decided.sentence})",
            )
            return ()
        return decided

    def _agrees(self, state: MatchState, again: Event, events: Sequence[Event], actor: str) -> bool:
        """Whether the event after ``state`` is the one decided again; counts what is checked."""
        at = state.version
        if at == len(events):
            if at == len(self.stored):
                self._differs(at, again.kind, NOTHING, shown(again))
            return False
        if found := difference(events[at], again):
            self._differs(at, *found)
            return False
        if self.stored[at].actor != actor:
            self._differs(at, f"{again.kind} actor", self.stored[at].actor, actor)
            return False
        if isinstance(again, kinds.MatchImported) and self.match != match_id_of(again.digest):
            self._differs(at, "match id", self.match, match_id_of(again.digest))
            return False
        if isinstance(again, kinds.MovePlayed):
            self.plies += 1
            self.forced += len(again.facts)
            return self._evidence_agrees(state, again)
        if isinstance(again, kinds.MatchEnded) and state.seed_commit and not again.server_seed:
            self._differs(at, f"{again.kind} server_seed", NOTHING, f"opens {state.seed_commit}")
            return False
        return True

    def _evidence_agrees(self, state: MatchState, played: kinds.MovePlayed) -> bool:
        """Whether a computer's move, and only that, carries evidence; asks for it again."""
        holder = state.holder(played.seat)
        level = holder.level if holder else 0
        thought = played.thought
        evidence = thought.level if thought else 0
        fell_back = thought is not None and thought.fallback and 0 < evidence < level
        if level != evidence and not fell_back:
            self._differs(state.version, f"{played.kind} thought.level", str(evidence), str(level))
            return False
        if thought is None:
            return True
        self.thoughts += 1
        self.fallbacks += bool(thought.fallback)
        if self.engines is not None and state.secret is not None:
            job = job_for(state, played.seat, evidence)
            try:
                self.asked.append((state.version, played, self.engines(job, thought)))
            except EngineMissing as missing:
                self.unchecked = str(missing)
        return True

    def _played_otherwise(self) -> list[Difference]:
        """The first computer's move that its engine does not play again."""
        for at, played, awaited in self.asked:
            try:
                move = awaited()
            except EngineMissing as missing:
                self.unchecked = str(missing)
                continue
            self.rerun += 1
            if move != played.move:
                assert played.thought is not None, "only a computer's move is asked for again"
                engine = f"{played.thought.engine} {played.thought.engine_version}"
                what = f"{played.kind} move by {engine}"
                return [Difference(self.match, at + 1, what, played.move, move)]
        return []

    def _differs(self, index: int, what: str, stored: str, derived: str) -> None:
        self.found.append(Difference(self.match, index + 1, what, stored, derived))


def _decide(
    state: MatchState, events: Sequence[Event], asked: Recorded
) -> tuple[Event, ...] | Refusal:
    """The decision that ``events`` begin with, made again."""
    command = command_behind(state, events)
    if command is None and isinstance(events[0], kinds.EntrySealed):
        return _sealed_for_good(state, events[0], asked.actor)
    if command is None:
        return Refusal("no-command", "no command leads to it")
    if state.version or state.secret or not isinstance(events[0], kinds.MatchCreated):
        return decide(state, command, asked.actor, asked.received_at)
    # The commitment is not opened yet: there is nothing to compare it with.
    unopened = replace(state, secret=Secret(b""))
    decision = decide(unopened, command, asked.actor, asked.received_at)
    if isinstance(decision, Refusal):
        return decision
    return (replace(decision[0], seed_commit=events[0].seed_commit),)


def _sealed_for_good(
    state: MatchState, sealed: kinds.EntrySealed, actor: str
) -> tuple[Event, ...] | Refusal:
    """An entry that nobody opened, as in a match called off: all but its text is judged.

    A match that began has opened every entry, so its start would not be decided again.
    """
    if refusal := unless_asked_for_entry(state, sealed.seat, actor):
        return refusal
    if not _HEX_32.fullmatch(sealed.commit):
        return Refusal("bad-commitment", "a commitment has 64 hexadecimal digits")
    return (sealed,)


def _is_veiled(state: MatchState) -> bool:
    """Whether what happens follows from a secret that is not revealed yet."""
    terms = state.terms
    hidden = terms.chance or terms.hidden or terms.sealed_entries
    return hidden and bool(state.seed_commit) and state.secret is None


def _opened(events: Sequence[Event]) -> Secret | None:
    """The seed that the end reveals, if it does."""
    end = next((event for event in reversed(events) if isinstance(event, kinds.MatchEnded)), None)
    if end is None or not _HEX_32.fullmatch(end.server_seed):
        return None
    entries = {
        seat: text
        for event in events
        if isinstance(event, kinds.EntriesOpened)
        for seat, text in event.entries.items()
    }
    return Secret(bytes.fromhex(end.server_seed), entries)


def _rules_of(events: Sequence[Event], games: Registry) -> Registry:
    """Only the game and rules version that the first event names: nothing newer judges it."""
    first = events[0] if events else None
    if not isinstance(first, kinds.MatchCreated | kinds.MatchImported):
        return games
    return Registry((games.game(first.game, first.rules_version),))
