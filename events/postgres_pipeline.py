"""The connection that appends: opened when it is needed, and again when it was lost."""

from collections.abc import Callable, Sequence
from typing import Any

import psycopg
from psycopg.pq import TransactionStatus
from psycopg.pq.abc import PGresult

from events.postgres_wire import Statement, Wire

_IN_TRANSACTION = {TransactionStatus.INTRANS, TransactionStatus.INERROR}


class Pipeline:
    """Several statements in one round trip, for one thread at a time.

    An append is two trips: look under the lock, then write and commit. ``connect`` opens a
    connection in autocommit mode.
    """

    def __init__(self, connect: Callable[[], "psycopg.Connection[Any]"]) -> None:
        self._connect = connect
        self._connection: psycopg.Connection[Any] | None = None
        self._wire: Wire | None = None

    @property
    def lost(self) -> bool:
        """Whether there is no connection; what was sent last may have been done or not."""
        return self._connection is None or self._connection.closed

    def open(self, settings: str) -> None:
        """Connect (again), and run the statements that set the session up."""
        self._connection = self._connect()
        self._wire = Wire(self._connection)
        self._connection.execute(settings.encode())

    def run(self, statements: Sequence[Statement]) -> list[PGresult]:
        """The results of all statements; the first that fails raises its ``psycopg.Error``.

        What follows a failing statement is not run. If the trip itself fails halfway, nobody
        knows what the server still does, and the connection is closed.
        """
        if self._wire is None:
            raise psycopg.OperationalError("the connection is not open")
        return self._wire.trip(statements)

    def roll_back(self) -> None:
        """Give the transaction up, if there is one; close the connection if even that fails."""
        connection = self._connection
        if connection and connection.pgconn.transaction_status in _IN_TRANSACTION:
            try:
                connection.execute("ROLLBACK")
            except psycopg.Error:
                connection.close()

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()
