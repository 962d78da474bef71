"""The hash chain, checked: what in the record is not what was once written.

Nothing here reads a store. An unkeyed chain has a limit that should be said plainly: whoever
can write SQL can also compute every hash again. That, and a tail cut off, shows only against
heads that have left the database (``events/heads.py``).
"""

from collections.abc import Iterable, Iterator, Mapping

import msgspec

from events.log import Head
from events.recorded import GENESIS, Recorded, link_hash


class Fault(msgspec.Struct, frozen=True):
    """One thing that differs, named exactly: the event, what of it, and the two values.

    ``what`` is ``hash``, ``version`` (a hole, a repetition, an event missing) or ``time``
    (``at`` runs backwards). ``stored`` is what the log says, ``computed`` what it should say:
    the recomputed value, or the one of a kept head. Hashes are hex, times microseconds,
    ``nothing`` stands for what is absent.
    """

    stream: str
    version: int
    what: str
    stored: str
    computed: str

    def __str__(self) -> str:
        return (
            f"{self.stream} version {self.version}: {self.what} differs, "
            f"stored {self.stored}, should be {self.computed}"
        )


NOTHING = "nothing"
"""How a fault writes that the log, or the heads, have no such thing."""


def beginning(stream: str) -> Head:
    """The head of a stream before its first event.

    >>> beginning("match/m-1").version
    0
    """
    return Head(stream, version=0, hash=GENESIS, at=0, position=0)


def head_after(event: Recorded) -> Head:
    """The head of a stream whose newest event this is."""
    return Head(event.stream, event.version, event.hash, event.at, event.position)


def verify_link(previous: Head, event: Recorded) -> list[Fault]:
    """What is wrong with one event, seen from the head before it.

    The next link is judged from the *stored* hash, so one changed byte is one fault and not
    one for every later event. Beside a hole the hash cannot be judged and is not.
    """
    faults = []
    if event.version != previous.version + 1:
        faults.append(_fault(event, "version", event.version, previous.version + 1))
    else:
        computed = _link(previous.hash, event)
        if computed != event.hash:
            faults.append(_fault(event, "hash", event.hash.hex(), computed.hex()))
    if event.at < previous.at:
        faults.append(_fault(event, "time", event.at, f"{previous.at} or later"))
    return faults


def verify_stream(events: Iterable[Recorded], after: Head | None = None) -> list[Fault]:
    """The faults of one stream, read in order from its first event or from a trusted head.

    >>> from events.recorded import Recorded
    >>> verify_stream([Recorded("s", 2, "k.1", "server", 0, 0, b"{}", "", b"", 7)])[0].what
    'version'
    """
    faults: list[Fault] = []
    for event in events:
        faults += verify_link(after or beginning(event.stream), event)
        after = head_after(event)
    return faults


def verify_log(events: Iterable[Recorded], heads: dict[str, Head]) -> Iterator[Fault]:
    """The faults of a whole log in position order, as they are met.

    ``heads`` is where every chain stood before (empty at first) and is moved along, so a long
    check can stop and go on, and a later one need read only what is new.
    """
    for event in events:
        yield from verify_link(heads.get(event.stream) or beginning(event.stream), event)
        heads[event.stream] = head_after(event)


def verify_heads(found: Mapping[str, Head], stated: Iterable[Head]) -> Iterator[Fault]:
    """Where the heads that ``verify_log`` arrived at are not those the log states.

    ``stated`` is the log's own table of heads, which every append moves: an event added or
    removed by hand betrays itself here unless that table was corrected too.
    """
    unstated = dict(found)
    for head in stated:
        unstated.pop(head.stream, None)
        yield from _differences(found.get(head.stream) or beginning(head.stream), head)
    for head in unstated.values():
        yield from _differences(head, beginning(head.stream))


def _differences(found: Head, stated: Head) -> Iterator[Fault]:
    """A fault where an event is missing, unstated, or has another hash than its head."""
    if found.version < stated.version:
        yield Fault(found.stream, stated.version, "version", NOTHING, stated.hash.hex())
    elif found.version > stated.version:
        yield Fault(found.stream, found.version, "version", found.hash.hex(), NOTHING)
    elif found.hash != stated.hash:
        yield Fault(found.stream, found.version, "hash", found.hash.hex(), stated.hash.hex())


def _link(previous: bytes, event: Recorded) -> bytes:
    return link_hash(
        previous,
        event.stream,
        event.version,
        event.kind,
        event.actor,
        event.received_at,
        event.at,
        event.data,
    )


def _fault(event: Recorded, what: str, stored: object, computed: object) -> Fault:
    return Fault(event.stream, event.version, what, str(stored), str(computed))
