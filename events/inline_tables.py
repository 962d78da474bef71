"""Inline projection tables in SQL: one physical table for a shape."""

from typing import NamedTuple

from sqlalchemy import BigInteger, Column, Index, LargeBinary, MetaData, Table, Text

from events.log import InlineTable
from events.schema import NAME

_TYPES = {"text": Text, "int": BigInteger, "blob": LargeBinary}


def inline_table(metadata: MetaData, spec: InlineTable, table_name: str) -> Table:
    """The table of an inline projection under a physical name, with its indexes.

    >>> spec = InlineTable("boards", 1, (("turn", "int"),))
    >>> [column.name for column in inline_table(MetaData(), spec, "boards_1").columns]
    ['stream', 'key', 'version', 'turn']
    """
    return Table(
        table_name,
        metadata,
        Column("stream", NAME, primary_key=True),
        Column("key", NAME, primary_key=True),
        Column("version", BigInteger, nullable=False),
        *(Column(name, _TYPES[kind]()) for name, kind in spec.columns),
        *(Index("_".join((table_name, *names)), *names) for names in spec.indexed),
    )


class InlineShape(NamedTuple):
    """An inline projection's spec, seen as a table that can be made under any name."""

    spec: InlineTable

    @property
    def name(self) -> str:
        """The projection's name."""
        return self.spec.name

    @property
    def shape(self) -> int:
        """The number of its shape."""
        return self.spec.shape

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """Its table under a physical name."""
        return inline_table(metadata, self.spec, table_name)
