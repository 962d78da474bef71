"""An empty database of each sort, for what must hold on both, and a log of toys in it."""

import itertools
import secrets
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from events.log import EventLog
from events.migrations import upgrade
from tests.events.toys import INLINE, VISITS
from tests.kit.databases import fresh_database
from tests.kit.logs import AnyStore, open_log, open_store


@pytest.fixture(scope="session")
def postgres_database(postgres_server: str) -> Iterator[str]:
    """One database for all tests here: PostgreSQL takes its time to make and drop one."""
    with fresh_database(postgres_server) as url:
        yield url


@pytest.fixture
def schema_url(postgres_database: str) -> Iterator[str]:
    """An empty schema of that database, which every connection of the URL has for its own.

    Nothing here is about power cuts, so commits need not wait for the disk.
    """
    schema = f"test_{secrets.token_hex(4)}"
    options = quote(f"-csearch_path={schema} -csynchronous_commit=off")
    with psycopg.connect(postgres_database, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {schema}")
        yield f"{postgres_database}?options={options}"
        connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[AnyStore]:
    """A store without tables."""
    with open_store(request.param, tmp_path, lambda: request.getfixturevalue("schema_url")) as it:
        yield it


@pytest.fixture
def log(store: AnyStore) -> Iterator[EventLog]:
    """An empty log with the toy projections."""
    upgrade(store, INLINE, [VISITS])
    ticking = itertools.count(1_000_000, 1_000).__next__
    with open_log("direct", store, ticking, INLINE) as opened:
        yield opened
