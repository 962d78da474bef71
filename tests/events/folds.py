"""What the toy tables must hold, worked out from the events alone and without a database."""

from collections.abc import Iterable

import msgspec

from events.codec import decode
from events.event_kinds import SeatLeft, SeatTaken
from events.log import EventLog, Value, whole_log
from events.recorded import Recorded
from tests.events.toys import rows_of_stream


def from_zero(log: EventLog, projection: str) -> list[bytes]:
    """The lines of an inline table's dump."""
    events: dict[str, list[Recorded]] = {}
    for event in whole_log(log):
        events.setdefault(event.stream, []).append(event)
    return _lines(
        (name, key, stored[-1].version, *values)
        for name, stored in events.items()
        for key, values in rows_of_stream(name, stored)[projection].items()
    )


def visits_from_zero(log: EventLog) -> list[bytes]:
    """The lines of the dump of ``VISITS``."""
    visits: dict[str, tuple[Value, ...]] = {}
    for recorded in whole_log(log):
        match decode(recorded.kind, recorded.data):
            case SeatTaken(player=player):
                visit = f"{recorded.stream}/{recorded.version}"
                visits[visit] = (visit, player, recorded.data)
            case SeatLeft():
                visits.pop(f"{recorded.stream}/1", None)
    return _lines(visits.values())


def _lines(rows: Iterable[Iterable[Value]]) -> list[bytes]:
    return sorted(msgspec.json.encode([_plain(value) for value in row]) for row in rows)


def _plain(value: Value) -> Value:
    return value.hex() if isinstance(value, bytes) else value
