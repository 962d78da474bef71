"""Prepared statements on the driver's own layer below cursors.

psycopg's cursors, and its pipeline mode over them, send the same messages at several times the
client's computing time: a small question costs them twice what the database takes to answer.
"""

import select
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from queue import LifoQueue
from typing import Any, NamedTuple

import psycopg
from psycopg.adapt import Transformer
from psycopg.pq import ExecStatus
from psycopg.pq.abc import PGresult

_BINARY = 1
_FINE = {ExecStatus.COMMAND_OK, ExecStatus.TUPLES_OK}
_numbers = count()


class Statement(NamedTuple):
    """A statement with its values (``$1`` …) in PostgreSQL's binary form."""

    text: str
    values: Sequence[bytes] = ()


class Wire:
    """A connection as the layer below cursors has it, for one thread at a time.

    A call that fails halfway closes it: nobody knows what the server still does. The connection
    is in autocommit mode.
    """

    def __init__(self, connection: "psycopg.Connection[Any]") -> None:
        self._connection = connection
        self._driver: Any = connection.pgconn
        self._reader = Transformer(connection)
        self._names: dict[str, bytes] = {}
        self._socket = select.poll()
        self._socket.register(self._driver.socket, select.POLLIN)

    @property
    def lost(self) -> bool:
        """Whether the connection is closed, from whichever side."""
        return self._connection.closed

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def rows(self, query: str, values: Sequence[str | int]) -> list[tuple[Any, ...]]:
        """What a query answers, given its values (``$1`` …)."""
        texts = [str(value).encode() for value in values]
        name = self._prepared(query)
        with self._whole_or_closed():
            self._driver.send_query_prepared(name, texts, None, _BINARY)
            result = self._answer()
        self._reader.set_pgresult(_fine(result))
        rows = self._reader.load_rows(0, result.ntuples, tuple)
        self._reader.set_pgresult(None)  # which may be megabytes
        return rows

    def trip(self, statements: Sequence[Statement]) -> list[PGresult]:
        """The results of all statements, sent together; what follows a failing one is not run."""
        names = [self._prepared(text) for text, _ in statements]
        with self._whole_or_closed():
            self._driver.enter_pipeline_mode()
            for name, (_, values) in zip(names, statements, strict=True):
                self._driver.send_query_prepared(name, values, [_BINARY] * len(values), _BINARY)
            self._driver.pipeline_sync()
            self._send()
            results = []
            while (result := self._next()).status != ExecStatus.PIPELINE_SYNC:
                results.append(result)
            self._driver.exit_pipeline_mode()
        return [_fine(result) for result in results]

    def _prepared(self, text: str) -> bytes:
        """The statement's name: none is ever used again, as connections change hands."""
        name = self._names.get(text)
        if name is None:
            name = b"plybook_%d" % next(_numbers)
            with self._whole_or_closed():
                self._driver.send_prepare(name, text.encode())
                result = self._answer()
            _fine(result)
            self._names[text] = name
        return name

    @contextmanager
    def _whole_or_closed(self) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self._connection.close()
            raise

    def _answer(self) -> PGresult:
        """The one result of what was sent."""
        self._send()
        result = self._next()
        self._driver.get_result()  # None: the answer is whole
        return result

    def _send(self) -> None:
        """Send what is waiting, and take answers meanwhile: else both sides could stand full."""
        while self._driver.flush():
            self._socket.modify(self._driver.socket, select.POLLIN | select.POLLOUT)
            for _, ready in self._socket.poll():
                if ready & select.POLLIN:
                    self._driver.consume_input()
            self._socket.modify(self._driver.socket, select.POLLIN)

    def _next(self) -> PGresult:
        while True:
            while self._driver.is_busy():
                self._socket.poll()
                self._driver.consume_input()
            result: PGresult | None = self._driver.get_result()
            if result is not None:
                return result


class Wires:
    """A few connections that are kept for questions; whoever asks gets one that is free.

    ``connect`` opens one in autocommit mode.
    """

    def __init__(self, connect: Callable[[], "psycopg.Connection[Any]"], most: int) -> None:
        self._connect = connect
        self._most = most
        self._free: LifoQueue[Wire | None] = LifoQueue()  # None: one may still be opened
        for _ in range(most):
            self._free.put(None)

    def rows(self, query: str, values: Sequence[str | int]) -> list[tuple[Any, ...]]:
        """What a query answers, given its values (``$1`` …)."""
        wire = self._free.get()
        try:
            if wire is not None:
                try:
                    return wire.rows(query, values)
                except psycopg.OperationalError:
                    if not wire.lost:
                        raise
            # There was none, or the server was restarted since.
            wire = Wire(self._connect())
            return wire.rows(query, values)
        finally:
            self._free.put(None if wire is None or wire.lost else wire)

    def close(self) -> None:
        """Close all of them, as soon as they are free."""
        for wire in [self._free.get() for _ in range(self._most)]:
            if wire is not None:
                wire.close()
            self._free.put(None)


def _fine(result: PGresult) -> PGresult:
    if result.status not in _FINE:
        raise psycopg.errors.error_from_result(result)
    return result
