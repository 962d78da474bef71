"""The envelope: what the log keeps around each event, and how it is hashed."""

import hashlib
import struct

import msgspec

GENESIS = b"\x00" * 32
"""The hash that precedes the first event of every stream."""

_LENGTH = struct.Struct(">I").pack


class NewEvent(msgspec.Struct, frozen=True):
    """An event on its way into the log: its wire kind and its exact JSON bytes."""

    kind: str
    data: bytes


class Recorded(msgspec.Struct, frozen=True):
    """One event as the log keeps it.

    ``version`` counts 1..n inside the stream; ``position`` is the place in the whole log,
    rising in commit order (gaps are possible and mean nothing). Times are microseconds
    since 1970 UTC: ``received_at`` was stamped at the edge, ``at`` under the append lock and
    never runs backwards. ``cause`` names what led to the event, or is empty.
    """

    stream: str
    version: int
    kind: str
    actor: str
    received_at: int
    at: int
    data: bytes
    cause: str
    hash: bytes
    position: int


class Told(msgspec.Struct, frozen=True, gc=False):
    """What a fold takes of an event: what happened, and when it was received (µs).

    The rest of ``Recorded`` is there to prove it, and takes a reader several times as long.
    """

    kind: str
    data: bytes
    received_at: int


Foldable = Told | Recorded
"""An event as a fold takes it, in its envelope or not."""


def link_hash(  # noqa: PLR0917 - the envelope in its own order
    previous: bytes,
    stream: str,
    version: int,
    kind: str,
    actor: str,
    received_at: int,
    at: int,
    data: bytes,
) -> bytes:
    """The SHA-256 that chains an event to the one before it in its stream.

    Every field is length-prefixed (u32, big-endian), so no two different events share an
    input. Position, cause and command id stay outside: they may differ between two homes of
    the same log.

    >>> link_hash(GENESIS, "match/m-1", 1, "k.1", "server", 0, 0, b"{}").hex()[:8]
    '4f47a45b'
    """
    texts = (stream, str(version), kind, actor, str(received_at), str(at))
    framed = previous
    for raw in (*map(str.encode, texts), data):
        framed += _LENGTH(len(raw)) + raw
    return hashlib.sha256(framed).digest()
