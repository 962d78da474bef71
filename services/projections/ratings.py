"""``ratings``: the skill of everybody and of every level in each game; catches up with the log.

A contest moves all its sides at once, in the order of the log. Skills are whole thousandths, so
that the same log always gives the same bytes. Who sat where is read from the match's own events,
up to its end. Private matches are told of nowhere, and do not count here either.
"""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    MetaData,
    Row,
    Select,
    Table,
    Text,
    delete,
    insert,
    select,
)

from events import schema
from events.codec import decode
from events.event_kinds import MatchCreated, MatchEnded, MatchStarted, SeatLeft, SeatTaken
from events.pointers import pointer
from events.recorded import Recorded
from services.games.contract import SEATS, Seat
from services.match.contests import is_contest, places
from services.match.state import Holder
from services.ratings.skill import Skill, skills_after

RATED_MAX = 500
_SEATING_KINDS = (MatchCreated, SeatTaken, SeatLeft, MatchStarted)


class Rated(msgspec.Struct, frozen=True):
    """A side in one game: a player, or a computer level (then ``player`` is empty).

    ``played`` counts the contests behind the skill; each seat of a level is one.
    """

    player: str
    level: int
    played: int = 0
    skill: Skill = Skill()


class _Seating(msgspec.Struct, frozen=True):
    """Who sits at a match, as its first events say."""

    game: str = ""
    host: str = ""
    visibility: str = ""
    seats: Mapping[Seat, Holder | None] = {}


class Ratings:
    """The projection; rows are written when a contest ends."""

    name = "ratings"
    shape = 1

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """One row a side and game."""
        return Table(
            table_name,
            metadata,
            Column("game", Text, primary_key=True),
            Column("player", Text, primary_key=True),
            Column("level", Integer, primary_key=True, autoincrement=False),
            Column("played", Integer, nullable=False),
            Column("mu", Integer, nullable=False),
            Column("sigma", Integer, nullable=False),
            Index(f"{table_name}_player", "player"),
        )

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """Move the skills of everybody who sat at a match that ended, if it was a contest."""
        event = decode(recorded.kind, recorded.data)
        if not isinstance(event, MatchEnded):
            return
        seated = _seated(connection, recorded)
        if seated.visibility == "private":
            return
        if not is_contest(seated.host, tuple(seated.seats.values()), event):
            return
        of_seat = {seat: (one.player, one.level) for seat, one in seated.seats.items() if one}
        before = {(one.player, one.level): one for one in _known(connection, table, seated)}
        sides = [before.get(side, Rated(*side)) for side in of_seat.values()]
        place = places(event, tuple(of_seat))
        for one in after_contest(sides, [place[seat] for seat in of_seat]):
            _put(connection, table, seated.game, one)


RATINGS = Ratings()


def after_contest(sides: Sequence[Rated], place: Sequence[int]) -> Iterable[Rated]:
    """The sides after a contest, one a seat before; a level at several seats takes their mean."""
    skills: dict[Rated, list[Skill]] = {}
    for side, skill in zip(sides, skills_after([side.skill for side in sides], place), strict=True):
        skills.setdefault(side, []).append(skill)
    for side, found in skills.items():
        mu, sigma = (_mean([getattr(skill, name) for skill in found]) for name in ("mu", "sigma"))
        yield Rated(side.player, side.level, side.played + len(found), Skill(mu, sigma))


def ratings(connection: Connection, game: str) -> Sequence[Rated]:
    """Everybody who has finished a contest of this game, the surely best first."""
    to = pointer(connection, RATINGS.name)
    if to is None:
        return []
    table = RATINGS.table(MetaData(), to.table_name)
    surely_best = (table.c.mu - 3 * table.c.sigma).desc()  # as Skill.at_least
    of_game = _sides(table, game).order_by(surely_best, table.c.player, table.c.level)
    return [_rated(row) for row in connection.execute(of_game.limit(RATED_MAX))]


def _seated(connection: Connection, ended: Recorded) -> _Seating:
    event = schema.event
    query = (
        select(event.c.kind, event.c.data)
        .where(event.c.stream == ended.stream, event.c.version < ended.version)
        .where(event.c.kind.in_([kind.kind for kind in _SEATING_KINDS]))
        .order_by(event.c.version)
    )
    seated = _Seating()
    for kind, data in connection.execute(query):
        seated = _after(seated, decode(kind, data))
    return seated


def _after(seated: _Seating, event: object) -> _Seating:
    seats = dict(seated.seats)
    if isinstance(event, MatchCreated):
        empty = dict.fromkeys(SEATS[: event.seats])
        return _Seating(event.game, event.host, event.visibility, empty)
    if isinstance(event, SeatTaken):
        seats[event.seat] = Holder(event.player, event.level)
    elif isinstance(event, SeatLeft):
        seats[event.seat] = None
    elif isinstance(event, MatchStarted):
        seats |= {seat: Holder(level=level) for seat, level in event.levels.items()}
    return msgspec.structs.replace(seated, seats=seats)


def _known(connection: Connection, table: Table, seated: _Seating) -> list[Rated]:
    """What is known of those who sit there (and of every level, if one does)."""
    players = {holder.player for holder in seated.seats.values() if holder}
    found = _sides(table, seated.game).where(table.c.player.in_(sorted(players)))
    return [_rated(row) for row in connection.execute(found)]


def _sides(table: Table, game: str) -> Select[tuple[str, int, int, int, int]]:
    columns = (table.c.player, table.c.level, table.c.played, table.c.mu, table.c.sigma)
    return select(*columns).where(table.c.game == game)


def _rated(row: Row[tuple[str, int, int, int, int]]) -> Rated:
    return Rated(row.player, row.level, row.played, Skill(row.mu, row.sigma))


def _put(connection: Connection, table: Table, game: str, one: Rated) -> None:
    key = {"game": game, "player": one.player, "level": one.level}
    connection.execute(delete(table).where(*(table.c[name] == key[name] for name in key)))
    row = {**key, "played": one.played, "mu": one.skill.mu, "sigma": one.skill.sigma}
    connection.execute(insert(table).values(row))


def _mean(numbers: Sequence[int]) -> int:
    return round(sum(numbers) / len(numbers))
