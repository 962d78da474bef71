"""No test reaches outside this machine, and tests of pure code reach nothing at all."""

import socket
from ipaddress import ip_address
from typing import Any

CLOSED = frozenset({"architecture", "formats", "games", "match", "proofs"})
"""Folders of tests that need no connection, not even to this machine."""

_connect = socket.socket.connect


class Refused(AssertionError):
    """A test tried to reach something it must not need."""


class Guard:
    """Stands before ``socket.connect``; ``loopback`` says whether this machine may be reached."""

    def __init__(self) -> None:
        self.loopback = True

    def install(self) -> None:
        """Put the guard in place, for the whole run."""
        guard = self

        def connect(self: socket.socket, address: Any) -> None:
            if self.family in {socket.AF_INET, socket.AF_INET6} and not guard.admits(address[0]):
                raise Refused(f"this test must not connect to {address[0]}:{address[1]}")
            _connect(self, address)

        socket.socket.connect = connect  # type: ignore[method-assign, assignment]  # on purpose

    def admits(self, host: str) -> bool:
        """Whether the running test may connect to a host.

        >>> guard = Guard()
        >>> guard.admits("127.0.0.1"), guard.admits("192.0.2.7"), guard.admits("example.org")
        (True, False, False)
        """
        try:
            local = ip_address(host).is_loopback
        except ValueError:
            local = host == "localhost"
        return local and self.loopback
