"""The log's database on PostgreSQL, behind SQLAlchemy's pool."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from itertools import count
from typing import Any, TypeVar, cast

import psycopg
from sqlalchemy import Connection, Engine, create_engine, make_url
from sqlalchemy.exc import OperationalError, ProgrammingError

from events.postgres_wire import Wires
from events.store_failures import plainly

T = TypeVar("T")

CONNECTIONS_KEPT = 8
CONNECTIONS_MAX = 16
CONNECTIONS_FETCHING_MAX = 8
"""``fetch`` has connections of its own: on those of a pool, it would take a tenth longer."""
CONNECT_SECONDS = 10
SILENCE_MS = 30_000
"""How long data we sent may stay unanswered by the other machine before we give it up."""


class PostgresStore:
    """A PostgreSQL database (``Store``). ``url`` begins with ``postgresql://``."""

    def __init__(self, url: str) -> None:
        self._engine = create_engine(
            make_url(url).set(drivername="postgresql+psycopg"),
            pool_size=CONNECTIONS_KEPT,
            max_overflow=CONNECTIONS_MAX - CONNECTIONS_KEPT,
            connect_args={"connect_timeout": CONNECT_SECONDS, "tcp_user_timeout": SILENCE_MS},
        )
        self._looking = self._engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        self._wires = Wires(self.own_connection, CONNECTIONS_FETCHING_MAX)

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one READ COMMITTED transaction."""
        with plainly("the database could not be written"), _alive(self._engine) as connection:
            return work(connection)

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one REPEATABLE READ transaction that may not write.

        It runs once more if a table vanished under it: a rebuild put another in its place.
        """
        try:
            return self._read(work)
        except ProgrammingError as error:
            if not isinstance(error.orig, psycopg.errors.UndefinedTable):
                raise
            return self._read(work)

    def fetch(self, query: str, values: Sequence[str | int] = ()) -> list[Any]:
        """The rows of one query (with ``?`` for its values), by the shortest way there is."""
        with plainly("the log could not be read"):
            return self._wires.rows(_numbered(query), values)

    def own_connection(self) -> "psycopg.Connection[Any]":
        """A connection in autocommit mode that the caller keeps, and closes."""
        with plainly("the database cannot be reached"):
            try:
                return self._own_connection()
            except psycopg.OperationalError:  # the server was restarted: what we kept is dead
                self._engine.dispose()
                return self._own_connection()

    def close(self) -> None:
        """Close every connection that is not the caller's own."""
        self._wires.close()
        self._engine.dispose()

    def _read(self, work: Callable[[Connection], T]) -> T:
        with plainly("the database could not be read"), _alive(self._looking) as connection:
            return work(connection)

    def _own_connection(self) -> "psycopg.Connection[Any]":
        pooled = self._engine.raw_connection()
        driver = cast("psycopg.Connection[Any]", pooled.driver_connection)
        pooled.detach()
        driver.autocommit = True
        driver.execute("SELECT 1")
        return driver


@contextmanager
def _alive(engine: Engine) -> Iterator[Connection]:
    """A connection in a transaction; one that died in the pool is replaced before any work."""
    connection = engine.connect()
    try:
        connection.exec_driver_sql("SELECT 1")
    except OperationalError:  # which also empties the pool
        connection.close()
        connection = engine.connect()
    with connection:
        yield connection
        connection.commit()


@lru_cache(maxsize=64)
def _numbered(query: str) -> str:
    """The query with ``$1`` … for its values.

    >>> _numbered("SELECT at FROM event WHERE stream = ? AND version = ?")
    'SELECT at FROM event WHERE stream = $1 AND version = $2'
    """
    number = count(1)
    return re.sub(r"\?", lambda _: f"${next(number)}", query)
