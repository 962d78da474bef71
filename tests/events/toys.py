"""Toy projections over streams of seats: small enough to check by eye."""

from collections.abc import Iterable

from sqlalchemy import (
    Column,
    Connection,
    Index,
    LargeBinary,
    MetaData,
    Table,
    Text,
    delete,
    insert,
)

from events.codec import decode, encode
from events.event_kinds import Event, SeatLeft, SeatTaken
from events.log import Answer, Append, EventLog, InlineRow, InlineTable, Value
from events.recorded import Foldable, Recorded

SEATS = InlineTable(
    "seats", 1, (("player", "text"), ("level", "int"), ("proof", "blob")), indexed=(("level",),)
)
"""Inline: one row for each seat that is taken, with the hash-free bytes of its last event."""

TALLY = InlineTable("tally", 1, (("events", "int"),))
"""Inline: one row a stream, the number of its events."""

INLINE = (SEATS, TALLY)

Rows = dict[str, dict[str, tuple[Value, ...]]]


def rows_of(data: Iterable[tuple[str, bytes]]) -> Rows:
    """The inline rows that follow from some events (kind and bytes) of one stream."""
    seats: dict[str, tuple[Value, ...]] = {}
    count = 0
    for count, (kind, raw) in enumerate(data, start=1):  # noqa: B007 - the last count is used
        event = decode(kind, raw)
        if isinstance(event, SeatTaken):
            seats[event.seat] = (event.player, event.level, raw)
        elif isinstance(event, SeatLeft):
            seats.pop(event.seat, None)
    return {SEATS.name: seats, TALLY.name: {"": (count,)}}


def rows_of_stream(_stream: str, events: Iterable[Foldable]) -> Rows:
    """The same of stored events, as a rebuild asks for it."""
    return rows_of((event.kind, event.data) for event in events)


def append(log: EventLog, stream: str, *events: Event) -> Answer:
    """Append to a stream with the inline rows that follow, as the service does it."""
    before = log.read(stream)
    new = [encode(event) for event in events]
    old_rows = rows_of_stream(stream, before)
    rows = rows_of([*((e.kind, e.data) for e in before), *((e.kind, e.data) for e in new)])
    [answer] = log.append(
        [
            Append(
                stream=stream,
                expected=len(before),
                actor="server",
                received_at=0,
                events=tuple(new),
                rows=tuple(
                    InlineRow(projection, key, rows[projection].get(key))
                    for projection in rows
                    for key in sorted({*old_rows[projection], *rows[projection]})
                ),
            )
        ]
    )
    return answer


class Visits:
    """Catching up: one row for every seat ever taken, across all streams."""

    name = "visits"
    shape = 1

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """One row a visit, by the stream and the version that began it."""
        return Table(
            table_name,
            metadata,
            Column("visit", Text, primary_key=True),
            Column("player", Text, nullable=False),
            Column("proof", LargeBinary, nullable=False),
            Index(f"{table_name}_player", "player"),
        )

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """A seat taken is a visit; a stream whose first seat is left never happened."""
        event = decode(recorded.kind, recorded.data)
        if isinstance(event, SeatTaken):
            visit = f"{recorded.stream}/{recorded.version}"
            row = {"visit": visit, "player": event.player, "proof": recorded.data}
            connection.execute(insert(table).values(row))
        elif isinstance(event, SeatLeft):
            connection.execute(delete(table).where(table.c.visit == f"{recorded.stream}/1"))


VISITS = Visits()
