"""Where matches are handled in tests: a log, its store and the one door, in a SQLite file."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from events.migrations import upgrade
from events.secret_store import Sealer
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from services.levels import Levels, LevelSpec
from services.match.handler import Handler
from services.projections.inline import INLINE_TABLES, written_rows

KEY = bytes(32)
LEVELS = Levels([LevelSpec("blokus", 2, "greedy", 1, 0)])


class Desk(msgspec.Struct, frozen=True):
    """What is needed to handle matches and to look at what was stored."""

    path: Path
    store: SqliteStore
    log: SqliteLog
    handler: Handler


@contextmanager
def desk(folder: Path) -> Iterator[Desk]:
    """A new log in ``folder``, closed at the end. Its clock never moves."""
    path = folder / "log.db"
    with closing(SqliteStore(path, "NORMAL")) as store:
        upgrade(store, INLINE_TABLES)
        with closing(SqliteLog(store, INLINE_TABLES, lambda: 1_000_000)) as log:
            handler = Handler(
                log, sealer=Sealer(KEY), levels=LEVELS, id_key=KEY, written_rows=written_rows
            )
            yield Desk(path, store, log, handler)
