"""The network is closed: a test that needs the outside is wrong."""

import socket

import pytest

from tests.kit.network import Guard, Refused


def test_nothing_outside_can_be_reached() -> None:
    """A connection to another machine fails at once, before a packet leaves."""
    with socket.socket() as outside, pytest.raises(Refused, match=r"192\.0\.2\.1:80"):
        outside.connect(("192.0.2.1", 80))


def test_tests_of_pure_code_cannot_reach_even_this_machine() -> None:
    """This folder is one of those whose tests need no connection."""
    with socket.socket() as here, pytest.raises(Refused):
        here.connect(("127.0.0.1", 80))


def test_other_tests_reach_this_machine_alone() -> None:
    """Loopback by number or by name; other names are not even looked up."""
    guard = Guard()
    admitted = [guard.admits(h) for h in ("127.0.0.1", "::1", "localhost", "10.0.0.1", "db")]
    assert admitted == [True, True, True, False, False]
