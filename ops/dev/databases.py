"""A PostgreSQL database of one's own, for one test, one session or one benchmark."""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql


@contextmanager
def fresh_database(server_url: str) -> Iterator[str]:
    """The URL of a new, empty database on a server; dropped at the end, whoever is connected."""
    worker = os.environ.get("PYTEST_XDIST_WORKER", "main")
    name = f"plybook_{worker}_{secrets.token_hex(4)}"
    _execute(server_url, sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    try:
        yield urlunsplit(urlsplit(server_url)._replace(path=f"/{name}"))
    finally:
        _execute(server_url, sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def _execute(url: str, statement: sql.Composed) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
