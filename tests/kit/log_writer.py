"""A process that appends until it is killed, and says what was acknowledged.

    python -m tests.kit.log_writer FILE-OR-URL

Four threads append in groups. Each line says "stream version" of an append that was answered;
every append is three events, a row, a command and, with the first of a stream, a secret.
"""

import sys
import time
from contextlib import closing
from pathlib import Path
from threading import Lock, Thread

from events.group_commit import GroupCommit
from events.log import Append, Appended, EventLog
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from tests.kit.logs import INLINE, AnyStore, append_of

WRITERS = 4
EVENTS_EACH = 3


def open_for_writing(where: str) -> tuple[AnyStore, EventLog]:
    """The store and log behind a file name or an address."""
    if where.startswith("postgresql://"):
        store = PostgresStore(where)
        return store, PostgresLog(store, INLINE, time.time_ns)
    file = SqliteStore(Path(where))
    return file, SqliteLog(file, INLINE, time.time_ns)


def append_number(stream: str, number: int) -> Append:
    """The ``number``-th append of a stream (0, 1, …), always the same."""
    version = number * EVENTS_EACH
    return append_of(
        stream,
        version,
        *(b"%d" % (version + n) for n in range(1, EVENTS_EACH + 1)),
        key=f"k-{number}",
        rows={"": (stream, number, None)},
        secrets={} if number else {"seed": b"sealed"},
    )


def main(where: str) -> None:
    """Append until killed."""
    store, log = open_for_writing(where)
    printing = Lock()

    def write(stream: str) -> None:
        number = log.head(stream).version // EVENTS_EACH
        while True:
            [answer] = log.append([append_number(stream, number)])
            assert isinstance(answer, Appended), answer
            number += 1
            with printing:
                print(stream, answer.version, flush=True)  # noqa: T201 -- the parent reads it

    with closing(store), closing(GroupCommit(log)) as log:
        threads = [Thread(target=write, args=(f"w-{n}",)) for n in range(WRITERS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()


if __name__ == "__main__":
    main(sys.argv[1])
