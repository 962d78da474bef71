"""The log in a SQLite file."""

import itertools
import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence

from events.append_check import check
from events.append_plan import Done, Known, Moment, Plan, Pointer
from events.append_tables import for_sqlite
from events.log import Answer, Append, Appended, InlineTable
from events.log_reads import DONE, LogReads
from events.sqlite_store import SqliteStore

LOOK_SECONDS = 0.05
"""How often a reader looks for what another process has written; nothing tells it."""


class SqliteLog(LogReads):
    """An ``EventLog`` in a SQLite file; ``clock`` gives microseconds since 1970 UTC.

    ``BEGIN IMMEDIATE`` on the one writing connection is the log lock.
    """

    # A column of SQLite takes any type, whoever wrote it: an event changed by hand is still
    # read as texts, numbers and bytes, and fails by its hash.
    as_recorded = (
        "CAST(stream AS TEXT), CAST(version AS INTEGER), CAST(kind AS TEXT),"
        " CAST(actor AS TEXT), CAST(received_at AS INTEGER), CAST(at AS INTEGER),"
        " CAST(data AS BLOB), CAST(cause AS TEXT), CAST(hash AS BLOB), position"
    )
    as_told = "CAST(kind AS TEXT), CAST(data AS BLOB), CAST(received_at AS INTEGER)"

    def __init__(
        self, store: SqliteStore, inline: Iterable[InlineTable], clock: Callable[[], int]
    ) -> None:
        super().__init__(store, inline)
        self._store = store
        self._clock = clock
        self._bell = store.bell

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Write what can be written, in order, in one transaction; one answer per append."""
        check(batch, self._inline)
        if not batch:
            return []

        def look_and_write(connection: sqlite3.Connection) -> Plan:
            plan = Plan(self._inline, _moment(connection), self._clock())
            for append in batch:
                plan.take(append, _known(connection, append))
            for target, rows in plan.writes():
                connection.executemany(for_sqlite(target), rows)
            return plan

        plan = self._store.transact(look_and_write)
        self._bell.ring(plan.position)
        return plan.answers

    def wait(self, after: int, seconds: float) -> bool:
        """Block until the log may hold more than ``after``, at most ``seconds``."""
        until = time.monotonic() + seconds
        while self.position() <= after:
            left = until - time.monotonic()
            if left <= 0:
                return False
            self._bell.wait(after, min(left, LOOK_SECONDS) if self._store.read_only else left)
        return True

    def close(self) -> None:
        """Nothing to release: whoever opened the store closes it."""


def _moment(connection: sqlite3.Connection) -> Moment:
    last_at, last_position = connection.execute(_LAST).fetchone()
    pointers = {name: Pointer(*rest) for name, *rest in connection.execute(_POINTERS)}
    return Moment(last_at, itertools.count(last_position + 1), pointers)


def _known(connection: sqlite3.Connection, append: Append) -> Known:
    name = append.command_id
    version, link = connection.execute(_HEAD, (append.stream,)).fetchone() or Known()[:2]
    if name is None:
        return Known(version, link)
    command = (append.stream, name.namespace.value, append.actor, name.key)
    found = connection.execute(DONE, command).fetchone()
    done = found and Done(found[0], Appended(append.stream, *found[1:]))
    return Known(version, link, done)


# Positions are drawn as AUTOINCREMENT does: one whose event was cut off is never used again.
_LAST = (
    "SELECT coalesce((SELECT at FROM event ORDER BY position DESC LIMIT 1), 0),"
    " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)"
)
_POINTERS = "SELECT projection, shape, table_name FROM projection_pointer"
_HEAD = "SELECT version, hash FROM stream WHERE stream = ?"
