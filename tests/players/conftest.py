"""A store with the tables of people, and a clock that only moves when told to."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from events.migrations import upgrade
from events.sqlite_store import SqliteStore


class Hands:
    """A clock in microseconds, moved by hand."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000

    def __call__(self) -> int:
        """Now."""
        return self.now

    def pass_days(self, days: float) -> None:
        """Let days go by."""
        self.now += round(days * 86_400_000_000)


@pytest.fixture
def clock() -> Hands:
    """The clock of the test."""
    return Hands()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    """A new database."""
    with closing(SqliteStore(tmp_path / "log.db", "NORMAL")) as opened:
        upgrade(opened)
        yield opened
