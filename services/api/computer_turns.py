"""How many computer turns one person may keep waiting, so that nobody fills the queue alone."""

from functools import lru_cache

from sqlalchemy import Connection, MetaData, Select, bindparam, func, select

from events.inline_tables import inline_table
from events.pointers import pointer
from services.api.callers import Caller
from services.api.limits import too_many
from services.match.handler import stream_of
from services.projections.standings import STANDINGS
from services.projections.work_due import AI_TURN, WORK_DUE

RETRY_SECONDS = 5.0


def need_room(caller: Caller) -> None:
    """Refuse what would ask a computer for one more turn; what runs already is not touched."""
    limit, player = caller.services.limits.computer_turns, caller.player
    if not limit:
        return
    waiting = caller.services.store.read(lambda connection: _waiting(connection, player))
    if waiting >= limit:
        raise too_many("computer-turns-by-player", RETRY_SECONDS)


def _waiting(connection: Connection, player: str) -> int:
    work_at, seats_at = pointer(connection, WORK_DUE.name), pointer(connection, STANDINGS.name)
    if work_at is None or seats_at is None:
        return 0
    query = _query(work_at.table_name, seats_at.table_name)
    return connection.execute(query, {"player": player}).scalar_one()


@lru_cache(4)
def _query(work_name: str, seats_name: str) -> Select[int]:
    """Made once for each pair of tables: making it costs more than asking it."""
    work = inline_table(MetaData(), WORK_DUE, work_name)
    seats = STANDINGS.table(MetaData(), seats_name)
    streams = select(stream_of("") + seats.c.match).where(seats.c.player == bindparam("player"))
    return select(func.count()).where(work.c.kind == AI_TURN, work.c.stream.in_(streams))
