"""A table as canonical text: the same rows give the same bytes on every store and machine."""

import hashlib
from collections.abc import Iterable

import msgspec
from sqlalchemy import Connection, text

from events.log import Value
from events.pointers import pointer
from events.store import Store


def dump(store: Store, projection: str) -> list[bytes]:
    """The rows of the table that stands for a projection: JSON arrays, sorted as bytes.

    Columns keep the table's order; binary values are hex. Raises ``LookupError`` where no
    table stands.
    """
    return store.read(lambda connection: _dump(connection, projection))


def digest(lines: Iterable[bytes]) -> str:
    """The SHA-256 of a dump in hex, every line ended by a newline.

    >>> digest([])[:8]
    'e3b0c442'
    """
    whole = hashlib.sha256()
    for line in lines:
        whole.update(line + b"\n")
    return whole.hexdigest()


def _dump(connection: Connection, projection: str) -> list[bytes]:
    to = pointer(connection, projection)
    if to is None:
        raise LookupError(f"no table stands for projection {projection}")
    quoted = connection.dialect.identifier_preparer.quote(to.table_name)
    rows = connection.execute(text(f"SELECT * FROM {quoted}"))  # noqa: S608 -- our own name
    return sorted(msgspec.json.encode([_plain(value) for value in row]) for row in rows)


def _plain(value: Value | bool | memoryview) -> Value:
    """What JSON can say, the same for both stores: SQLite has no truth values but 0 and 1."""
    match value:
        case bool():
            return int(value)
        case bytes() | memoryview():
            return bytes(value).hex()
        case _:
            return value
