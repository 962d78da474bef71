"""PostgreSQL's binary form of the few types the log needs, in arrays, one for each column.

The driver's own adapter for lists takes longer than the database takes to write the rows.
"""

import struct
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from psycopg.pq.abc import PGresult

from events.log import Value

_HEADER = struct.Struct(">iIIii")  # dimensions, has nulls, element type, length, first index
_NO_ELEMENTS = struct.Struct(">iII")
_LENGTH = struct.Struct(">i")
_NULL = _LENGTH.pack(-1)
_INT = struct.Struct(">q")
_ELEMENT = struct.Struct(">iq")

_TO: dict[str, tuple[int, Callable[[Any], bytes]]] = {
    "text": (25, str.encode),
    "int": (20, _INT.pack),
    "blob": (17, bytes),
}
"""PostgreSQL's number of each element type, and how an element is written."""

_FROM: dict[str, Callable[[bytes], Any]] = {
    "text": bytes.decode,
    "int": lambda raw: _INT.unpack(raw)[0],
    "blob": bytes,
    "ints": lambda raw: [each for _, each in _ELEMENT.iter_unpack(raw[_HEADER.size :])],
}
"""How a value is read; ``ints`` is an array without nulls."""


def array(kind: str, values: Sequence[Any]) -> bytes:
    """A one-dimensional array of ``text``, ``int`` or ``blob``.

    >>> array("int", [258]).hex(" ", 4)
    '00000001 00000000 00000014 00000001 00000001 00000008 00000000 00000102'
    """
    number, to = _TO[kind]
    if not values:
        return _NO_ELEMENTS.pack(0, 0, number)
    parts = [_HEADER.pack(1, None in values, number, len(values), 1)]
    for value in values:
        if value is None:
            parts.append(_NULL)
        else:
            raw = to(value)
            parts += (_LENGTH.pack(len(raw)), raw)
    return b"".join(parts)


def arrays(kinds: Iterable[str], rows: Sequence[Sequence[Value]]) -> list[bytes]:
    """The columns of some rows (at least one), each as an array."""
    columns = zip(*rows, strict=True)
    return [array(kind, column) for kind, column in zip(kinds, columns, strict=True)]


def integer(value: int) -> bytes:
    """One 64-bit integer."""
    return _INT.pack(value)


def rows_of(result: PGresult, kinds: Sequence[str]) -> list[list[Any]]:
    """The rows of a binary result, given the kinds of its columns."""
    readers = [(column, _FROM[kind]) for column, kind in enumerate(kinds)]
    value = result.get_value
    return [
        [None if (raw := value(row, column)) is None else read(raw) for column, read in readers]
        for row in range(result.ntuples)
    ]
