"""PostgreSQL that goes away and comes back, is held up, or gives us no more than our role has."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial

import psycopg
import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, text

from events import postgres_log
from events.log import Appended, Expected, LogFailure
from events.log_lock import lock_log
from events.migrations import upgrade
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.roles import APP, SECRETS
from events.store_failures import NothingKept
from tests.kit.logs import INLINE, SetClock, append, append_of
from tests.kit.machine import PATIENCE_SECONDS

pytestmark = pytest.mark.postgres

COUNT = text("SELECT count(*) FROM lease")
ADD = text("INSERT INTO lease VALUES ('relay', 'me', 1)")


@pytest.fixture
def store(postgres_url: str) -> Iterator[PostgresStore]:
    """A database with tables."""
    with closing(PostgresStore(postgres_url)) as opened:
        upgrade(opened, INLINE)
        yield opened


@pytest.fixture
def cut_off(postgres_url: str) -> Callable[[], None]:
    """Ends every connection to the database from the server's side, as a restart does."""

    def cut() -> None:
        with psycopg.connect(postgres_url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
                " WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )

    return cut


def test_a_restart_between_calls_is_not_noticed(
    store: PostgresStore, cut_off: Callable[[], None]
) -> None:
    """Appends, reads and works find their connection dead, and take another one."""
    with closing(PostgresLog(store, INLINE, SetClock())) as log:
        append(log, "s", Expected.NEW)
        store.read(lambda c: c.execute(COUNT))
        cut_off()
        assert append(log, "s", 1).version == 2
        cut_off()
        assert len(log.read("s")) == 2
        cut_off()
        assert store.read(lambda c: c.execute(COUNT).scalar()) == 0
        cut_off()
        store.write(lambda c: c.execute(ADD))
        cut_off()
        assert store.fetch("SELECT count(*) FROM lease WHERE name = ?", ("relay",)) == [(1,)]


def test_a_connection_lost_in_the_middle_leaves_nothing_half(
    store: PostgresStore, cut_off: Callable[[], None]
) -> None:
    """The append fails plainly and cannot know more; nothing of it is there, and work goes on."""
    ticks = itertools.count()

    def clock() -> int:
        if next(ticks) == 1:  # asked for under the lock, between looking and writing
            cut_off()
        return 7

    with closing(PostgresLog(store, INLINE, clock)) as log:
        append(log, "s", Expected.NEW)
        spoilt = append_of("s", 1, b"2", key="k", rows={"a": ("x", 1, None)})
        with pytest.raises(LogFailure, match="the log could not be written: ") as failure:
            log.append([append_of("t"), spoilt])
        assert not isinstance(failure.value, NothingKept)
        assert [event.stream for event in log.read_all()] == ["s"]
        assert log.rows("places", "s") == {}
        [answer] = log.append([spoilt])
        assert isinstance(answer, Appended)
        assert log.append([spoilt]) == [replace(answer, repeated=True)]


def test_waiting_outlives_its_connection(store: PostgresStore, cut_off: Callable[[], None]) -> None:
    """Whoever listens connects again and catches up; a wait is bounded in any case."""
    with closing(PostgresLog(store, INLINE, SetClock())) as listener:
        assert not listener.wait(0, 0.01)
        cut_off()
        with closing(PostgresLog(store, INLINE, SetClock())) as log:
            position = append(log, "s").position
            assert listener.wait(position - 1, PATIENCE_SECONDS)
            assert not listener.wait(position, 0.01)
            position = append(log, "s").position
            assert listener._bell.wait(position - 1, PATIENCE_SECONDS)


def test_a_server_that_is_not_there_is_said_plainly() -> None:
    """One sentence, for every way in."""
    with (
        closing(PostgresStore("postgresql://nobody@127.0.0.1:1/none")) as store,
        closing(PostgresLog(store, (), SetClock())) as log,
    ):
        for attempt in (
            lambda: log.append([append_of("s")]),
            log.position,
            lambda: log.wait(0, 0.01),
            lambda: store.read(lambda c: c.execute(COUNT)),
            lambda: store.write(lambda c: c.execute(ADD)),
        ):
            with pytest.raises(LogFailure, match=r"Connection refused$"):
                attempt()


def test_a_log_lock_that_is_not_given_back_is_not_waited_for_for_ever(
    store: PostgresStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a time the append fails, and nothing of it is kept."""
    settings = postgres_log._SETTINGS + "SET lock_timeout = '50ms';"
    monkeypatch.setattr(postgres_log, "_SETTINGS", settings)
    with closing(PostgresLog(store, (), SetClock())) as log:

        def hold(connection: Connection) -> None:
            lock_log(connection)
            with pytest.raises(NothingKept, match=r"could not be written: .*lock timeout"):
                append(log, "s")

        store.write(hold)
        assert append(log, "s", Expected.NEW).version == 1


def test_reading_sees_one_moment_and_cannot_write(store: PostgresStore) -> None:
    """What is committed meanwhile is not seen, and a write is refused by the server."""

    def look(connection: Connection) -> list[object]:
        before = connection.execute(COUNT).scalar()
        store.write(lambda c: c.execute(ADD))
        return [before, connection.execute(COUNT).scalar()]

    assert store.read(look) == [0, 0]
    with pytest.raises(Exception, match="read-only transaction"):
        store.read(lambda c: c.execute(ADD))


def test_a_work_that_raises_leaves_nothing(store: PostgresStore) -> None:
    """What it had written is rolled back, its own error is the caller's, and work goes on."""

    def work(connection: Connection) -> None:
        connection.execute(ADD)
        raise LookupError

    with pytest.raises(LookupError):
        store.write(work)
    assert store.read(lambda c: c.execute(COUNT).scalar()) == 0


def test_megabytes_go_through_the_pipeline(store: PostgresStore) -> None:
    """More than any buffer between us and the server holds, in both directions."""
    with closing(PostgresLog(store, INLINE, SetClock())) as log:
        batch = [
            append_of(f"s-{n}", 0, b"x" * 200_000, key="k", rows={"a": ("y" * 100_000, n, b"z")})
            for n in range(40)
        ]
        first = log.append(batch)
        again = log.append(batch)
        assert [answer.__class__.__name__ for answer in first + again] == ["Appended"] * 80
        assert sum(len(event.data) for event in log.read_all()) == 40 * 200_000


def test_an_append_needs_no_more_than_the_serving_roles_have(
    store: PostgresStore, postgres_url: str
) -> None:
    """All of a log works for the serving roles; changing an event does not, triggers or not."""
    role = f"{postgres_url}?options=-crole%3D"
    with (
        closing(PostgresStore(role + APP)) as served,
        closing(PostgresLog(served, INLINE, SetClock())) as log,
    ):
        whole = append_of("s", 0, key="k", rows={"a": ("x", 1, None)}, secrets={"seed": b"sealed"})
        log.append([whole])
        log.append([append_of("s", 1, rows={"a": None, "b": ("y", 2, None)})])
        assert log.rows("places", "s") == {"b": ("y", 2, None)}
        assert log.wait(0, PATIENCE_SECONDS)
        with pytest.raises(LogFailure, match="permission denied for table secret"):
            log.secrets("s")
        store.write(lambda c: c.execute(text("ALTER TABLE event DISABLE TRIGGER USER")))
        for change in ("UPDATE event SET data = data", "DELETE FROM event", "TRUNCATE event"):
            with pytest.raises(Exception, match="permission denied for table event"):
                served.write(partial(Connection.execute, statement=text(change)))
    with (
        closing(PostgresStore(role + SECRETS)) as dealing,
        closing(PostgresLog(dealing, INLINE, SetClock())) as log,
    ):
        assert log.secrets("s") == {"seed": b"sealed"}
