"""Events as anybody may have them: the envelope and both hashes, never a command id."""

import msgspec

from events.log import EventLog
from events.recorded import GENESIS, Recorded
from services.api.messages import PublicEvent


def public_events(
    log: EventLog, stream: str, after: int, upto: int | None = None
) -> tuple[PublicEvent, ...]:
    """The events with ``after < version <= upto``, each with the hash before it."""
    recorded = log.read(stream, max(0, after - 1), upto)
    previous = recorded[0].hash if after and recorded else GENESIS
    public = []
    for event in recorded[1:] if after else recorded:
        public.append(_public(event, previous))
        previous = event.hash
    return tuple(public)


def _public(event: Recorded, previous: bytes) -> PublicEvent:
    return PublicEvent(
        version=event.version,
        kind=event.kind,
        actor=event.actor,
        received_at=event.received_at,
        at=event.at,
        data=_shown(event.data),
        hash=event.hash.hex(),
        previous=previous.hex(),
    )


def _shown(data: bytes) -> msgspec.Raw:
    """The event's own bytes; damaged ones that are no JSON as a text, which its hash tells."""
    try:
        msgspec.json.decode(data)
    except (msgspec.MsgspecError, RecursionError):
        return msgspec.Raw(msgspec.json.encode(data.decode("utf-8", "replace")))
    return msgspec.Raw(data)
