"""Everything a log is asked: the same queries on both stores, by the shortest way there is."""
# ruff: noqa: S608 -- only names of our own are put into queries, values never

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from events.append_look import Pointer
from events.log import (
    PAGE_EVENTS,
    Appended,
    CommandId,
    CommandReused,
    Head,
    InlineTable,
    LogFailure,
    Value,
)
from events.recorded import GENESIS, Recorded, Told

RECORDED = "stream, version, kind, actor, received_at, at, data, cause, hash, position"
"""The columns of ``Recorded``, in its order."""
TOLD = "kind, data, received_at"
"""The columns of ``Told``, in its order."""
DONE = (
    "SELECT c.fingerprint, c.first_version, e.version, e.position, e.hash, e.at"
    " FROM command AS c JOIN event AS e ON e.stream = c.stream AND e.version = c.version"
    " WHERE c.stream = ? AND c.namespace = ? AND c.actor = ? AND c.key = ?"
)
"""What a command stands for: its fingerprint, then the fields of ``Appended`` after the stream."""

_VERSION_MAX = 2**63 - 1
_NAME_MAX = "\U0010ffff"  # sorts behind whatever a name goes on with


class Fetches(Protocol):
    """A store as far as reading goes."""

    def fetch(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of a query, with ``?`` for its values."""
        ...


class LogReads:
    """The reading half of an ``EventLog``."""

    as_recorded: ClassVar[str] = RECORDED
    """How the store is asked for the columns of ``Recorded``."""
    as_told: ClassVar[str] = TOLD
    """How the store is asked for the columns of ``Told``."""

    def __init__(self, store: Fetches, inline: Iterable[InlineTable]) -> None:
        self._fetch = store.fetch
        self._inline = {spec.name: spec for spec in inline}

    def repeated(
        self, stream: str, actor: str, command_id: CommandId, fingerprint: bytes
    ) -> Appended | CommandReused | None:
        """What this command id already stands for in the stream, or None."""
        command = (stream, command_id.namespace.value, actor, command_id.key)
        found = self._fetch(DONE, command)
        if not found:
            return None
        done, first_version, version, position, link, at = found[0]
        if done != fingerprint:
            return CommandReused(stream, command_id.key)
        return Appended(stream, first_version, version, position, link, at, repeated=True)

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """The events of one stream with ``after < version <= upto``, in order."""
        return [Recorded(*row) for row in self._of_stream(self.as_recorded, stream, after, upto)]

    def told(self, stream: str, after: int = 0, upto: int | None = None) -> list[Told]:
        """What ``read`` gives, without all that a fold has no use for; much quicker."""
        return [Told(*row) for row in self._of_stream(self.as_told, stream, after, upto)]

    def read_all(self, after: int = 0, limit: int = PAGE_EVENTS) -> list[Recorded]:
        """At most ``limit`` events of the whole log with ``position > after``, in order."""
        found = self._fetch(
            f"SELECT {self.as_recorded} FROM event WHERE position > ? ORDER BY position LIMIT ?",
            (after, limit),
        )
        return [Recorded(*row) for row in found]

    def head(self, stream: str) -> Head:
        """Where the stream stands now."""
        found = self._fetch(
            "SELECT stream, version, hash, at, position FROM stream WHERE stream = ?", (stream,)
        )
        return Head(*found[0]) if found else Head(stream, 0, GENESIS, 0, 0)

    def position(self) -> int:
        """The position of the newest event, 0 for an empty log."""
        found = self._fetch("SELECT position FROM event ORDER BY position DESC LIMIT 1")
        return int(found[0][0]) if found else 0

    def streams(self, prefix: str = "", after: str = "", limit: int = PAGE_EVENTS) -> list[Head]:
        """Heads of the streams whose name starts with ``prefix``, by name, after ``after``."""
        found = self._fetch(
            "SELECT stream, version, hash, at, position FROM stream"
            " WHERE stream > ? AND stream >= ? AND stream < ? ORDER BY stream LIMIT ?",
            (after, prefix, prefix + _NAME_MAX, limit),
        )
        return [Head(*row) for row in found]

    def rows(self, projection: str, stream: str) -> dict[str, tuple[Value, ...]]:
        """The inline rows of one stream by key (values in column order)."""
        pointer = self._pointer(projection)
        columns = ", ".join(f'"{name}"' for name, _ in self._inline[projection].columns)
        query = f'SELECT key, {columns} FROM "{pointer.table}" WHERE stream = ?'
        try:
            return {key: tuple(values) for key, *values in self._fetch(query, (stream,))}
        except LogFailure:
            if self._pointer(projection) == pointer:
                raise
            return self.rows(projection, stream)  # a rebuild put another table in its place

    def secrets(self, stream: str) -> Mapping[str, bytes]:
        """The sealed secrets of one stream by name."""
        return dict(self._fetch("SELECT name, sealed FROM secret WHERE stream = ?", (stream,)))

    def _of_stream(self, columns: str, stream: str, after: int, upto: int | None) -> list[Any]:
        return self._fetch(
            f"SELECT {columns} FROM event"
            " WHERE stream = ? AND version > ? AND version <= ? ORDER BY version",
            (stream, after, _VERSION_MAX if upto is None else upto),
        )

    def _pointer(self, projection: str) -> Pointer:
        found = self._fetch(
            "SELECT shape, table_name FROM projection_pointer WHERE projection = ?", (projection,)
        )
        ours = self._inline[projection]
        if not found or found[0][0] != ours.shape:
            raise LogFailure(
                f"projection {projection} has no table of shape {ours.shape}:"
                " run `plybook migrate` or `plybook rebuild`"
            )
        return Pointer(*found[0])
