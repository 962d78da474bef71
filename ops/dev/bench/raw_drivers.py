"""The floor: a bare database driver that writes the rows of an append and does nothing else.

The rows are planned beforehand by the log's own planner, so they are the same to the byte: events
with their hashes, heads, commands, secrets, inline rows. The drivers neither look at what is there
nor check anything; positions are known. Each transaction is as durable as the log's, and takes
the log lock first.
"""

import re
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import Protocol

from msgspec.structs import replace

from events.append_look import Known, Pointer, moment
from events.append_plan import Plan
from events.append_tables import EVENTS, Row, Target, for_postgres, for_sqlite
from events.log import BATCH_APPENDS_MAX, Append, Appended
from events.log_lock import LOG_LOCK
from events.migrations import upgrade
from events.postgres_binary import arrays
from events.postgres_pipeline import Pipeline
from events.postgres_store import PostgresStore
from events.postgres_wire import Statement
from events.sqlite_store import SqliteStore
from services.projections.inline import INLINE_TABLES

Writes = Sequence[tuple[Target, Sequence[Row]]]
"""The rows of one transaction by table."""


def planned(
    appends: Iterable[Append], stream: str, positions: Iterator[int], *, bare: bool = False
) -> list[Writes]:
    """What each of these appends to a new stream writes; ``bare``: the event alone."""
    inline = {table.name: table for table in INLINE_TABLES}
    pointers = {name: Pointer(spec.shape, f"{name}_{spec.shape}") for name, spec in inline.items()}
    head, transactions = Known(), list[Writes]()
    for append in appends:
        plan = Plan(moment(inline, pointers, positions), append.received_at)
        plan.take(replace(append, stream=stream), head)
        answer = plan.answers[0]
        assert isinstance(answer, Appended), answer
        head = Known(answer.version, answer.hash)
        transactions.append([each for each in plan.writes() if not bare or each[0] is EVENTS])
    return transactions


def together(many: Iterable[Writes]) -> Writes:
    """The rows of several transactions in one."""
    by_target: dict[Target, list[Row]] = {}
    for writes in many:
        for target, rows in writes:
            by_target.setdefault(target, []).extend(rows)
    return list(by_target.items())


class RawDriver(Protocol):
    """A database with the log's tables, and the shortest way to write into them."""

    def write(self, writes: Writes) -> None:
        """One durable transaction."""
        ...

    def ready(self, writes: Writes) -> Callable[[], object]:
        """The same with all that can be done beforehand done: no writer could be faster."""
        ...

    def close(self) -> None:
        """Close the connection."""
        ...


class RawSqlite:
    """Python's ``sqlite3`` on a file of its own."""

    def __init__(self, path: Path) -> None:
        with closing(SqliteStore(path)) as store:
            upgrade(store, INLINE_TABLES)
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._connection.execute("PRAGMA synchronous = FULL")

    def write(self, writes: Writes) -> None:
        """One durable transaction."""
        self._write([(for_sqlite(target), rows) for target, rows in writes])

    def ready(self, writes: Writes) -> Callable[[], object]:
        """The same with the statements looked up."""
        statements = [(for_sqlite(target), rows) for target, rows in writes]
        return lambda: self._write(statements)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _write(self, statements: Iterable[tuple[str, Sequence[Row]]]) -> None:
        self._connection.execute("BEGIN IMMEDIATE")
        for statement, rows in statements:
            self._connection.executemany(statement, rows)
        self._connection.execute("COMMIT")


class RawPostgres:
    """psycopg in its pipeline mode, and one trip of ready messages as its ceiling."""

    def __init__(self, url: str) -> None:
        store = PostgresStore(url)
        upgrade(store, INLINE_TABLES)
        self._connection = store.own_connection()
        self._connection.prepare_threshold = 0
        self._trips = Pipeline(store.own_connection)
        self._trips.open("SET plan_cache_mode = force_generic_plan")
        store.close()

    def write(self, writes: Writes) -> None:
        """One durable transaction: a row by its values, many as arrays."""
        with (
            self._connection.pipeline(),
            self._connection.transaction(),
            self._connection.cursor() as cursor,
        ):
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", (LOG_LOCK,))
            for target, rows in writes:
                if len(rows) == 1:
                    cursor.execute(_by_values(target), rows[0])
                else:
                    cursor.execute(
                        _by_arrays(target), [list(column) for column in zip(*rows, strict=True)]
                    )

    def ready(self, writes: Writes) -> Callable[[], object]:
        """One trip with prepared statements and encoded values."""
        statements = [
            Statement("BEGIN"),
            Statement(f"SELECT pg_advisory_xact_lock({LOG_LOCK})"),
            *(
                Statement(for_postgres(target), arrays([kind for _, kind in target.columns], rows))
                for target, rows in writes
            ),
            Statement("COMMIT"),
        ]
        return lambda: self._trips.run(statements)

    def close(self) -> None:
        """Close both connections."""
        self._connection.close()
        self._trips.close()


@cache
def _by_values(target: Target) -> bytes:
    return for_sqlite(target).replace("?", "%s").encode()


@cache
def _by_arrays(target: Target) -> bytes:
    return re.sub(r"\$\d+", "%s", for_postgres(target)).encode()


class Grouped:
    """Group commit as a raw driver would have it: one thread writes whatever is waiting."""

    def __init__(self, driver: RawDriver) -> None:
        self._driver = driver
        self._waiting: SimpleQueue[_Waiting | None] = SimpleQueue()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()

    def write(self, writes: Writes) -> None:
        """Return when the rows are kept."""
        waiting = _Waiting(writes)
        self._waiting.put(waiting)
        waiting.gate.acquire()
        if waiting.failure is not None:
            raise waiting.failure

    def close(self) -> None:
        """End the thread."""
        self._waiting.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (first := self._waiting.get()) is not None:
            group = [first]
            with suppress(Empty):
                while len(group) < BATCH_APPENDS_MAX and (more := self._waiting.get_nowait()):
                    group.append(more)
            failure: Exception | None = None
            try:
                self._driver.write(together(each.writes for each in group))
            except Exception as error:  # noqa: BLE001 - raised again by those who wait
                failure = error
            for each in group:
                each.failure = failure
                each.gate.release()


class _Waiting:
    """Somebody's rows, and the gate at which they wait."""

    __slots__ = ("failure", "gate", "writes")

    def __init__(self, writes: Writes) -> None:
        self.writes = writes
        self.failure: Exception | None = None
        self.gate = Lock()
        self.gate.acquire()
