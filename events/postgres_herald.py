"""Word of commits between processes: LISTEN and NOTIFY, as a hint and never as a promise.

NOTIFY takes a lock of the whole cluster at commit, so it is never part of an append: a thread
of its own sends it afterwards, on a connection of its own, at most every ``GAP_SECONDS``.
"""

import select
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Lock, Thread
from typing import Any

import psycopg
from psycopg import sql

from events.commit_bell import CommitBell
from events.log import LogFailure

CHANNEL = sql.Identifier("plybook_log")
GAP_SECONDS = 0.02
RETRY_SECONDS = 1.0
"""How long it waits after its connection was lost; readers poll meanwhile."""


class Herald:
    """Tells other processes what was committed here, and rings ``bell`` for what they say.

    Starts with the first ``tell`` or ``listen``; ``connect`` opens an autocommit connection.
    """

    def __init__(self, bell: CommitBell, connect: Callable[[], "psycopg.Connection[Any]"]) -> None:
        self._bell = bell
        self._connect = connect
        self._position = 0
        self._news = False
        self._closing = Event()
        self._starting = Lock()
        self._thread: Thread | None = None
        self._ear, self._mouth = socket.socketpair()
        self._mouth.setblocking(False)

    def tell(self, position: int) -> None:
        """Something was committed here; does not wait."""
        self.listen()
        self._position = position
        if not self._news:
            self._news = True
            self._wake()

    def listen(self) -> None:
        """From now on ring the bell for whatever is committed; at first for what there is."""
        if self._thread is None:
            with self._starting, suppress(RuntimeError):  # no thread to be had: no hints, then
                if self._thread is None and not self._closing.is_set():
                    thread = Thread(target=self._run, name="log-herald", daemon=True)
                    thread.start()
                    self._thread = thread

    def close(self) -> None:
        """End the thread and its connection."""
        self._closing.set()
        self._wake()
        with self._starting:
            if self._thread is not None:
                self._thread.join()
        self._ear.close()
        self._mouth.close()

    def _wake(self) -> None:
        with suppress(OSError):  # full or closed: awake already, or gone for good
            self._mouth.send(b"!")

    def _run(self) -> None:
        while not self._closing.is_set():
            with suppress(LogFailure, psycopg.Error, OSError), self._connect() as connection:
                self._serve(connection)
            self._closing.wait(RETRY_SECONDS)

    def _serve(self, connection: "psycopg.Connection[Any]") -> None:
        connection.execute("SET synchronous_commit = off")
        connection.execute(sql.SQL("LISTEN {}").format(CHANNEL))
        self._catch_up(connection)
        told_at = 0.0
        while not self._closing.is_set():
            patience = told_at + GAP_SECONDS - time.monotonic()
            if self._news and patience <= 0:
                self._news = False
                told_at = time.monotonic()
                connection.execute(
                    sql.SQL("NOTIFY {}, {}").format(CHANNEL, sql.Literal(str(self._position)))
                )
            self._hear(connection, max(patience, 0) if self._news else None)

    def _catch_up(self, connection: "psycopg.Connection[Any]") -> None:
        """Ring for what was committed while nobody listened."""
        connection.add_notify_handler(lambda note: self._bell.ring(int(note.payload)))
        found = connection.execute("SELECT max(position) FROM event").fetchone()
        self._bell.ring((found and found[0]) or 0)

    def _hear(self, connection: "psycopg.Connection[Any]", seconds: float | None) -> None:
        """Wait for word from outside or from our own process, and ring for what was heard."""
        word, wake = connection.fileno(), self._ear.fileno()
        ready, _, _ = select.select([word, wake], [], [], seconds)
        if wake in ready:
            self._ear.recv(1024)
        if word in ready:
            connection.execute("")
