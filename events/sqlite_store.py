"""The log's database as one SQLite file: one writing connection, any number of readers."""

import fcntl
import os
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from threading import RLock
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.pool import QueuePool, StaticPool

from events.commit_bell import CommitBell
from events.log import LogFailure
from events.store_failures import NothingKept, plainly, said

T = TypeVar("T")

BUSY_SECONDS = 5
"""How long we wait for a stranger who writes to our file; we never wait for ourselves."""
READERS_KEPT = 4
READERS_MAX = 64


class SqliteStore:
    """A SQLite file in WAL mode that only this object writes (``Store``).

    There is one writing connection and one thread at a time that has it: two connections that
    write the same file starve each other, and before SQLite 3.51.3 could corrupt it while a
    checkpoint runs. A second writer, in this process or another, is refused with
    ``LogFailure``; with ``read_only`` any number of processes may look on.
    """

    def __init__(
        self,
        path: Path,
        synchronous: Literal["FULL", "NORMAL"] = "FULL",
        *,
        read_only: bool = False,
    ) -> None:
        self.path = path
        self.read_only = read_only
        self.bell = CommitBell()
        # The caller's own thread writes: one that owned the connection would keep nothing safer,
        # and handing work over to it and waiting made a lone client's append a seventh slower.
        self._turn = RLock()
        self._claim = None if read_only else _claim(path)
        if read_only and not path.exists():
            raise LogFailure(f"there is no log at {path}")
        self._readers = _engine(partial(_connect, path, "ro"), "BEGIN")
        self._writer: Connection | None = None
        self._driver: sqlite3.Connection | None = None
        """The writing connection, as SQLAlchemy has it and bare."""
        if not read_only:
            self._open_writer(synchronous)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one transaction on the writing connection."""
        writer, driver = self._writer, self._driver
        if writer is None or driver is None:
            raise self._not_writing()
        with plainly("the database could not be written"), self._turn:
            _refuse_nesting(driver)
            with writer.begin():
                return work(writer)

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` on a read-only connection that sees one moment."""
        with (
            plainly("the database could not be read"),
            self._readers.connect() as connection,
            connection.begin(),
        ):
            return work(connection)

    def fetch(self, query: str, values: Sequence[Any] = ()) -> list[Any]:
        """The rows of one query, by the shortest way there is."""
        with (
            plainly("the log could not be read"),
            closing(self._readers.raw_connection()) as pooled,
        ):
            driver: Any = pooled.driver_connection
            rows: list[Any] = driver.execute(query, values).fetchall()
            return rows

    def transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` in one transaction on the writing connection, by the shortest way there is.

        Raises ``NothingKept`` if SQLite refuses; the file is then as it was before.
        """
        driver = self._driver
        if driver is None:
            raise self._not_writing()
        with self._turn:
            _refuse_nesting(driver)
            try:
                driver.execute("BEGIN IMMEDIATE")
                done = work(driver)
                driver.execute("COMMIT")
            except sqlite3.Error as error:
                raise NothingKept(f"the log could not be written: {said(error)}") from error
            else:
                return done
            finally:
                if driver.in_transaction:
                    driver.execute("ROLLBACK")

    def close(self) -> None:
        """Close every connection and let another writer in."""
        self._readers.dispose()
        if self._writer is not None:
            with self._turn:
                self._writer.close()
                self._writer.engine.dispose()
                self._writer = self._driver = None
        if self._claim is not None:
            os.close(self._claim)
            self._claim = None

    def _not_writing(self) -> LogFailure:
        reason = "is open for reading only" if self.read_only else "is closed"
        return LogFailure(f"the log at {self.path} {reason}")

    def _open_writer(self, synchronous: str) -> None:
        engine = _engine(partial(_connect, self.path, "rw"), "BEGIN IMMEDIATE", StaticPool)
        try:
            # For its owner alone from its first moment; SQLite gives its other files the same mode.
            self.path.touch(mode=0o600)
            writer = engine.connect()
            driver: Any = writer.connection.driver_connection
            driver.execute("PRAGMA journal_mode = WAL")
            driver.execute(f"PRAGMA synchronous = {synchronous}")
        except Exception as error:
            engine.dispose()
            self.close()
            raise LogFailure(f"the log at {self.path} cannot be opened: {said(error)}") from error
        self._writer, self._driver = writer, driver


def _refuse_nesting(driver: sqlite3.Connection) -> None:
    """Refuse a thread that had the turn already: it got it again, where others have to wait."""
    if driver.in_transaction:
        raise RuntimeError("this thread is writing already: one transaction inside another")


def _claim(path: Path) -> int:
    """Become the file's one writer, until closed or dead: the lock falls with its process."""
    try:
        claim = os.open(path.with_name(path.name + ".writer"), os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise LogFailure(f"the log at {path} cannot be opened: {error.strerror}") from error
    try:
        fcntl.flock(claim, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(claim)
        raise LogFailure(
            f"another process or store already writes the log at {path}:"
            " stop it, or open this one with read_only"
        ) from None
    return claim


def _connect(path: Path, mode: str) -> sqlite3.Connection:
    return sqlite3.connect(
        f"{path.absolute().as_uri()}?mode={mode}",
        uri=True,
        timeout=BUSY_SECONDS,
        isolation_level=None,  # transactions begin and end where we say so
        check_same_thread=False,  # the pool and the turn see to it that threads take turns
    )


def _engine(
    connect: Callable[[], sqlite3.Connection],
    begin: str,
    pool: type[QueuePool] | type[StaticPool] = QueuePool,
) -> Engine:
    """An engine whose transactions begin as we say: SQLAlchemy leaves that to the driver."""
    sizes: dict[str, int] = {}
    if pool is QueuePool:
        sizes = {"pool_size": READERS_KEPT, "max_overflow": READERS_MAX - READERS_KEPT}
    engine = create_engine("sqlite://", creator=connect, poolclass=pool, **sizes)
    event.listen(engine, "begin", lambda connection: connection.exec_driver_sql(begin))
    return engine
