"""Where a log's database is reached by everybody else: one way to write, one way to read.

Projections, claims, accounts and invites share the log's database. SQLite has exactly one
writing connection, used by one thread at a time (``BEGIN IMMEDIATE``); PostgreSQL has a pool.
Code above sees the same two calls.
"""

from collections.abc import Callable
from typing import Protocol, TypeVar

from sqlalchemy import Connection

T = TypeVar("T")


class Store(Protocol):
    """A database that commits whole pieces of work."""

    def write(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` in one transaction; commit when it returns, roll back when it raises.

        Short work only: in SQLite it holds the one writer, appends wait for it.
        """
        ...

    def read(self, work: Callable[[Connection], T]) -> T:
        """Run ``work`` on a connection that sees one consistent moment and writes nothing."""
        ...
