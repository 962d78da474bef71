"""The log lock: whoever holds it is the only one to append, until the transaction ends."""

from sqlalchemy import Connection, text

LOG_LOCK = 0x706C_7962_0001
"""PostgreSQL's advisory lock of the log; advisory locks belong to one database."""


def lock_log(connection: Connection) -> None:
    """Hold appends back until this transaction ends; the first statement of its transaction.

    SQLite needs nothing: ``Store.write`` has the one writing connection already.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": LOG_LOCK})
