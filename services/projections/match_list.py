"""``match_list``: one row a match, for lists and filters; catches up with the log."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    Index,
    MetaData,
    Table,
    Text,
    and_,
    insert,
    or_,
    select,
    update,
)

from events.codec import decode
from events.event_kinds import MatchCreated, MatchEnded, MatchImported, MatchStarted
from events.pointers import pointer
from events.recorded import Recorded
from services.projections.standings import STANDINGS

LISTED_MAX = 200
OPENED_HERE = "table"
"""The origin of a match that people opened; imported ones have that of their record."""


class Listed(msgspec.Struct, frozen=True):
    """A match in a list; ``position`` is where its first event stands, and pages the list."""

    match: str
    game: str
    status: str
    visibility: str
    host: str
    origin: str
    position: int


class MatchList:
    """The projection; rows are written when a match is opened, started and ended."""

    name = "match_list"
    shape = 1

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """One row a match."""
        return Table(
            table_name,
            metadata,
            Column("match", Text, primary_key=True),
            Column("game", Text, nullable=False),
            Column("status", Text, nullable=False),
            Column("visibility", Text, nullable=False),
            Column("host", Text, nullable=False),
            Column("origin", Text, nullable=False),
            Column("position", BigInteger, nullable=False),
            Index(f"{table_name}_position", "position"),
        )

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """Insert at the first event, then follow the status."""
        event = decode(recorded.kind, recorded.data)
        match = recorded.stream.removeprefix("match/")
        if isinstance(event, MatchCreated):
            opened = ("open", event.visibility, event.host, OPENED_HERE)
            connection.execute(insert(table).values(_row(recorded, event.game, *opened)))
        elif isinstance(event, MatchImported):
            of_file = ("running", "public", "", event.origin)
            connection.execute(insert(table).values(_row(recorded, event.game, *of_file)))
        elif isinstance(event, MatchStarted | MatchEnded):
            status = "running" if isinstance(event, MatchStarted) else "ended"
            connection.execute(update(table).where(table.c.match == match).values(status=status))


def _row(recorded: Recorded, *values: str) -> dict[str, str | int]:
    names = ("game", "status", "visibility", "host", "origin")
    row: dict[str, str | int] = dict(zip(names, values, strict=True))
    match = recorded.stream.removeprefix("match/")
    return {**row, "match": match, "position": recorded.position}


MATCH_LIST = MatchList()


def listed(
    connection: Connection,
    *,
    player: str = "",
    mine: bool = False,
    game: str = "",
    status: str = "",
    before: int = 0,
    limit: int = 50,
) -> Sequence[Listed]:
    """Matches a caller may see in a list, newest first: the public ones and the player's own.

    ``mine`` leaves only the matches the player sits at or hosts; ``before`` goes on a list
    after the position of its last entry.
    """
    to = pointer(connection, MATCH_LIST.name)
    seats_to = pointer(connection, STANDINGS.name)
    if to is None or seats_to is None:
        return []
    table = MATCH_LIST.table(MetaData(), to.table_name)
    seats = STANDINGS.table(MetaData(), seats_to.table_name)
    own = or_(
        table.c.match.in_(select(seats.c.match).where(seats.c.player == player)),
        table.c.host == f"player:{player}",
    )
    public = table.c.visibility == "public"
    with_own = own if mine else or_(public, own)
    filters = [with_own if player else public]
    if game:
        filters.append(table.c.game == game)
    if status:
        filters.append(table.c.status == status)
    if before:
        filters.append(table.c.position < before)
    query = (
        select(table)
        .where(and_(*filters))
        .order_by(table.c.position.desc())
        .limit(min(limit, LISTED_MAX))
    )
    return [Listed(**row) for row in connection.execute(query).mappings()]
