"""Heads kept outside the database: what an owner of the database cannot rewrite.

A chain that was computed again from some event on is whole in itself, and so is one whose
newest events were cut off. Both differ from a head somebody noted earlier: the server's own
heads file (best kept on another machine), or the heads a client got with every move it sent.
"""

import os
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import IO, Annotated

import msgspec

from events.chain import NOTHING, Fault, head_after
from events.checkpoints import (
    Checkpoint,
    LogRewound,
    checkpoint_of,
    page_after,
    set_checkpoint,
)
from events.log import EventLog, Head
from events.recorded import Recorded
from events.store import Store

NEWEST_MAX = 200
"""Heads of a file's end that a start looks at."""
LINE_BYTES = 256
"""Room for a line: the longest that we write is shorter."""


class KeptHead(msgspec.Struct, frozen=True):
    """A line of a heads file; a client that noted no position or time still has a proof.

    ``hash`` is hex, ``at`` microseconds since 1970 UTC.
    """

    stream: str
    version: Annotated[int, msgspec.Meta(ge=1)]
    hash: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
    position: int = 0
    at: int = 0


class KeptHeads(msgspec.Struct, frozen=True):
    """What a heads file says, and the numbers of the lines that could not be read."""

    heads: tuple[KeptHead, ...]
    unreadable: tuple[int, ...]


class HeadsFile:
    """An append-only file of heads, one JSON object a line."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def append(self, heads: Iterable[Head]) -> None:
        """Write these heads and wait for the disk, once for all of them.

        A new file is readable by its owner alone.
        """
        is_new = not self._path.exists()
        if is_new:
            self._path.touch(mode=0o600)
        with self._path.open("ab+") as file:
            if _is_torn(file):
                file.write(b"\n")
            file.writelines(_line(head) for head in heads)
            file.flush()
            os.fsync(file.fileno())
        if is_new:
            _sync_folder(self._path.parent)


class HeadsKeeper:
    """Follows the log and notes heads; its checkpoint moves when they are on the disk.

    A crash between the two notes some heads twice, which means nothing. So does a second run
    beside this one.
    """

    subscriber = "heads"

    def __init__(self, store: Store, log: EventLog, file: HeadsFile) -> None:
        self._store = store
        self._log = log
        self._file = file

    def catch_up(self) -> int:
        """Note the newest head of every stream that has grown; the number of heads noted."""
        noted = 0
        while heads := self._note_page():
            noted += heads
        return noted

    def _note_page(self) -> int:
        at = self._store.read(lambda connection: checkpoint_of(connection, self.subscriber))
        page = self._page(at)
        if not page:
            return 0
        heads = {event.stream: head_after(event) for event in page}
        self._file.append(heads.values())
        reached = Checkpoint(page[-1].position, page[-1].hash)
        self._store.write(lambda c: set_checkpoint(c, self.subscriber, reached))
        return len(heads)

    def _page(self, at: Checkpoint) -> list[Recorded]:
        """The next events; all of them again if the log was rewound, for the file to show it."""
        try:
            return page_after(self._log, at)
        except LogRewound:
            return page_after(self._log, Checkpoint())


def read_heads(path: Path) -> KeptHeads:
    """Read a heads file, of the server or of a client.

    A line torn by a crash is left out and its number reported; the lines after it count.
    """
    heads, unreadable = [], []
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                heads.append(_decoder.decode(line))
            except (msgspec.DecodeError, RecursionError):
                if line.strip():
                    unreadable.append(number)
    return KeptHeads(tuple(heads), tuple(unreadable))


def newest_heads(path: Path) -> tuple[KeptHead, ...]:
    """The last heads of a heads file (at most ``NEWEST_MAX``), whatever its length."""
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(size - NEWEST_MAX * LINE_BYTES, 0))
        lines = file.read().splitlines()[-NEWEST_MAX:]
    heads = []
    for line in lines:  # the first may be a part of one, the last torn by a crash
        with suppress(msgspec.DecodeError, RecursionError):
            heads.append(_decoder.decode(line))
    return tuple(heads)


def compare(log: EventLog, kept: Iterable[KeptHead]) -> list[Fault]:
    """The faults that show only from outside: computed chains and cut tails, by stream."""
    by_stream: dict[str, list[KeptHead]] = defaultdict(list)
    for head in kept:
        by_stream[head.stream].append(head)
    return [fault for stream in sorted(by_stream) for fault in _compare(log, by_stream[stream])]


def _compare(log: EventLog, kept: list[KeptHead]) -> Iterator[Fault]:
    """Every kept version of one stream against the log, oldest first, each once."""
    stream = kept[0].stream
    noted = sorted({(head.version, head.hash) for head in kept})
    events = log.read(stream, after=noted[0][0] - 1, upto=noted[-1][0])
    hashes = {event.version: event.hash.hex() for event in events}
    for version, expected in noted:
        stored = hashes.get(version)
        if stored is None:
            yield Fault(stream, version, "version", NOTHING, expected)
        elif stored != expected:
            yield Fault(stream, version, "hash", stored, expected)


_decoder = msgspec.json.Decoder(KeptHead)


def _line(head: Head) -> bytes:
    kept = KeptHead(head.stream, head.version, head.hash.hex(), head.position, head.at)
    return msgspec.json.encode(kept) + b"\n"


def _is_torn(file: IO[bytes]) -> bool:
    """Whether a crash left the last line unfinished."""
    if file.seek(0, os.SEEK_END) == 0:
        return False
    file.seek(-1, os.SEEK_END)
    return file.read(1) != b"\n"


def _sync_folder(folder: Path) -> None:
    """Make a new file's name as durable as its content."""
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
