"""The table of offers and leases, seen from its two sides: the dispatcher's and the worker's.

A claim is never a record of work done. It may be lost at any time; then the row is offered again.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import sqlalchemy as sa

from events import schema
from events.pointers import pointer
from events.store import Store
from services.projections.work_due import DEADLINE, WORK_DUE
from workers.lanes import Lane
from workers.offers import Claim, Due, lease_us

Key = tuple[str, str, int]
"""Stream, key and turn of a due row, and of the claim on it."""

_claim = schema.claim


def waiting(conn: sa.Connection, lane: Lane, now: int, limit: int) -> list[Due]:
    """At most ``limit`` due rows of a lane that nobody is on the way to, most urgent first."""
    query = _waiting_query(_due_table_name(conn), lane)
    return [
        Due(stream, key, turn, kind, lane.queue, due_at)
        for stream, key, turn, kind, due_at in conn.execute(query, {"now": now, "limit": limit})
    ]


@lru_cache(64)
def _waiting_query(table_name: str, lane: Lane) -> sa.Select[Any]:
    """Made once for each table and lane: making it costs more than asking it.

    Which rows are due is the rule of ``Due.is_due``.
    """
    due, now = _due_table(table_name), sa.bindparam("now", type_=sa.BigInteger)
    pairs = sa.tuple_(due.c.game, due.c.level).in_(lane.pairs)
    is_due = due.c.due_at <= now if lane.kind == DEADLINE else sa.true()
    return (
        sa.select(due.c.stream, due.c.key, due.c.turn, due.c.kind, due.c.due_at)
        .where(due.c.kind == lane.kind, ~pairs if lane.but else pairs, is_due)
        .where(~sa.exists().where(_is_claim_of(due), _is_live(now)))
        .order_by(due.c.due_at, due.c.stream, due.c.key)
        .limit(sa.bindparam("limit", type_=sa.Integer))
    )


def live(conn: sa.Connection, now: int) -> list[Claim]:
    """The claims that a message or a worker still stands behind."""
    columns = [_claim.c[name] for name in Claim.__struct_fields__]
    return [Claim(*row) for row in conn.execute(sa.select(*columns).where(_is_live(now)))]


def left_over(conn: sa.Connection) -> list[Key]:
    """Claims whose due row is gone: its effect is recorded."""
    due = _due_table(_due_table_name(conn))
    gone = sa.select(_claim.c.stream, _claim.c.key, _claim.c.turn).where(
        ~sa.exists().where(_is_claim_of(due))
    )
    return [(stream, key, turn) for stream, key, turn in conn.execute(gone)]


def offer(conn: sa.Connection, due: Due, now: int, until: int) -> bool:
    """Note an offer; False when a worker got there first."""
    values = {"stream": due.stream, "key": due.key, "turn": due.turn, "queue": due.queue}
    noted = conn.execute(_OFFER, {**values, "until": until, "now": now})
    return noted.rowcount == 1


def withdraw(conn: sa.Connection, offered: Iterable[Due]) -> None:
    """These offers never reached the broker; they may be made again at once."""
    for due in offered:
        mine = _is((due.stream, due.key, due.turn))
        conn.execute(sa.update(_claim).where(mine).values(offered_until=0))


def forget(conn: sa.Connection, key: Key) -> None:
    """The claim has done its service."""
    conn.execute(sa.delete(_claim).where(_is(key)))


def take(store: Store, key: Key, holder: str, now: int, limit_us: int) -> int | None:
    """Start the lease of an offered row; the number of this attempt (1, 2, …).

    None when somebody else has it, or when there is no such claim any more: the work is done, or
    will be offered again.
    """

    def work(conn: sa.Connection) -> int | None:
        free = sa.and_(_is(key), _claim.c.lease_until <= now)
        attempts = conn.scalar(sa.select(_claim.c.attempts).where(free).with_for_update())
        if attempts is None:
            return None
        attempt = int(attempts) + 1
        until = now + lease_us(limit_us, attempt)
        taken = {"offered_until": 0, "lease_until": until, "holder": holder, "attempts": attempt}
        conn.execute(sa.update(_claim).where(free).values(taken))
        return attempt

    return store.write(work)


def give_back(conn: sa.Connection, key: Key, holder: str) -> None:
    """End the holder's lease at once, as if the row had not been taken: others may have it."""
    mine = sa.and_(_is(key), _claim.c.holder == holder)
    free = {"offered_until": 0, "lease_until": 0, "holder": "", "attempts": _claim.c.attempts - 1}
    conn.execute(sa.update(_claim).where(mine).values(free))


def clear_leases(store: Store) -> None:
    """Free what the processes of a previous run held; only for a start that is surely alone.

    Attempts stay: a turn that kills its server is not tried for ever.
    """

    def work(conn: sa.Connection) -> None:
        conn.execute(sa.delete(schema.lease))
        conn.execute(sa.update(_claim).values(offered_until=0, lease_until=0, holder=""))

    store.write(work)


def _due_table_name(conn: sa.Connection) -> str:
    """The table that stands for ``work_due`` now; a rebuild may have flipped the pointer."""
    stands = pointer(conn, WORK_DUE.name)
    if stands is None:
        raise LookupError("the database has no work_due table yet: run `plybook migrate`")
    return stands.table_name


def _due_table(name: str) -> sa.TableClause:
    columns = ("stream", "key", "turn", "kind", "game", "level", "due_at")
    return sa.table(name, *(sa.column(column) for column in columns))


def _is(key: Key) -> sa.ColumnElement[bool]:
    stream, name, turn = key
    return sa.and_(_claim.c.stream == stream, _claim.c.key == name, _claim.c.turn == turn)


def _is_live(now: int | sa.BindParameter[int]) -> sa.ColumnElement[bool]:
    return sa.or_(_claim.c.offered_until > now, _claim.c.lease_until > now)


def _is_claim_of(due: sa.TableClause) -> sa.ColumnElement[bool]:
    return sa.and_(
        _claim.c.stream == due.c.stream, _claim.c.key == due.c.key, _claim.c.turn == due.c.turn
    )


_OFFER = sa.text(
    """
    INSERT INTO claim (stream, key, turn, queue, offered_until, lease_until, holder, attempts)
    VALUES (:stream, :key, :turn, :queue, :until, 0, '', 0)
    ON CONFLICT (stream, key, turn)
    DO UPDATE SET offered_until = excluded.offered_until, queue = excluded.queue
    WHERE claim.offered_until <= :now AND claim.lease_until <= :now
    """
)
