"""Workshops for the tests of workers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.workers.workshop import Workshop, workshop


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Workshop]:
    """A workshop over SQLite, with engines that are asked in this process."""
    with workshop(tmp_path / "log.db") as made:
        yield made


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def each_shop(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workshop]:
    """The same over each store there is: what is SQL must hold on both."""
    is_sqlite = request.param == "sqlite"
    database = tmp_path / "log.db" if is_sqlite else request.getfixturevalue("postgres_url")
    with workshop(database) as made:
        yield made
