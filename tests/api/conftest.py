"""A house for each test, a client before it, two people, and a browser before a real server."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from playwright.sync_api import Browser, sync_playwright

from ops.dev.test_services import CHROMIUM
from ops.web_server import web_server
from tests.api.house import House, Person, house


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    """The services of a new house."""
    with house(tmp_path) as built:
        yield built


@pytest.fixture
def client(home: House) -> Iterator[TestClient[Litestar]]:
    """A client before the application."""
    with TestClient(home.app()) as client:
        yield client


@pytest.fixture
def ada(client: TestClient[Litestar]) -> Person:
    """One person."""
    return Person(client, "Ada")


@pytest.fixture
def bob(client: TestClient[Litestar]) -> Person:
    """Another person."""
    return Person(client, "Bob")


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, as the system has it."""
    assert CHROMIUM.path, "these tests need Chromium: apt-get install chromium, or `make test`"
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM.path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def url(home: House) -> Iterator[str]:
    """A real server with a bell for every event."""
    with home.ringing(), web_server(home.app(), "127.0.0.1", 0) as server:
        try:
            yield server.url
        finally:
            home.services.hub.close()
