"""The SQLite file: one writer, many readers, and plain words when it cannot be had."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import Connection, text

from events.log import Expected, LogFailure
from events.migrations import upgrade
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from events.store_failures import NothingKept
from tests.kit.logs import INLINE, SetClock, append
from tests.kit.tree import ROOT

COUNT = text("SELECT count(*) FROM lease")
ADD = text("INSERT INTO lease VALUES ('relay', 'me', 1)")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the file will be, in a folder whose name a careless address would misread."""
    folder = tmp_path / "what? a #1 folder %20"
    folder.mkdir()
    return folder / "log.db"


@pytest.fixture
def store(path: Path) -> Iterator[SqliteStore]:
    """The writer, with tables."""
    with closing(SqliteStore(path)) as opened:
        upgrade(opened, INLINE)
        yield opened


def test_the_file_is_written_durably(store: SqliteStore) -> None:
    """WAL and FULL, unless the caller asks for less."""
    [mode] = store.fetch("PRAGMA journal_mode")
    synchronous = store.write(lambda c: c.execute(text("PRAGMA synchronous")).scalar())
    assert (mode, synchronous) == (("wal",), 2)


def test_a_second_writer_is_refused(store: SqliteStore, path: Path) -> None:
    """In this process and in any other; when the first is closed, the next may come."""
    with pytest.raises(LogFailure, match="another process or store already writes the log"):
        SqliteStore(path)
    program = "import sys; from pathlib import Path; from events.sqlite_store import SqliteStore"
    command = [sys.executable, "-c", f"{program}; SqliteStore(Path(sys.argv[1]))", str(path)]
    other = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "another process or store already writes the log" in other.stderr
    store.close()
    SqliteStore(path).close()


def test_another_process_may_look_on(store: SqliteStore, path: Path) -> None:
    """It reads what was committed while the writer is at work, and cannot write."""
    with closing(SqliteLog(store, INLINE, SetClock())) as log:
        answer = append(log, "s", Expected.NEW, b"1", b"2")
    program = """
import sys
from pathlib import Path
from events.log import LogFailure
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
store = SqliteStore(Path(sys.argv[1]), read_only=True)
log = SqliteLog(store, (), lambda: 0)
print(log.head("s").hash.hex(), len(log.read("s")), log.wait(0, 9), log.wait(2, 0.1))
try:
    store.write(print)
except LogFailure as failure:
    print(failure)
"""
    command = [sys.executable, "-c", program, str(path)]
    lines = subprocess.check_output(command, cwd=ROOT, text=True).splitlines()
    assert lines == [
        f"{answer.hash.hex()} 2 True False",
        f"the log at {path} is open for reading only",
    ]


def test_a_closed_log_can_still_be_looked_at(store: SqliteStore, path: Path) -> None:
    """A reader needs no writer to be there."""
    store.close()
    with closing(SqliteStore(path, read_only=True)) as reader:
        assert reader.read(lambda c: c.execute(COUNT).scalar()) == 0


def test_a_work_that_raises_leaves_nothing(store: SqliteStore) -> None:
    """What it had written is rolled back, its own error is the caller's, and work goes on."""

    def work(connection: Connection) -> None:
        connection.execute(ADD)
        raise LookupError

    with pytest.raises(LookupError):
        store.write(work)
    assert store.read(lambda c: c.execute(COUNT).scalar()) == 0
    store.write(lambda c: c.execute(ADD))
    assert store.read(lambda c: c.execute(COUNT).scalar()) == 1


def test_reading_sees_one_moment_and_cannot_write(store: SqliteStore) -> None:
    """What is committed meanwhile is not seen, and a write is refused by SQLite itself."""

    def look(connection: Connection) -> list[object]:
        before = connection.execute(COUNT).scalar()
        store.write(lambda c: c.execute(ADD))
        return [before, connection.execute(COUNT).scalar()]

    assert store.read(look) == [0, 0]
    with pytest.raises(LogFailure, match="readonly"):
        store.read(lambda c: c.execute(ADD))


def test_work_inside_work_is_refused(store: SqliteStore) -> None:
    """It would wait for itself for ever."""
    with pytest.raises(RuntimeError, match="writing already"):
        store.write(lambda _: store.write(lambda c: c.execute(COUNT)))


def test_a_strangers_lock_is_a_plain_failure(store: SqliteStore, path: Path) -> None:
    """Somebody holds the file with a tool of his own: nothing is kept, and it is said."""
    store.write(lambda c: c.exec_driver_sql("PRAGMA busy_timeout = 10").all())
    with (
        closing(sqlite3.connect(path, isolation_level=None)) as stranger,
        closing(SqliteLog(store, INLINE, SetClock())) as log,
    ):
        stranger.execute("BEGIN IMMEDIATE")
        with pytest.raises(NothingKept, match="could not be written: database is locked"):
            append(log, "s")
        with pytest.raises(LogFailure, match="could not be written: database is locked"):
            store.write(lambda c: c.execute(ADD))
        stranger.execute("ROLLBACK")
        assert append(log, "s", Expected.NEW).version == 1


def test_a_full_disk_is_a_plain_failure(store: SqliteStore) -> None:
    """The append that does not fit is not there at all; when there is room, work goes on."""
    with closing(SqliteLog(store, INLINE, SetClock())) as log:
        append(log, "s")
        pages = store.write(lambda c: c.exec_driver_sql("PRAGMA page_count").scalar())
        store.write(lambda c: c.exec_driver_sql(f"PRAGMA max_page_count = {pages}").all())
        with pytest.raises(NothingKept, match="could not be written: database or disk is full"):
            append(log, "s", 1, b"x", b"x" * 100_000)
        store.write(lambda c: c.exec_driver_sql("PRAGMA max_page_count = 100000").all())
        assert append(log, "s", 1, b"2").version == 2


def test_a_log_that_we_make_is_for_its_owner_alone(path: Path, store: SqliteStore) -> None:
    """Also SQLite's own files beside it."""
    store.write(lambda c: c.execute(ADD))
    for file in path.parent.glob(f"{path.name}*"):
        assert file.stat().st_mode & 0o777 == 0o600, file.name
    assert path.with_name(f"{path.name}-wal").exists()


def test_what_cannot_be_opened_is_said_plainly(tmp_path: Path) -> None:
    """A missing folder, a missing log, a file that is something else, a closed store."""
    with pytest.raises(LogFailure, match="cannot be opened: No such file or directory"):
        SqliteStore(tmp_path / "nowhere" / "log.db")
    with pytest.raises(LogFailure, match="there is no log at"):
        SqliteStore(tmp_path / "log.db", read_only=True)
    (tmp_path / "log.db").write_bytes(b"something else entirely, longer than a header" * 100)
    for _ in range(2):  # the failure leaves no claim on the file behind
        with pytest.raises(LogFailure, match="cannot be opened: file is not a database"):
            SqliteStore(tmp_path / "log.db")
    (tmp_path / "log.db").unlink()
    store = SqliteStore(tmp_path / "log.db")
    store.close()
    store.close()
    with pytest.raises(LogFailure, match="is closed"):
        store.write(lambda c: c.execute(COUNT))
    with closing(SqliteStore(tmp_path / "log.db", read_only=True)) as empty:
        log = SqliteLog(empty, (), SetClock())
        with pytest.raises(LogFailure, match="could not be read: no such table"):
            log.position()
