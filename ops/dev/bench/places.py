"""The databases of a run: new ones, alike for us and for the anchors, dropped at the end."""

import secrets
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

from events.group_commit import GroupCommit
from events.log import EventLog
from events.migrations import upgrade
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from ops.dev.bench.library import Library, library_on_postgres, library_on_sqlite
from ops.dev.bench.raw_drivers import RawDriver, RawPostgres, RawSqlite
from ops.dev.databases import fresh_database
from ops.settings import settings_from
from ops.wiring import House, clock, furnished, record
from services.projections.catching_up import CATCHING_UP
from services.projections.inline import INLINE_TABLES


@dataclass(frozen=True)
class Place:
    """One sort of database, with four new databases of that sort.

    ``service`` is the log as the service wires it, ``bare`` one that keeps no projections,
    ``raw`` the driver alone (with the next free positions of its log), ``library`` the anchor.
    """

    name: str
    service: EventLog
    bare: EventLog
    raw: RawDriver
    library: Library
    positions: Iterator[int] = field(default_factory=lambda: count(1))


def new_stream() -> str:
    """The stream of a match that is nowhere yet."""
    return f"match/m-{secrets.token_hex(8)}"


@contextmanager
def new_house(data: Path, database: str = "") -> Iterator[House]:
    """The service's own house over a new database (a SQLite file if none is named)."""
    data.mkdir()
    named = {"PLYBOOK_DATABASE": database} if database else {}
    settings = settings_from({"PLYBOOK_DATA": str(data), **named})
    with record(settings) as opened:
        upgrade(opened.store, INLINE_TABLES, CATCHING_UP)
        yield furnished(settings, opened)


@contextmanager
def sqlite_place(folder: Path) -> Iterator[Place]:
    """SQLite, synchronous FULL."""
    folder.mkdir()
    with ExitStack() as stack:
        store = stack.enter_context(closing(SqliteStore(folder / "bare.sqlite")))
        upgrade(store)
        yield Place(
            name="SQLite",
            service=stack.enter_context(new_house(folder / "service")).record.log,
            bare=GroupCommit(SqliteLog(store, (), clock)),
            raw=stack.enter_context(closing(RawSqlite(folder / "raw.sqlite"))),
            library=stack.enter_context(closing(library_on_sqlite(folder / "library.sqlite"))),
        )


@contextmanager
def postgres_place(folder: Path, server_url: str) -> Iterator[Place]:
    """PostgreSQL, synchronous_commit on."""
    folder.mkdir()
    with ExitStack() as stack:
        service, bare, raw, library = (
            stack.enter_context(fresh_database(server_url)) for _ in range(4)
        )
        store = stack.enter_context(closing(PostgresStore(bare)))
        upgrade(store)
        yield Place(
            name="PostgreSQL",
            service=stack.enter_context(new_house(folder / "service", service)).record.log,
            bare=stack.enter_context(closing(GroupCommit(PostgresLog(store, (), clock)))),
            raw=stack.enter_context(closing(RawPostgres(raw))),
            library=stack.enter_context(closing(library_on_postgres(library))),
        )
