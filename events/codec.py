"""Events to exact JSON bytes and back; older wire kinds are lifted by the upcast chain."""

import msgspec

from events.event_kinds import EVENT_TYPES, Event
from events.recorded import NewEvent
from events.upcasts import UPCASTS

EVENT_BYTES_MAX = 262_144
"""Largest event we write; a ruleset or a move is far smaller."""

_encoder = msgspec.json.Encoder(order="deterministic")
_decoders = {cls.kind: msgspec.json.Decoder(cls) for cls in EVENT_TYPES}


class UnknownKind(Exception):
    """The log holds a kind this program does not know: it was written by newer code."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"unknown event kind {kind!r}: the log was written by a newer Plybook")
        self.kind = kind


class DamagedEvent(ValueError):
    """Stored bytes that are no event of their kind: changed by accident, or behind our back."""

    def __init__(self, kind: str, why: str, place: str = "") -> None:
        where = f"{place} ({kind})" if place else f"an event {kind!r}"
        super().__init__(f"{where} is damaged: {why}")
        self.kind = kind
        self.why = why


def encode(event: Event) -> NewEvent:
    """The event's wire kind and bytes.

    >>> from events.event_kinds import SeatLeft
    >>> encode(SeatLeft(seat="A"))
    NewEvent(kind='match.seat_left.1', data=b'{"seat":"A"}')
    """
    data = _encoder.encode(event)
    if len(data) > EVENT_BYTES_MAX:
        raise ValueError(f"event {event.kind} is {len(data)} bytes, more than {EVENT_BYTES_MAX}")
    return NewEvent(event.kind, data)


def decode(kind: str, data: bytes) -> Event:
    """The event behind stored bytes.

    ``UnknownKind`` for a kind from the future, ``DamagedEvent`` for bytes that are none of it.

    >>> decode('match.seat_left.1', b'{"seat":"A"}')
    SeatLeft(seat='A')
    """
    try:
        return _decoded(kind, data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise DamagedEvent(kind, str(error)) from error


def _decoded(kind: str, data: bytes) -> Event:
    decoder = _decoders.get(kind)
    if decoder is not None:
        return decoder.decode(data)
    if kind not in UPCASTS:
        raise UnknownKind(kind)
    plain = msgspec.json.decode(data)
    while kind in UPCASTS:
        kind, plain = UPCASTS[kind](plain)
    event: Event = msgspec.convert(plain, _decoders[kind].type)
    return event
