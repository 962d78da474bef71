"""Which table stands for each projection now, and how projection tables are named.

A projection's tables are named by its shape: ``boards_3``, and ``boards_3b`` where a rebuild of
the same shape needs a second one. The pointer row says which of them is read and written.
"""

import re
from typing import Protocol

import msgspec
from sqlalchemy import Connection, MetaData, Table, delete, insert, inspect, select, text

from events.schema import projection_pointer, rebuild

SHAPES_LOCK = 0x706C_7962_0002
"""PostgreSQL's advisory lock for creating and dropping tables; the log's own, if both, is last."""


class Shaped(Protocol):
    """A projection as far as its table goes: both sorts are this."""

    @property
    def name(self) -> str:
        """Its name: letters and underscores. One that catches up is a subscriber by it too."""
        ...

    @property
    def shape(self) -> int:
        """The number of its table's shape; another one needs a rebuild."""
        ...

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """Its table under a physical name, which its indexes carry in theirs."""
        ...


class Pointer(msgspec.Struct, frozen=True):
    """The table that stands for a projection, and its shape."""

    projection: str
    shape: int
    table_name: str


def pointer(connection: Connection, projection: str) -> Pointer | None:
    """The table that stands for a projection, or None where it has none yet."""
    row = connection.execute(
        select(projection_pointer).where(projection_pointer.c.projection == projection)
    ).one_or_none()
    return None if row is None else Pointer(row.projection, row.shape, row.table_name)


def point(connection: Connection, to: Pointer) -> None:
    """Make this table stand for the projection from the commit on."""
    connection.execute(
        delete(projection_pointer).where(projection_pointer.c.projection == to.projection)
    )
    connection.execute(
        insert(projection_pointer).values(
            projection=to.projection, shape=to.shape, table_name=to.table_name
        )
    )


def shaped_name(projection: str, shape: int, beside: str = "") -> str:
    """The table name for a shape, other than the one that it will stand ``beside``.

    >>> shaped_name("boards", 3)
    'boards_3'
    >>> shaped_name("boards", 3, beside="boards_3")
    'boards_3b'
    """
    name = f"{projection}_{shape}"
    return name if name != beside else f"{name}b"


def drop_strays(connection: Connection, projection: str) -> None:
    """Drop the projection's tables that nothing points to: replaced ones, given-up rebuilds."""
    used = set(
        connection.scalars(
            select(projection_pointer.c.table_name).union(select(rebuild.c.table_name))
        )
    )
    shaped = re.compile(rf"{re.escape(projection)}_\d+b?")
    for name in inspect(connection).get_table_names():
        if shaped.fullmatch(name) and name not in used:
            quoted = connection.dialect.identifier_preparer.quote(name)
            connection.execute(text(f"DROP TABLE {quoted}"))


def lock_shapes(connection: Connection) -> None:
    """Let nobody else migrate, or begin a rebuild, until this transaction ends."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": SHAPES_LOCK})
