"""What an append looks at under the log lock: one question in both databases, one answer a row."""
# ruff: noqa: S608 -- only words of our own are put into the question

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec

from events.append_tables import InlineTargets, inline_targets
from events.log import Append, Appended, InlineTable, OldCode, Value
from events.recorded import GENESIS


class Done(msgspec.Struct, frozen=True):
    """What a command id stands for already."""

    fingerprint: bytes
    answer: Appended


class Known(msgspec.Struct, frozen=True):
    """What the log shows about one append: the head of its stream, and its command if done."""

    version: int = 0
    hash: bytes = GENESIS
    done: Done | None = None


class Pointer(msgspec.Struct, frozen=True):
    """Which table stands for a projection, in which shape."""

    shape: int
    table: str


class Moment(msgspec.Struct):
    """What the log shows about itself, and a plan keeps up.

    The newest event's time (0: none), the next free positions, and the table that stands for each
    projection. ``refusal`` is the answer to every append, where a table has another shape than we
    write: also one that brings no rows would leave that table behind.
    """

    last_at: int
    positions: Iterator[int]
    tables: Mapping[str, InlineTargets]
    refusal: OldCode | None


def moment(
    inline: Mapping[str, InlineTable],
    pointers: Mapping[str, Pointer],
    positions: Iterator[int],
    last_at: int = 0,
) -> Moment:
    """The moment of a log with these inline projections, for which these tables stand."""
    refusal, tables = None, {}
    for name, ours in inline.items():
        theirs = pointers.get(name, Pointer(0, ""))
        if theirs.shape == ours.shape:
            tables[name] = inline_targets(ours, theirs.table)
        else:
            refusal = refusal or OldCode(name, ours.shape, theirs.shape)
    return Moment(last_at, positions, tables, refusal)


def question(
    appends: str,
    names: Sequence[str] = ("a.stream", "a.namespace", "a.actor", "a.key"),
    more: str = "",
) -> str:
    """The question to a database: a row (``known``) for each of the ``appends``.

    ``names`` are what each is looked up by (``asked``); ``more`` columns may follow.
    """
    stream, namespace, actor, key = names
    return f"""
SELECT s.version, s.hash, c.fingerprint, c.first_version, e.version, e.position, e.hash, e.at{more}
FROM {appends}
LEFT JOIN stream AS s ON s.stream = {stream}
LEFT JOIN command AS c ON c.stream = {stream} AND c.namespace = {namespace}
  AND c.actor = {actor} AND c.key = {key}
LEFT JOIN event AS e ON e.stream = c.stream AND e.version = c.version
"""


def asked(append: Append) -> tuple[Value, ...]:
    """What an append is looked up by: stream, namespace, actor and key."""
    name = append.command_id
    if name is None:
        return append.stream, None, append.actor, None
    return append.stream, name.namespace.value, append.actor, name.key


def known(append: Append, row: Sequence[Any]) -> Known:
    """What a row of the answer says about its append."""
    version, link, fingerprint, *answer = row[:8]
    if version is None:
        return Known()
    done = None if fingerprint is None else Done(fingerprint, Appended(append.stream, *answer))
    return Known(version, link, done)
