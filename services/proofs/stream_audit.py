"""One walk over a stream that is no match's, decision by decision, up to the first that differs."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

import msgspec

from events import event_kinds as kinds
from events.chain import NOTHING, Fault, verify_stream
from events.codec import UnknownKind, decode
from events.event_kinds import Event
from events.recorded import Recorded
from services.match.refusals import Refusal
from services.proofs.compare import difference, shown
from services.proofs.report import CHAIN_ONLY, PROVED, Difference, Report

Read = Callable[[str], Sequence[Recorded]]
"""The stored events of a stream, none if there is none."""

Decision = tuple[Event, ...] | Refusal


def no_command() -> Decision:
    """For an event that no command leads to by itself."""
    return Refusal("no-command", "no command leads to it")


class StreamAudit(ABC):
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
        """What was found; never raises on any bytes."""
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
