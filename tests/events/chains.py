"""Small chains made by hand, and by hand spoilt."""

from msgspec.structs import replace

from events.recorded import GENESIS, Recorded, link_hash


def rehashed(event: Recorded, previous: bytes) -> Recorded:
    """The event with the hash that its fields and the hash before it give."""
    return replace(
        event,
        hash=link_hash(
            previous,
            event.stream,
            event.version,
            event.kind,
            event.actor,
            event.received_at,
            event.at,
            event.data,
        ),
    )


def chain(stream: str, length: int, first_position: int = 1) -> list[Recorded]:
    """A whole stream with a right hash in every event; a millisecond from one to the next."""
    events: list[Recorded] = []
    for version in range(1, length + 1):
        event = Recorded(
            stream=stream,
            version=version,
            kind="match.move_played.1",
            actor="player:p-ann",
            received_at=version * 1_000,
            at=version * 1_000,
            data=b'{"turn":%d}' % version,
            cause="",
            hash=b"",
            position=first_position + version - 1,
        )
        events.append(rehashed(event, events[-1].hash if events else GENESIS))
    return events


def computed_again(events: list[Recorded]) -> list[Recorded]:
    """All hashes computed again, as somebody would who knows how this works."""
    whole: list[Recorded] = []
    for event in events:
        whole.append(rehashed(event, whole[-1].hash if whole else GENESIS))
    return whole
