"""Logs of every sort, a clock that can be set, and the log as a dictionary would keep it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from events.group_commit import GroupCommit
from events.log import (
    PAGE_EVENTS,
    Answer,
    Append,
    Appended,
    CommandId,
    CommandReused,
    EventLog,
    Expected,
    Head,
    InlineRow,
    InlineTable,
    Namespace,
    Secret,
    Value,
    VersionConflict,
)
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.recorded import GENESIS, NewEvent, Recorded, Told, link_hash
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore

LOGS = ("sqlite", "sqlite in groups", "postgres", "postgres in groups")
"""Every sort of log there is; all keep the same laws."""

PLACES = InlineTable(
    "places", 1, (("label", "text"), ("rank", "int"), ("raw", "blob")), indexed=(("rank",),)
)
"""An inline projection with a column of each type."""
INLINE = (PLACES,)

AnyStore = SqliteStore | PostgresStore
Clock = Callable[[], int]


class SetClock:
    """A clock that stands (microseconds) until it is set."""

    def __init__(self, now: int = 1_000_000) -> None:
        self.now = now

    def __call__(self) -> int:
        """The time it is set to."""
        return self.now


@contextmanager
def open_store(sort: str, folder: Path, url: Callable[[], str]) -> Iterator[AnyStore]:
    """The database for a sort of log; ``url`` is asked for an empty PostgreSQL if need be."""
    opened: AnyStore
    opened = SqliteStore(folder / "log.db") if "sqlite" in sort else PostgresStore(url())
    with closing(opened):
        yield opened


@contextmanager
def open_log(
    sort: str, store: AnyStore, clock: Clock, inline: Sequence[InlineTable] = INLINE
) -> Iterator[EventLog]:
    """A log of a sort over its store, closed at the end."""
    log: EventLog
    if isinstance(store, SqliteStore):
        log = SqliteLog(store, inline, clock)
    else:
        log = PostgresLog(store, inline, clock)
    with closing(GroupCommit(log) if "groups" in sort else log) as opened:
        yield opened


class Opened(NamedTuple):
    """A log over a store that other tests of this sort use too: its streams are its own."""

    sort: str
    store: AnyStore
    log: EventLog
    clock: SetClock
    stream: str


def append_of(
    stream: str,
    expected: int = Expected.ANY,
    *data: bytes,
    key: str = "",
    namespace: Namespace = Namespace.OUTSIDE,
    actor: str = "player:p-ann",
    fingerprint: bytes = b"asked this",
    rows: Mapping[str, tuple[Value, ...] | None] | None = None,
    secrets: Mapping[str, bytes] | None = None,
) -> Append:
    """An append of toy events; ``rows`` are of ``places``, by key."""
    return Append(
        stream=stream,
        expected=expected,
        actor=actor,
        received_at=5,
        events=tuple(NewEvent("toy.happened.1", each) for each in data or (b"{}",)),
        command_id=CommandId(namespace, key) if key else None,
        fingerprint=fingerprint,
        cause="test",
        rows=tuple(InlineRow("places", name, row) for name, row in (rows or {}).items()),
        secrets=tuple(Secret(name, sealed) for name, sealed in (secrets or {}).items()),
    )


def append(log: EventLog, stream: str, expected: int = Expected.ANY, *data: bytes) -> Appended:
    """Append toy events and insist that it went well."""
    [answer] = log.append([append_of(stream, expected, *data)])
    assert isinstance(answer, Appended), answer
    return answer


class DictLog:
    """An ``EventLog`` without a database, written as plainly as the laws are (for one thread).

    Positions have no gaps here; those of other logs may. ``last_at`` is the time of events
    that are not its business.
    """

    def __init__(self, clock: Clock, last_at: int = 0) -> None:
        self._clock = clock
        self._last_at = last_at
        self._events: list[Recorded] = []
        self._commands: dict[tuple[str, str, CommandId], tuple[bytes, Appended]] = {}
        self._rows: dict[tuple[str, str], dict[str, tuple[Value, ...]]] = {}
        self._secrets: dict[str, dict[str, bytes]] = {}

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """One after the other."""
        return [self._append(each) for each in batch]

    def _append(self, one: Append) -> Answer:
        name = one.command_id
        if name and (known := self.repeated(one.stream, one.actor, name, one.fingerprint)):
            return known
        head = self.head(one.stream)
        if one.expected not in (Expected.ANY, head.version):
            return VersionConflict(one.stream, one.expected, head.version)
        for event in one.events:
            self._record(one, event)
        self._secrets.setdefault(one.stream, {}).update({s.name: s.sealed for s in one.secrets})
        for row in one.rows:
            rows = self._rows.setdefault((row.projection, one.stream), {})
            rows.pop(row.key, None)
            if row.values is not None:
                rows[row.key] = row.values
        now = self.head(one.stream)
        answer = Appended(one.stream, head.version + 1, now.version, now.position, now.hash, now.at)
        if name:
            self._commands[one.stream, one.actor, name] = (one.fingerprint, answer)
        return answer

    def _record(self, one: Append, event: NewEvent) -> None:
        head = self.head(one.stream)
        at = self._last_at = max(self._clock(), self._last_at)
        version = head.version + 1
        link = link_hash(
            head.hash, one.stream, version, event.kind, one.actor, one.received_at, at, event.data
        )
        self._events.append(
            Recorded(
                one.stream, version, event.kind, one.actor, one.received_at, at, event.data,
                one.cause, link, len(self._events) + 1,
            )
        )  # fmt: skip

    def repeated(
        self, stream: str, actor: str, command_id: CommandId, fingerprint: bytes
    ) -> Appended | CommandReused | None:
        """As remembered."""
        known = self._commands.get((stream, actor, command_id))
        if known is None:
            return None
        if known[0] != fingerprint:
            return CommandReused(stream, command_id.key)
        return replace(known[1], repeated=True)

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """By filter."""
        last = len(self._events) if upto is None else upto
        return [e for e in self._events if e.stream == stream and after < e.version <= last]

    def told(self, stream: str, after: int = 0, upto: int | None = None) -> list[Told]:
        """Of what is read, the part a fold needs."""
        return [Told(e.kind, e.data, e.received_at) for e in self.read(stream, after, upto)]

    def read_all(self, after: int = 0, limit: int = PAGE_EVENTS) -> list[Recorded]:
        """By slice."""
        return self._events[after : after + limit]

    def head(self, stream: str) -> Head:
        """The last of the stream's events."""
        newest = self.read(stream)[-1:]
        for e in newest:
            return Head(stream, e.version, e.hash, e.at, e.position)
        return Head(stream, 0, GENESIS, 0, 0)

    def position(self) -> int:
        """The number of events."""
        return len(self._events)

    def streams(self, prefix: str = "", after: str = "", limit: int = PAGE_EVENTS) -> list[Head]:
        """Sorted by name."""
        names = sorted({e.stream for e in self._events})
        return [self.head(n) for n in names if n.startswith(prefix) and n > after][:limit]

    def rows(self, projection: str, stream: str) -> dict[str, tuple[Value, ...]]:
        """As written last."""
        return self._rows.get((projection, stream), {})

    def secrets(self, stream: str) -> Mapping[str, bytes]:
        """As written."""
        return self._secrets.get(stream, {})

    def wait(self, after: int, seconds: float) -> bool:  # noqa: ARG002 -- there is only one thread
        """Waiting would be for ever."""
        return len(self._events) > after

    def close(self) -> None:
        """Nothing to release."""
