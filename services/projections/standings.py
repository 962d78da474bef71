"""``standings``: how every seat of every match came out, and the tables counted from that.

Imported records are no contests and have no rows here.
"""

from collections.abc import Sequence

import msgspec
from sqlalchemy import (
    Boolean,
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    Table,
    Text,
    Update,
    func,
    insert,
    select,
    update,
)

from events.codec import decode
from events.event_kinds import MatchCreated, MatchEnded, SeatLeft, SeatTaken
from events.pointers import pointer
from events.recorded import Recorded

STANDINGS_MAX = 500


class Standing(msgspec.Struct, frozen=True):
    """What a player, or a computer level (then ``player`` is empty), has done in one game."""

    game: str
    player: str
    level: int
    played: int
    won: int
    shared: int
    lost: int


class Standings:
    """The projection: one row a seat; ``result`` is ``won``, ``shared``, ``lost`` or empty."""

    name = "standings"
    shape = 1

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """One row a seat."""
        return Table(
            table_name,
            metadata,
            Column("match", Text, primary_key=True),
            Column("seat", Text, primary_key=True),
            Column("game", Text, nullable=False),
            Column("rated", Boolean, nullable=False),
            Column("player", Text, nullable=False),
            Column("level", Integer, nullable=False),
            Column("result", Text, nullable=False),
            Index(f"{table_name}_player", "player"),
        )

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """Seats appear with the match, get their holders, and their results at its end."""
        event = decode(recorded.kind, recorded.data)
        match = recorded.stream.removeprefix("match/")
        if isinstance(event, MatchCreated):
            blank = {"match": match, "game": event.game, "rated": event.rated}
            rows = [
                {**blank, "seat": seat, "player": "", "level": 0, "result": ""}
                for seat in "ABCD"[: event.seats]
            ]
            connection.execute(insert(table), rows)
        elif isinstance(event, SeatTaken):
            holder = {"player": event.player, "level": event.level}
            connection.execute(_seats(table, match, event.seat).values(**holder))
        elif isinstance(event, SeatLeft):
            nobody = {"player": "", "level": 0}
            connection.execute(_seats(table, match, event.seat).values(**nobody))
        elif isinstance(event, MatchEnded) and event.winners:
            best = "won" if len(event.winners) == 1 else "shared"
            connection.execute(_seats(table, match).values(result="lost"))
            connection.execute(_seats(table, match, *event.winners).values(result=best))


def _seats(table: Table, match: str, *seats: str) -> Update:
    """The rows of these seats (none named: all) of a match.

    A statement takes longer to make than most events to decode: it is made only where needed.
    """
    of_match = update(table).where(table.c.match == match)
    return of_match.where(table.c.seat.in_(seats)) if seats else of_match


STANDINGS = Standings()


def standings(connection: Connection, game: str) -> Sequence[Standing]:
    """Everybody who has finished a match of this game, most wins first."""
    to = pointer(connection, STANDINGS.name)
    if to is None:
        return []
    table = STANDINGS.table(MetaData(), to.table_name)
    counts = [func.count().filter(table.c.result == r).label(r) for r in ("won", "shared", "lost")]
    query = (
        select(table.c.player, table.c.level, func.count().label("played"), *counts)
        .where(table.c.game == game, table.c.result != "")
        .group_by(table.c.player, table.c.level)
        .order_by(counts[0].desc(), counts[1].desc(), table.c.player, table.c.level)
        .limit(STANDINGS_MAX)
    )
    return [Standing(game=game, **row) for row in connection.execute(query).mappings()]
