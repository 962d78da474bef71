"""What a failing database is turned into: one plain sentence, whichever driver it came from."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from events.log import LogFailure


class NothingKept(LogFailure):
    """The database refused the transaction and kept nothing of it: it may be tried again."""


def said(error: BaseException) -> str:
    """The first line of what a driver says.

    >>> said(ValueError("disk full; buy one"))
    'disk full; buy one'
    """
    lines = str(error.orig if isinstance(error, DBAPIError) else error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


@contextmanager
def plainly(doing: str) -> Iterator[None]:
    """Raise ``LogFailure`` where the database itself fails; other errors of the work stay.

    Raw driver errors are ours alone (nobody else uses a driver), so they all count.

    >>> with plainly("the log could not be read"):
    ...     raise PoolTimeout("no connection left")
    Traceback (most recent call last):
    events.log.LogFailure: the log could not be read: no connection left
    """
    try:
        yield
    except (OperationalError, PoolTimeout, sqlite3.Error, psycopg.Error) as error:
        raise LogFailure(f"{doing}: {said(error)}") from error
