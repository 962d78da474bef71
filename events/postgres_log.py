"""The log in PostgreSQL."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from threading import Lock
from typing import Any

import psycopg

from events.append_check import Check
from events.append_look import Moment, Pointer, asked, known, moment, question
from events.append_plan import Plan
from events.append_tables import for_postgres
from events.commit_bell import CommitBell
from events.log import Answer, Append, InlineTable, LogFailure
from events.log_lock import LOG_LOCK
from events.log_reads import LogReads
from events.postgres_binary import arrays, integer, rows_of
from events.postgres_herald import Herald
from events.postgres_pipeline import Pipeline
from events.postgres_store import PostgresStore
from events.postgres_wire import Statement
from events.store_failures import NothingKept, said

LOCK_SECONDS_MAX = 30
"""How long an append waits for the log lock, and how long a stopped process may keep it."""

# Plans are made once a connection, when tables may still be empty: without the last lines a
# table would be read from end to end ever after.
_SETTINGS = f"""
SET synchronous_commit = on;
SET lock_timeout = '{LOCK_SECONDS_MAX}s';
SET idle_in_transaction_session_timeout = '{LOCK_SECONDS_MAX}s';
SET jit = off;
SET plan_cache_mode = force_generic_plan;
SET enable_seqscan = off;
SET enable_hashjoin = off;
SET enable_mergejoin = off;
"""

_BEGIN = Statement("BEGIN ISOLATION LEVEL READ COMMITTED")
# In READ COMMITTED every statement after this one sees what was committed before it.
_LOCK = Statement(f"SELECT pg_advisory_xact_lock({LOG_LOCK})")
_COMMIT = Statement("COMMIT")

# The first row tells of the whole log too. Positions are drawn under the lock; those of refused
# appends are left out, and gaps mean nothing.
_APPENDS = """unnest($1::text[], $2::text[], $3::text[], $4::text[])
  WITH ORDINALITY AS a (stream, namespace, actor, key, number)"""
_ASKED_KINDS = ("text", "text", "text", "text")
_MOMENT = """,
  CASE WHEN a.number = 1 THEN
    (SELECT at FROM event ORDER BY position DESC LIMIT 1) END,
  CASE WHEN a.number = 1 THEN
    (SELECT string_agg(projection || ' ' || shape || ' ' || table_name, ' ')
       FROM projection_pointer) END,
  CASE WHEN a.number = 1 THEN
    (SELECT array_agg(nextval('event_position_seq')) FROM generate_series(1, $5::bigint)) END"""
_LOOK = question(_APPENDS, more=_MOMENT) + "ORDER BY a.number"
_LOOK_KINDS = (
    *("int", "blob"),
    *("blob", "int", "int", "int", "blob", "int"),
    *("int", "text", "ints"),
)


class PostgresLog(LogReads):
    """An ``EventLog`` in PostgreSQL; ``clock`` gives microseconds since 1970 UTC.

    Appends of one process share one connection and take turns: with many they would only queue
    for the log lock.
    """

    def __init__(
        self, store: PostgresStore, inline: Iterable[InlineTable], clock: Callable[[], int]
    ) -> None:
        super().__init__(store, inline)
        self._clock = clock
        self._check = Check(self._inline)
        self._turn = Lock()
        self._pipeline = Pipeline(store.own_connection)
        self._bell = CommitBell()
        self._herald = Herald(self._bell, store.own_connection)

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Write what can be written, in order, in one transaction; one answer per append."""
        self._check(batch)
        if not batch:
            return []
        with self._turn, self._whole_or_not_at_all():
            looked = self._look(batch)
            plan = Plan(self._moment(looked[0]), self._clock())
            for append, row in zip(batch, looked, strict=True):
                plan.take(append, known(append, row))
            self._pipeline.run([*_statements(plan), _COMMIT])
        if plan.position:
            self._bell.ring(plan.position)
            self._herald.tell(plan.position)
        return plan.answers

    def wait(self, after: int, seconds: float) -> bool:
        """Block until the log may hold more than ``after``, at most ``seconds``."""
        self._herald.listen()
        return self.position() > after or self._bell.wait(after, seconds)

    def close(self) -> None:
        """Close the appending connection and end the herald."""
        self._herald.close()
        with self._turn:
            self._pipeline.close()

    def _look(self, batch: Sequence[Append]) -> list[list[Any]]:
        """Take the log lock, and fetch what is known about each append."""
        statements = [_BEGIN, _LOCK, _look_for(batch)]
        if not self._pipeline.lost:
            try:
                return rows_of(self._pipeline.run(statements)[-1], _LOOK_KINDS)
            except psycopg.OperationalError:
                if not self._pipeline.lost:
                    raise
        # The first append ever, or since the server was restarted: nothing was written yet.
        self._pipeline.open(_SETTINGS)
        return rows_of(self._pipeline.run(statements)[-1], _LOOK_KINDS)

    def _moment(self, row: Sequence[Any]) -> Moment:
        last_at, words, positions = row[8:]
        listed = (words or "").split()
        tables = map(Pointer, map(int, listed[1::3]), listed[2::3])
        pointers = dict(zip(listed[::3], tables, strict=True))
        return moment(self._inline, pointers, iter(positions), last_at or 0)

    @contextmanager
    def _whole_or_not_at_all(self) -> Iterator[None]:
        """Roll back whatever fails inside; say plainly whether nothing is kept for certain."""
        try:
            yield
        except psycopg.Error as error:
            # What the server answers, it has undone; a lost answer to a commit may be yes.
            failure = LogFailure if self._pipeline.lost else NothingKept
            raise failure(f"the log could not be written: {said(error)}") from error
        finally:
            self._pipeline.roll_back()


def _look_for(batch: Sequence[Append]) -> Statement:
    events = sum(len(append.events) for append in batch)
    return Statement(
        _LOOK, [*arrays(_ASKED_KINDS, [asked(each) for each in batch]), integer(events)]
    )


def _statements(plan: Plan) -> Iterator[Statement]:
    for target, rows in plan.writes():
        yield Statement(for_postgres(target), arrays([kind for _, kind in target.columns], rows))
