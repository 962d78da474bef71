"""The two locks of a PostgreSQL log; SQLite has its one writer instead.

Both are advisory and end with the transaction. Whoever takes both takes the log's last.
"""

from sqlalchemy import Connection, text

LOG_LOCK = 0x706C_7962_6F6F_6B01
"""Held by every append, from before it draws a position until its commit."""
SHAPES_LOCK = 0x706C_7962_6F6F_6B02
"""Held by whoever creates or drops tables."""


def lock_log(connection: Connection) -> None:
    """Let nobody append until the transaction ends."""
    _lock(connection, LOG_LOCK)


def lock_shapes(connection: Connection) -> None:
    """Let nobody else migrate, or begin a rebuild, until the transaction ends."""
    _lock(connection, SHAPES_LOCK)


def _lock(connection: Connection, key: int) -> None:
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": key})
