"""A house for each test, a client before it, and two people."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar import Litestar
from litestar.testing import TestClient

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
