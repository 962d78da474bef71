"""Where matches are handled in tests: a log, its store and the one door, in a SQLite file."""

import secrets
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import msgspec

from events.log import EventLog
from events.migrations import upgrade
from events.secret_store import Sealer
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from services.campaigns.handler import Campaigns
from services.campaigns.solo_rules import Offering
from services.games.registry import REGISTRY, Registry
from services.levels import Levels, LevelSpec
from services.match.handler import Handler
from services.projections.inline import INLINE_TABLES, written_rows, written_run_rows
from services.ratings.handler import level_of_opponent

KEY = bytes(32)
OFFERING = Offering.load()
LEVELS = Levels([LevelSpec("blokus", 2, "greedy", 1, 0), LevelSpec("nim", 1, "first", 1, 0)])


class Desk(msgspec.Struct, frozen=True):
    """What is needed to handle matches and to look at what was stored."""

    path: Path
    store: SqliteStore
    log: SqliteLog
    handler: Handler
    campaigns: Campaigns
    levels: Levels


@contextmanager
def desk(folder: Path, games: Registry = REGISTRY, levels: Levels = LEVELS) -> Iterator[Desk]:
    """A new log in ``folder``, closed at the end. Its clock never moves."""
    path = folder / "log.db"
    with closing(SqliteStore(path, "NORMAL")) as store:
        upgrade(store, INLINE_TABLES)
        with closing(SqliteLog(store, INLINE_TABLES, lambda: 1_000_000)) as log:
            handler = new_handler(log, games, levels)
            yield Desk(path, store, log, handler, new_campaigns(log, handler), levels)


def new_handler(
    log: EventLog,
    games: Registry = REGISTRY,
    levels: Levels = LEVELS,
    new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
) -> Handler:
    """The one door to a log, with nothing remembered yet."""
    return Handler(
        log,
        sealer=Sealer(KEY),
        levels=levels,
        id_key=KEY,
        written_rows=written_rows,
        new_seed=new_seed,
        level_of_opponent=partial(level_of_opponent, log),
        games=games,
    )


def new_campaigns(
    log: EventLog,
    handler: Handler,
    new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(32),
) -> Campaigns:
    """The door of campaigns and runs to the same log."""
    return Campaigns(
        log,
        handler,
        sealer=Sealer(KEY),
        id_key=KEY,
        run_rows=written_run_rows,
        offering=OFFERING,
        new_seed=new_seed,
    )
