"""The log in a SQLite file."""

import sqlite3
import time
from collections.abc import Callable, Iterable, Sequence
from itertools import count

from events.append_check import Check
from events.append_look import Moment, Pointer, asked, known, moment, question
from events.append_plan import Plan
from events.append_tables import for_sqlite
from events.log import Answer, Append, InlineTable
from events.log_reads import LogReads
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
        self._check = Check(self._inline)
        self._bell = store.bell
        self._moment = moment(self._inline, {}, count(1))
        self._changes = -1

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Write what can be written, in order, in one transaction; one answer per append."""
        self._check(batch)
        if not batch:
            return []

        def look_and_write(connection: sqlite3.Connection) -> Plan:
            plan = Plan(self._moment_now(connection), self._clock())
            for append in batch:
                row = connection.execute(_LOOK, asked(append)).fetchone()
                plan.take(append, known(append, row))
            for target, rows in plan.writes():
                connection.executemany(for_sqlite(target), rows)
            self._changes = connection.total_changes
            return plan

        plan = self._store.transact(look_and_write)
        self._bell.ring(plan.position)
        return plan.answers

    def _moment_now(self, connection: sqlite3.Connection) -> Moment:
        """As the last append left it, unless others have changed a row since: then ask.

        All that is written to the file goes through this connection, which counts the rows. A
        commit that fails leaves no more behind than a gap of positions, and perhaps a later time.
        """
        if connection.total_changes != self._changes:
            self._moment = self._ask_for_moment(connection)
        return self._moment

    def _ask_for_moment(self, connection: sqlite3.Connection) -> Moment:
        last_at, last_position = connection.execute(_LAST).fetchone()
        pointers = {name: Pointer(*rest) for name, *rest in connection.execute(_POINTERS)}
        return moment(self._inline, pointers, count(last_position + 1), last_at)

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


# Positions are drawn as AUTOINCREMENT does: one whose event was cut off is never used again.
_LAST = (
    "SELECT coalesce((SELECT at FROM event ORDER BY position DESC LIMIT 1), 0),"
    " coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0)"
)
_POINTERS = "SELECT projection, shape, table_name FROM projection_pointer"
_LOOK = question("(SELECT 1)", ("?1", "?2", "?3", "?4"))
