"""The one publisher of work: offers what is due, most urgent first, within each queue's window.

Truth lives in ``work_due``, a projection of the log; a message is only a hint. An offer is noted
in the database first and published after, so whatever is lost between the two (a message, a
broker, this process) is offered again when the offer has run out. Rows leave ``work_due`` by the
append that records their effect, never from here.
"""

import threading
from collections.abc import Callable, Mapping, Sequence

import sqlalchemy as sa

from events.log import EventLog
from events.store import Store
from workers import claims
from workers.election import Election
from workers.lanes import Lane
from workers.loops import OnError, keep_stepping
from workers.offers import Due, what_to_offer

OFFICE = "dispatcher"
OFFER_US = 60_000_000
"""How long a message may wait for a worker (µs) before its row is offered again."""
SLEEP_SECONDS = 1.0
"""Longest sleep between two looks: the log's wake-up is only a hint, and times come due."""

Publish = Callable[[Due, float], None]
"""Send the hint about a row; the broker may throw it away after so many seconds."""


class Dispatcher:
    """Offers due work to the queues of its lanes while it holds the office.

    ``windows`` is the most work outstanding per queue. Times are µs of ``clock``. ``on_error``
    is told what the database or the broker raised.
    """

    def __init__(
        self,
        log: EventLog,
        store: Store,
        publish: Publish,
        *,
        lanes: Sequence[Lane],
        windows: Mapping[str, int],
        election: Election,
        clock: Callable[[], int],
        on_error: OnError,
        offer_us: int = OFFER_US,
    ) -> None:
        self._log = log
        self._store = store
        self._publish = publish
        self._lanes = lanes
        self._windows = windows
        self._election = election
        self._clock = clock
        self._on_error = on_error
        self._offer_us = offer_us

    def run(self, stop: threading.Event) -> None:
        """Dispatch until ``stop`` is set, then give the office back."""
        keep_stepping(OFFICE, self._step, stop, self._on_error)
        self._election.resign()

    def _step(self) -> None:
        seen = self._log.position()
        if not self.offer():
            self._log.wait(seen, SLEEP_SECONDS)

    def offer(self) -> int:
        """Offer what there is room for; the number of messages that the broker has."""
        if not self._election.is_won():
            return 0
        now = self._clock()
        chosen, done = self._store.read(lambda conn: self._look(conn, now))
        if not chosen and not done:
            return 0
        noted = self._store.write(lambda conn: self._note(conn, chosen, done, now))
        self._send(noted)
        return len(noted)

    def _look(self, conn: sa.Connection, now: int) -> tuple[tuple[Due, ...], list[claims.Key]]:
        due = [
            row
            for lane in self._lanes
            for row in claims.waiting(conn, lane, now, limit=self._windows.get(lane.queue, 0))
        ]
        chosen = what_to_offer(due, claims.live(conn, now), now, self._windows)
        return chosen, claims.left_over(conn)

    def _note(
        self, conn: sa.Connection, chosen: Sequence[Due], done: Sequence[claims.Key], now: int
    ) -> list[Due]:
        if not self._election.still_holds(conn):
            return []
        for key in done:
            claims.forget(conn, key)
        until = now + self._offer_us
        return [due for due in chosen if claims.offer(conn, due, now, until)]

    def _send(self, noted: Sequence[Due]) -> None:
        unsent = list(noted)
        try:
            while unsent:
                self._publish(unsent[0], self._offer_us / 1_000_000)
                del unsent[0]
        finally:
            if unsent:
                self._store.write(lambda conn: claims.withdraw(conn, unsent))
