"""Several prepared statements in one round trip, on the driver's own layer below cursors.

An append is two trips: look under the lock, then write and commit. psycopg's pipeline mode over
cursors sends the same messages at several times the client's computing time.
"""

import select
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import psycopg
from psycopg.pq import ExecStatus, TransactionStatus
from psycopg.pq.abc import PGresult

_BINARY = 1
_FINE = {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}
_IN_TRANSACTION = {TransactionStatus.INTRANS, TransactionStatus.INERROR}


class Statement(NamedTuple):
    """A statement with its values (``$1`` …) in PostgreSQL's binary form."""

    text: str
    values: Sequence[bytes] = ()


class Pipeline:
    """One connection, for one thread at a time. ``connect`` opens it in autocommit mode."""

    def __init__(self, connect: Callable[[], "psycopg.Connection[Any]"]) -> None:
        self._connect = connect
        self._connection: psycopg.Connection[Any] | None = None
        self._names: dict[str, bytes] = {}
        self._socket = select.poll()

    @property
    def lost(self) -> bool:
        """Whether there is no connection; what was sent last may have been done or not."""
        return self._connection is None or self._connection.closed

    def open(self, settings: str) -> None:
        """Connect (again), and run the statements that set the session up."""
        self._connection = self._connect()
        self._names = {}
        self._socket = select.poll()
        self._socket.register(self._connection.fileno(), select.POLLIN)
        self._connection.execute(settings.encode())

    def run(self, statements: Sequence[Statement]) -> list[PGresult]:
        """The results of all statements; the first that fails raises its ``psycopg.Error``.

        What follows a failing statement is not run. If the trip itself fails halfway, nobody
        knows what the server still does, and the connection is closed.
        """
        if self._connection is None:
            raise psycopg.OperationalError("the connection is not open")
        driver = self._connection.pgconn
        names = [self._prepared(driver, statement.text) for statement in statements]
        try:
            results = self._trip(driver, names, [statement.values for statement in statements])
        except BaseException:
            self._connection.close()
            raise
        for result in results:
            _require_fine(result)
        return results

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

    def _prepared(self, driver: Any, text: str) -> bytes:
        name = self._names.get(text)
        if name is None:
            name = b"log_%d" % len(self._names)
            _require_fine(driver.prepare(name, text.encode()))
            self._names[text] = name
        return name

    def _trip(
        self, driver: Any, names: Sequence[bytes], values: Sequence[Sequence[bytes]]
    ) -> list[PGresult]:
        driver.enter_pipeline_mode()
        for name, each in zip(names, values, strict=True):
            driver.send_query_prepared(name, each, [_BINARY] * len(each), _BINARY)
        driver.pipeline_sync()
        self._send(driver)
        results = []
        while (result := self._next(driver)).status != ExecStatus.PIPELINE_SYNC:
            results.append(result)
        driver.exit_pipeline_mode()
        return results

    def _send(self, driver: Any) -> None:
        """Send what is waiting, and take answers meanwhile: else both sides could stand full."""
        while driver.flush():
            self._socket.modify(driver.socket, select.POLLIN | select.POLLOUT)
            for _, ready in self._socket.poll():
                if ready & select.POLLIN:
                    driver.consume_input()
            self._socket.modify(driver.socket, select.POLLIN)

    def _next(self, driver: Any) -> PGresult:
        while True:
            while driver.is_busy():
                self._socket.poll()
                driver.consume_input()
            result: PGresult | None = driver.get_result()
            if result is not None:
                return result


def _require_fine(result: PGresult) -> None:
    if result.status not in _FINE:
        raise psycopg.errors.error_from_result(result)
