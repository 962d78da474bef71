"""Who is the one dispatcher, the one relay: a lease in the log's own database.

The holder renews when half of its time is used; if it dies, another wins when the lease has run
out. A process that was paused for longer than its lease still believes it holds it, so whatever
must happen once also asks ``still_holds`` inside its own transaction.

The processes' clocks are compared through the lease: they must agree to a few seconds. A lease
that ends later than anybody could have taken it is from before the clock was set back: it is free.
"""

from collections.abc import Callable
from contextlib import suppress

import sqlalchemy as sa

from events import schema
from events.log import LogFailure
from events.store import Store

LEASE_US = 15_000_000
"""How long a winner may be silent, in microseconds."""

_lease = schema.lease


class Election:
    """One candidate (``holder``) for the office ``name``. Times are µs of ``clock``."""

    def __init__(
        self,
        store: Store,
        name: str,
        holder: str,
        clock: Callable[[], int],
        lease_us: int = LEASE_US,
    ) -> None:
        self._store = store
        self._name = name
        self._holder = holder
        self._clock = clock
        self._lease_us = lease_us
        self._until = 0

    def is_won(self) -> bool:
        """Whether we hold the office now; takes it if it is free, renews it in good time."""
        now = self._clock()
        if not self._lease_us // 2 <= self._until - now <= self._lease_us:
            until = now + self._lease_us
            won = self._store.write(lambda conn: self._take(conn, now, until))
            self._until = until if won else 0
        return self._until > now

    def still_holds(self, conn: sa.Connection) -> bool:
        """The same question inside a transaction that only the holder may make."""
        held = sa.select(sa.true()).where(
            _lease.c.name == self._name,
            _lease.c.holder == self._holder,
            _lease.c.until > self._clock(),
        )
        return conn.execute(held).first() is not None

    def resign(self) -> None:
        """Give the office back; where that fails, a successor waits until the lease runs out."""
        self._until = 0
        mine = sa.delete(_lease).where(_lease.c.name == self._name, _lease.c.holder == self._holder)
        with suppress(LogFailure):
            self._store.write(lambda conn: conn.execute(mine))

    def _take(self, conn: sa.Connection, now: int, until: int) -> bool:
        taken = conn.execute(
            _TAKE,
            {
                "name": self._name,
                "holder": self._holder,
                "until": until,
                "now": now,
                "too_late": now + 2 * self._lease_us,
            },
        )
        return taken.rowcount == 1


_TAKE = sa.text(
    """
    INSERT INTO lease (name, holder, until) VALUES (:name, :holder, :until)
    ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
    WHERE lease.holder = excluded.holder OR lease.until <= :now OR lease.until > :too_late
    """
)
