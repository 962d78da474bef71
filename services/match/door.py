"""The way through the door, whatever the stream: load, decide, append; decide again on chatter.

A command that carries an id is recorded once: its retry gets the first answer. ``handler.py``
sends matches through here, ``services/campaigns`` runs and campaigns.
"""

from collections.abc import Callable
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from events.codec import UnknownKind, encode
from events.event_kinds import Event
from events.log import (
    Append,
    Appended,
    CommandId,
    CommandReused,
    EventLog,
    InlineRow,
    OldCode,
    Secret,
)
from services.match.refusals import Refusal

DECISIONS_MAX = 5
"""How often a command is decided again after version conflicts before the caller is told."""


class Versioned(Protocol):
    """A fold that knows how many events it is made of."""

    @property
    def version(self) -> int:
        """Events so far."""
        ...


S = TypeVar("S", bound=Versioned)


class Asked(msgspec.Struct, frozen=True):
    """A command on its way; ``fingerprint`` is what makes two commands the same.

    ``received_at`` (µs) was stamped at the edge.
    """

    stream: str
    actor: str
    command_id: CommandId | None
    fingerprint: bytes
    received_at: int
    cause: str = ""


class Judge(msgspec.Struct, Generic[S], frozen=True):
    """What is particular to a command: the fold it is judged against, and what follows."""

    before: Callable[[], S | Refusal]
    decide: Callable[[S], tuple[Event, ...] | Refusal]
    evolve: Callable[[S, Event], S]
    rows: Callable[[S, S], tuple[InlineRow, ...]]
    secrets: Callable[[S], tuple[Secret, ...]]


class Passed(msgspec.Struct, Generic[S], frozen=True):
    """The command is in the log; ``after`` is the fold then, None if it was there before."""

    appended: Appended
    after: S | None


def through(log: EventLog, asked: Asked, judge: Judge[S]) -> Passed[S] | Refusal:
    """Decide and record one command."""
    answer = _known(log, asked) or _decided(log, asked, judge)
    if isinstance(answer, Refusal):
        # Its twin may have been recorded while this one was judged: then it had no chance.
        return _known(log, asked) or answer
    return answer


def newer_log(error: UnknownKind) -> Refusal:
    """The stream holds what this program does not know."""
    return Refusal("newer-log", f"This was written by a newer Plybook: {error.kind}.")


def _known(log: EventLog, asked: Asked) -> Passed[Any] | Refusal | None:
    """The first answer to a command id that is in the log already."""
    if asked.command_id is None:
        return None
    known = log.repeated(asked.stream, asked.actor, asked.command_id, asked.fingerprint)
    return None if known is None else _first_answer(known)


def _decided(log: EventLog, asked: Asked, judge: Judge[S]) -> Passed[S] | Refusal:
    try:
        for _ in range(DECISIONS_MAX):
            before = judge.before()
            if isinstance(before, Refusal):
                return before
            decision = judge.decide(before)
            if isinstance(decision, Refusal):
                return decision
            after = before
            for event in decision:
                after = judge.evolve(after, event)
            answer = log.append([_append(asked, judge, before, after, decision)])[0]
            if isinstance(answer, Appended) and not answer.repeated:
                return Passed(answer, after)
            if isinstance(answer, Appended | CommandReused):
                return _first_answer(answer)
            if isinstance(answer, OldCode):
                return _old_code(answer)
    except UnknownKind as error:
        return newer_log(error)
    return Refusal("busy", "Others were faster several times in a row; please try again.")


def _append(
    asked: Asked, judge: Judge[S], before: S, after: S, decision: tuple[Event, ...]
) -> Append:
    return Append(
        stream=asked.stream,
        expected=before.version,
        actor=asked.actor,
        received_at=asked.received_at,
        events=tuple(encode(event) for event in decision),
        command_id=asked.command_id,
        fingerprint=asked.fingerprint,
        cause=asked.cause,
        rows=judge.rows(before, after),
        secrets=judge.secrets(before),
    )


def _first_answer(known: Appended | CommandReused) -> Passed[Any] | Refusal:
    if isinstance(known, CommandReused):
        sentence = "This idempotency key was used for another command."
        return Refusal("command-reused", sentence, {"key": known.key})
    return Passed(known, None)


def _old_code(answer: OldCode) -> Refusal:
    sentence = f"This server is older or newer than its database ({answer.projection})."
    return Refusal("old-code", sentence, {"ours": answer.ours, "theirs": answer.theirs})
