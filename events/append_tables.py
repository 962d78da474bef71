"""The statements that write many rows of one table at once, in the words of each database."""
# ruff: noqa: S608 -- tables and columns are named by our own code, and quoted

from functools import cache

import msgspec
from sqlalchemy import LargeBinary, Table, Text

from events import schema
from events.log import InlineTable, Value

Row = tuple[Value, ...]
"""A row, in the order of its target's columns."""

_POSTGRES_TYPES = {"text": "text", "int": "bigint", "blob": "bytea"}


class Target(msgspec.Struct, frozen=True):
    """Rows of one table, to add (or put in place of those with the same ``keys``) or remove."""

    table: str
    columns: tuple[tuple[str, str], ...]
    keys: tuple[str, ...] = ()
    removes: bool = False


def _target(table: Table, keys: tuple[str, ...] = ()) -> Target:
    return Target(table.name, tuple((each.name, _kind(each.type)) for each in table.columns), keys)


def _kind(kept_as: object) -> str:
    match kept_as:
        case Text():
            return "text"
        case LargeBinary():
            return "blob"
        case _:
            return "int"


EVENTS = _target(schema.event)
HEADS = _target(schema.stream, ("stream",))
COMMANDS = _target(schema.command)
SECRETS = _target(schema.secret)

_INLINE_KEYS = (("stream", "text"), ("key", "text"))


class InlineTargets(msgspec.Struct, frozen=True):
    """Rows of an inline projection to write (stream, key, version, its own), or to remove."""

    rows: Target
    removals: Target


def inline_targets(spec: InlineTable, table: str) -> InlineTargets:
    """The targets of an inline projection, for which a table stands."""
    columns = (*_INLINE_KEYS, ("version", "int"), *spec.columns)
    return InlineTargets(
        Target(table, columns, ("stream", "key")), Target(table, _INLINE_KEYS, removes=True)
    )


@cache
def for_sqlite(target: Target) -> str:
    """The statement for one row; its values are the row.

    >>> for_sqlite(inline_targets(InlineTable("boards", 1, ()), "boards_1").removals)
    'DELETE FROM "boards_1" WHERE "stream" = ? AND "key" = ?'
    """
    names = [name for name, _ in target.columns]
    if target.removes:
        return f"DELETE FROM {_quoted(target.table)} WHERE " + " AND ".join(
            f"{_quoted(name)} = ?" for name in names
        )
    return f"{_insert(target)} VALUES ({', '.join('?' * len(names))}){_in_place(target)}"


@cache
def for_postgres(target: Target) -> str:
    """The statement for any number of rows; its values are an array for each column.

    >>> for_postgres(Target("secret", (("name", "text"), ("sealed", "blob"))))
    'INSERT INTO "secret" ("name", "sealed") SELECT * FROM unnest($1::text[], $2::bytea[])'
    """
    arrays = ", ".join(
        f"${number}::{_POSTGRES_TYPES[kind]}[]"
        for number, (_, kind) in enumerate(target.columns, 1)
    )
    if target.removes:
        names = ", ".join(_quoted(name) for name, _ in target.columns)
        return (
            f"DELETE FROM {_quoted(target.table)}"
            f" WHERE ({names}) IN (SELECT * FROM unnest({arrays}))"
        )
    return f"{_insert(target)} SELECT * FROM unnest({arrays}){_in_place(target)}"


def _insert(target: Target) -> str:
    names = ", ".join(_quoted(name) for name, _ in target.columns)
    return f"INSERT INTO {_quoted(target.table)} ({names})"


def _in_place(target: Target) -> str:
    """What to do with a row that has the same keys."""
    if not target.keys:
        return ""
    keys = ", ".join(map(_quoted, target.keys))
    others = [_quoted(name) for name, _ in target.columns if name not in target.keys]
    new = ", ".join(f"{name} = excluded.{name}" for name in others)
    return f" ON CONFLICT ({keys}) DO UPDATE SET {new}"


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
