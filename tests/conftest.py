"""What every test has: a closed network, real services by address, and the same dice each run."""

import os
import signal
from collections.abc import Iterator

import pytest
from hypothesis import settings

from ops.dev.test_services import SERVICES, advice
from tests.kit.databases import fresh_database
from tests.kit.network import CLOSED, Guard
from tests.kit.tree import ROOT

_guard = Guard()

# A run gives the same answer twice, and a busy machine is not a failure.
settings.register_profile("house", deadline=None, derandomize=True, database=None)
settings.load_profile("house")


def pytest_configure() -> None:
    """Close the network before anything is imported or run; let Ctrl-C be what it is."""
    _guard.install()
    # A shell has its background jobs ignore it, and so would every program that tests start.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Close this machine's own ports too for tests of pure code."""
    folder = item.path.relative_to(ROOT / "tests").parts[0]
    _guard.loopback = folder not in CLOSED


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run tests of one broker one after the other: its queues have fixed names."""
    for item in items:
        if item.get_closest_marker("rabbitmq"):
            item.add_marker(pytest.mark.xdist_group("rabbitmq"))


def _address(variable: str) -> str:
    """A service's address from the environment, else the usual one if it answers."""
    service = next(s for s in SERVICES if s.variable == variable)
    url = os.environ.get(variable, service.usual_url)
    if reason := service.objection(url):
        pytest.fail(f"{url}: {reason}\n{advice(service)}, or run `make test`", pytrace=False)
    return url


@pytest.fixture(scope="session")
def postgres_server() -> str:
    """The URL of a real PostgreSQL whose user may create databases."""
    return _address("PLYBOOK_TEST_POSTGRES")


@pytest.fixture
def postgres_url(postgres_server: str) -> Iterator[str]:
    """The URL of a new, empty PostgreSQL database, this test's own."""
    with fresh_database(postgres_server) as url:
        yield url


@pytest.fixture(scope="session")
def rabbitmq_url() -> str:
    """The URL of a real RabbitMQ. Mark the test ``rabbitmq``: such tests run one by one."""
    return _address("PLYBOOK_TEST_RABBITMQ")
