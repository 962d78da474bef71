"""Every sort of log over a database, for the laws of the log."""

from collections.abc import Iterator
from contextlib import ExitStack

import pytest

from events.migrations import upgrade
from tests.kit.databases import fresh_database
from tests.kit.logs import (
    INLINE,
    LOGS,
    AnyStore,
    Opened,
    SetClock,
    open_log,
    open_store,
)


@pytest.fixture(
    scope="module",
    params=[pytest.param(s, marks=pytest.mark.postgres) if "postgres" in s else s for s in LOGS],
)
def sort_and_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[str, AnyStore]]:
    """A database with tables, for all tests of this module."""
    with ExitStack() as stack:

        def url() -> str:
            server = request.getfixturevalue("postgres_server")
            return stack.enter_context(fresh_database(server))

        store = stack.enter_context(open_store(request.param, tmp_path_factory.mktemp("log"), url))
        upgrade(store, INLINE)
        yield request.param, store


@pytest.fixture
def opened(
    sort_and_store: tuple[str, AnyStore], request: pytest.FixtureRequest
) -> Iterator[Opened]:
    """A log, and a stream name for this test alone."""
    sort, store = sort_and_store
    clock = SetClock()
    with open_log(sort, store, clock) as log:
        yield Opened(sort, store, log, clock, f"{request.function.__name__}/m")
