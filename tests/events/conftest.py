"""An empty database of each sort, for what must hold on both, and a log of toys in it."""

import itertools
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.log import EventLog
from events.migrations import upgrade
from events.postgres_store import PostgresStore
from events.sqlite_store import SqliteStore
from tests.events.toys import INLINE, VISITS
from tests.kit.databases import fresh_database
from tests.kit.logs import AnyStore, open_log
from tests.kit.schemas import fresh_schema


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """One database for all tests here: PostgreSQL takes its time to make and drop one."""
    with fresh_database(postgres_server) as url:
        yield url


@pytest.fixture
def schema_url(postgres_database: str) -> Iterator[str]:
    """An empty schema of that database."""
    with fresh_schema(postgres_database) as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyStore]:
    """A store without tables, which need not outlast a power cut."""
    opened: AnyStore
    if request.param == "sqlite":
        opened = SqliteStore(tmp_path / "log.db", "NORMAL")
    else:
        opened = PostgresStore(request.getfixturevalue("schema_url"))
    with closing(opened):
        yield opened


@pytest.fixture
def log(store: AnyStore) -> Iterator[EventLog]:
    """An empty log with the toy projections."""
    upgrade(store, INLINE, [VISITS])
    ticking = itertools.count(1_000_000, 1_000).__next__
    with open_log("direct", store, ticking, INLINE) as opened:
        yield opened
