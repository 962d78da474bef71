"""An empty PostgreSQL schema of one's own: as good as a database for most tests, made at once."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from psycopg import sql
from sqlalchemy import make_url


@contextmanager
def fresh_schema(database_url: str, *, owner: str = "") -> Iterator[str]:
    """A URL whose every connection (as ``owner``, if given) has a new schema for its own.

    Commits do not wait for the disk: what is about power cuts needs a database.
    """
    name = f"test_{secrets.token_hex(4)}"
    url = make_url(database_url)
    mine = url.update_query_dict({"options": f"-csearch_path={name} -csynchronous_commit=off"})
    with psycopg.connect(database_url, autocommit=True) as connection:
        _execute(connection, "CREATE SCHEMA {} AUTHORIZATION {}", name, owner or url.username or "")
        try:
            yield mine.set(username=owner or url.username).render_as_string(hide_password=False)
        finally:
            _execute(connection, "DROP SCHEMA {} CASCADE", name)


@contextmanager
def fresh_user(server_url: str) -> Iterator[str]:
    """The name of a new user who may log in and do nothing else."""
    name = f"test_{secrets.token_hex(4)}"
    with psycopg.connect(server_url, autocommit=True) as connection:
        _execute(connection, "CREATE ROLE {} LOGIN", name)
        try:
            yield name
        finally:
            _execute(connection, "DROP ROLE {}", name)


def _execute(connection: psycopg.Connection, statement: str, *names: str) -> None:
    connection.execute(sql.SQL(statement).format(*map(sql.Identifier, names)))
