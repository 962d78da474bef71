"""What a log is: the protocol both stores fulfil, and the answers an append can get.

The laws (one contract suite, ``tests/contract/test_log*.py``, holds them for every store):

* positions rise in commit order, so a reader needs only ``position > last``;
* an append is all or nothing: events, inline rows and secrets together;
* a command id is remembered per (stream, namespace); the same command again gets the first
  answer, another command under the same id gets ``CommandReused``;
* nothing is ever updated or deleted.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, IntEnum
from typing import Protocol

import msgspec

from events.recorded import NewEvent, Recorded, Told

BATCH_APPENDS_MAX = 256
"""Most appends that one transaction of a group commit carries."""
PAGE_EVENTS = 1_000
"""Events a reader fetches at a time."""


class Expected(IntEnum):
    """Named expectations beside an exact version (0 is a stream that must not exist yet)."""

    NEW = 0
    ANY = -1


class Namespace(Enum):
    """Where a command id comes from; the two never meet, so nobody can claim another's id."""

    OUTSIDE = "o"
    INSIDE = "i"


class CommandId(msgspec.Struct, frozen=True):
    """An idempotency key: unique per (stream, namespace, actor, key)."""

    namespace: Namespace
    key: str


Value = str | int | bytes | None
"""What a column of an inline row can hold."""


class InlineRow(msgspec.Struct, frozen=True):
    """One precomputed upsert (``values``) or removal (``values`` is None) of a projection row.

    The row belongs to the append's stream; ``key`` tells rows of one stream apart.
    The log adds ``stream`` and ``version``; values follow the table's own column order.
    """

    projection: str
    key: str
    values: tuple[Value, ...] | None


class InlineTable(msgspec.Struct, frozen=True):
    """The shape of an inline projection's table: ``name`` + ``shape`` name it (``boards_3``).

    ``columns`` are (name, type) with type one of ``text``, ``int``, ``blob``; the columns
    ``stream``, ``key`` and ``version`` come first and are always there. ``indexed`` lists
    columns that get an index together.
    """

    name: str
    shape: int
    columns: tuple[tuple[str, str], ...]
    indexed: tuple[tuple[str, ...], ...] = ()


class Secret(msgspec.Struct, frozen=True, repr_omit_defaults=True):
    """A secret written with an append; ``sealed`` is already encrypted, and never printed."""

    name: str
    sealed: bytes

    def __repr__(self) -> str:
        return f"Secret(name={self.name!r}, sealed=…)"


class Append(msgspec.Struct, frozen=True):
    """One append: some events on one stream, with all that must be true with them.

    ``fingerprint`` is of the command (never of the events it led to). ``rows`` are keyed by
    this stream. While the table of any inline projection has another shape than the log was
    opened with, every append is refused as ``OldCode``, also one without rows.
    """

    stream: str
    expected: int
    actor: str
    received_at: int
    events: tuple[NewEvent, ...]
    command_id: CommandId | None = None
    fingerprint: bytes = b""
    cause: str = ""
    rows: tuple[InlineRow, ...] = ()
    secrets: tuple[Secret, ...] = ()


class Appended(msgspec.Struct, frozen=True):
    """The append is durable (or was already: ``repeated``). The head after it."""

    stream: str
    first_version: int
    version: int
    position: int
    hash: bytes
    at: int
    repeated: bool = False


class VersionConflict(msgspec.Struct, frozen=True):
    """The stream has moved on: ``actual`` is its version now. Nothing was written."""

    stream: str
    expected: int
    actual: int


class CommandReused(msgspec.Struct, frozen=True):
    """This command id already stands for another command. Nothing was written."""

    stream: str
    key: str


class OldCode(msgspec.Struct, frozen=True):
    """A projection table has a newer or older shape than this process writes."""

    projection: str
    ours: int
    theirs: int


Answer = Appended | VersionConflict | CommandReused | OldCode


class Head(msgspec.Struct, frozen=True):
    """Where a stream stands: its last version and hash (version 0 and GENESIS: no stream)."""

    stream: str
    version: int
    hash: bytes
    at: int
    position: int


class EventLog(Protocol):
    """The record. Thread-safe; every method may be called from any thread."""

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Write what can be written, in order, in one transaction; one answer per append.

        Raises ``LogFailure`` when the store itself fails: then nothing of the batch is kept, but
        for a connection that was lost during the commit, when nobody knows. A command id makes
        trying again safe. Raises ``ValueError`` or ``TypeError`` for what no store can keep.
        """
        ...

    def repeated(
        self, stream: str, actor: str, command_id: CommandId, fingerprint: bytes
    ) -> Appended | CommandReused | None:
        """What this command id already stands for in the stream, or None."""
        ...

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """The events of one stream with ``after < version <= upto``, in order."""
        ...

    def told(self, stream: str, after: int = 0, upto: int | None = None) -> list[Told]:
        """What ``read`` gives, without all that a fold has no use for; much quicker."""
        ...

    def read_all(self, after: int = 0, limit: int = PAGE_EVENTS) -> list[Recorded]:
        """At most ``limit`` events of the whole log with ``position > after``, in order."""
        ...

    def head(self, stream: str) -> Head:
        """Where the stream stands now."""
        ...

    def position(self) -> int:
        """The position of the newest event, 0 for an empty log."""
        ...

    def streams(self, prefix: str = "", after: str = "", limit: int = PAGE_EVENTS) -> list[Head]:
        """Heads of the streams whose name starts with ``prefix``, by name, after ``after``."""
        ...

    def rows(self, projection: str, stream: str) -> dict[str, tuple[Value, ...]]:
        """The inline rows of one stream by key (values in column order)."""
        ...

    def secrets(self, stream: str) -> Mapping[str, bytes]:
        """The sealed secrets of one stream by name."""
        ...

    def wait(self, after: int, seconds: float) -> bool:
        """Block until the log may hold more than ``after``, at most ``seconds``; a hint only."""
        ...

    def close(self) -> None:
        """Release connections and threads; nothing may be called afterwards."""
        ...


class LogFailure(Exception):
    """The store failed (disk full, connection lost); the message says what it said."""


def whole_log(log: EventLog, after: int = 0) -> Iterator[Recorded]:
    """Every event with ``position > after`` up to the head, page by page."""
    while page := log.read_all(after):
        yield from page
        after = page[-1].position
