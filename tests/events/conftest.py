"""An empty database of each sort, for what must hold on both."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.postgres_store import PostgresStore
from events.sqlite_store import SqliteStore


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SqliteStore | PostgresStore]:
    """A store without tables."""
    opened = (
        SqliteStore(tmp_path / "log.db")
        if request.param == "sqlite"
        else PostgresStore(request.getfixturevalue("postgres_url"))
    )
    with closing(opened):
        yield opened
