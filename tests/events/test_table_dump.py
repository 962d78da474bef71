"""Dumps: the bytes by which two tables are compared, the same for both stores."""

import hashlib
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, LargeBinary, MetaData, Table, Text, insert

from events.migrations import upgrade
from events.pointers import Pointer, point
from events.store import Store
from events.table_dump import digest, dump


def test_a_dump_is_sorted_json_of_plain_values(store: Store) -> None:
    """Whatever order the rows were written in; bytes are hex and truth is 0 or 1."""
    upgrade(store)
    table = Table(
        "odd_1",
        MetaData(),
        Column("name", Text, primary_key=True),
        Column("sure", Boolean),
        Column("raw", LargeBinary),
    )
    rows: list[dict[str, Any]] = [
        {"name": "é", "sure": True, "raw": b"\x00\xff"},
        {"name": "Z", "sure": False, "raw": None},
        {"name": "a", "sure": None, "raw": b""},
    ]
    store.write(table.create)
    store.write(lambda connection: connection.execute(insert(table), rows))
    store.write(lambda connection: point(connection, Pointer("odd", 1, "odd_1")))
    lines = dump(store, "odd")
    assert lines == [b'["Z",0,null]', b'["a",null,""]', '["é",1,"00ff"]'.encode()]
    assert digest(lines) == hashlib.sha256(b"".join(line + b"\n" for line in lines)).hexdigest()


def test_a_projection_without_a_table_has_no_dump(store: Store) -> None:
    """It is said, not answered with nothing."""
    upgrade(store)
    with pytest.raises(LookupError, match="no table stands for projection odd"):
        dump(store, "odd")
