"""Many writers and a reader that only asks for more: under the log lock nothing is skipped.

Each law has a control beside it, with the lock left out or taken last: there the fault must be
seen, or the test would prove nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from threading import Event, Thread
from typing import Any

import psycopg
import pytest
from sqlalchemy import Connection

from events import postgres_log
from events.log import Appended, Expected
from events.log_lock import LOG_LOCK, lock_log
from events.migrations import upgrade
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.postgres_wire import Statement
from tests.kit.logs import SetClock, append, append_of
from tests.kit.machine import PATIENCE_SECONDS, until

pytestmark = pytest.mark.postgres

WRITERS = 8
APPENDS_EACH = 60
ROUNDS_MAX = 20

Raw = psycopg.Connection[Any]


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    """An empty log's database."""
    with closing(PostgresStore(postgres_url)) as opened:
        upgrade(opened)
        yield opened


@pytest.fixture
def two_writers(postgres_url: str) -> Iterator[tuple[Raw, Raw]]:
    """Connections of two writers who append as they please."""
    with ExitStack() as stack:
        one, other = (stack.enter_context(psycopg.connect(postgres_url)) for _ in range(2))
        yield one, other
        one.rollback()
        other.rollback()


def open_log(store: PostgresStore) -> PostgresLog:
    """A log that appends on a connection of its own, as one in another process would."""
    return PostgresLog(store, (), SetClock())


def raised_by(*tasks: Callable[[], object]) -> list[BaseException]:
    """What tasks raised that ran at the same time."""
    raised: list[BaseException] = []

    def run(task: Callable[[], object]) -> None:
        try:
            task()
        except BaseException as error:  # noqa: BLE001 -- handed to whoever asked for it
            raised.append(error)

    threads = [Thread(target=run, args=(task,)) for task in tasks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert not any(thread.is_alive() for thread in threads)
    return raised


def is_waiting(store: PostgresStore) -> bool:
    """Whether a connection to this database waits for a lock."""
    query = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    return bool(store.fetch(query + " AND datname = current_database()"))


# Skipping


def tailed_while_written(store: PostgresStore, name: str) -> tuple[list[int], list[int]]:
    """Positions that a tailing reader got while eight writers wrote, and those it should have."""
    seen: list[int] = []
    done = Event()
    with closing(open_log(store)) as log:
        start = log.position()

        def tail() -> None:
            after, last_look = start, False
            while not last_look:
                last_look = done.is_set()  # looked at first: all is written before this reading
                while page := log.read_all(after):
                    seen.extend(event.position for event in page)
                    after = page[-1].position

        reader = Thread(target=tail)
        reader.start()
        failures = raised_by(*(partial(write, store, f"{name}/{n}") for n in range(WRITERS)))
        done.set()
        reader.join(PATIENCE_SECONDS)
        assert failures == []
        return seen, [event.position for event in log.read_all(start, limit=10_000)]


def write(store: PostgresStore, stream: str) -> None:
    """Be one of the writers."""
    with closing(open_log(store)) as log:
        for version in range(APPENDS_EACH):
            append(log, stream, version)


def test_a_tailing_reader_sees_every_event_once_and_in_order(store: PostgresStore) -> None:
    """Eight writers on connections of their own, one reader with ``position > last``."""
    seen, there = tailed_while_written(store, "w")
    assert len(there) == WRITERS * APPENDS_EACH
    assert seen == there


def test_control_without_the_lock_the_reader_skips(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same run with the lock left out loses events: the test above would see it."""
    monkeypatch.setattr(postgres_log, "_LOCK", Statement("SELECT 1"))
    for number in range(ROUNDS_MAX):
        seen, there = tailed_while_written(store, f"w-{number}")
        if skipped := {*there} - {*seen}:
            break
    assert skipped


def test_control_a_position_drawn_early_and_committed_late_is_skipped(
    store: PostgresStore, two_writers: tuple[Raw, Raw]
) -> None:
    """One draws 1, the other draws 2 and commits, the reader passes, 1 is committed: lost."""
    early, late = two_writers
    insert = (
        "INSERT INTO event (stream, version, kind, actor, received_at, at, data, cause, hash)"
        " VALUES (%s, 1, 'k', 'a', 0, 0, '', '', '')"
    )
    with closing(open_log(store)) as log:
        early.execute(insert, ["early"])
        late.execute(insert, ["late"])
        late.commit()
        page = log.read_all(0)
        early.commit()
        tail = log.read_all(page[-1].position)
        assert [event.stream for event in [*page, *tail]] == ["late"]
        assert [event.stream for event in log.read_all(0)] == ["early", "late"]


def test_the_lock_comes_before_the_position(store: PostgresStore) -> None:
    """An append that finds the log locked draws no position and shows nothing until it is free."""
    positions: list[int] = []
    with closing(open_log(store)) as log:
        appending = Thread(target=lambda: positions.append(append(log, "s").position))

        def hold(connection: Connection) -> None:
            lock_log(connection)
            appending.start()
            assert until(partial(is_waiting, store))
            assert store.fetch("SELECT is_called FROM event_position_seq") == [(False,)]

        store.write(hold)
        appending.join(PATIENCE_SECONDS)
        assert positions == [1]


# Deadlock


def test_control_a_lock_taken_last_deadlocks_a_batch(
    store: PostgresStore, two_writers: tuple[Raw, Raw]
) -> None:
    """One updates a head and wants the lock; the batch has the lock and wants that head."""
    with closing(open_log(store)) as log:
        append(log, "x")
        append(log, "y")
    single, batch = two_writers
    touch, lock = "UPDATE stream SET at = at WHERE stream = %s", "SELECT pg_advisory_xact_lock(%s)"
    single.execute(touch, ["x"])
    batch.execute(touch, ["y"])
    batch.execute(lock, [LOG_LOCK])

    def wants_the_lock() -> None:
        assert until(partial(is_waiting, store))
        single.execute(lock, [LOG_LOCK])
        single.commit()

    def wants_the_head() -> None:
        batch.execute(touch, ["x"])
        batch.commit()

    raised = raised_by(wants_the_head, wants_the_lock)
    assert [type(error) for error in raised] == [psycopg.errors.DeadlockDetected]


def test_batches_that_cross_do_not_deadlock(store: PostgresStore) -> None:
    """Two processes whose batches touch the same streams in opposite order both get through."""
    rounds = 50

    def appends(streams: Sequence[str]) -> None:
        with closing(open_log(store)) as log:
            for _ in range(rounds):
                answers = log.append([append_of(stream, Expected.ANY) for stream in streams])
                assert all(isinstance(answer, Appended) for answer in answers)

    assert raised_by(partial(appends, "xy"), partial(appends, "yx")) == []
    with closing(open_log(store)) as log:
        assert [head.version for head in log.streams()] == [2 * rounds, 2 * rounds]
