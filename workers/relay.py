"""The bus relay: follows the log with a checkpoint and announces every event on the bus.

The log in commit order is the outbox. Announce first, then move the checkpoint: after a crash
the last few events are announced again, and none is missed. Beside it the relay takes along
``followers``, other work that follows the log (projections, the heads file), and does not let
a silent broker hold them up.
"""

import threading
from collections.abc import Callable, Sequence

from events.checkpoints import (
    Checkpoint,
    LogRewound,
    checkpoint_of,
    move_checkpoint,
    page_after,
    set_checkpoint,
)
from events.log import EventLog
from events.recorded import Recorded
from events.store import Store
from workers.election import Election
from workers.loops import OnError, keep_stepping

OFFICE = "relay"
SLEEP_SECONDS = 1.0
BROKER_REST_US = 5_000_000
"""How long the relay leaves a broker alone after it failed (µs)."""


class Relay:
    """Announces the log while it holds the office; ``announce`` returns when the bus has it.

    ``on_error`` is told what a follower or the broker raised.
    """

    def __init__(
        self,
        log: EventLog,
        store: Store,
        announce: Callable[[Recorded], None],
        *,
        election: Election,
        clock: Callable[[], int],
        followers: Sequence[Callable[[], object]] = (),
        on_error: OnError,
    ) -> None:
        self._log = log
        self._store = store
        self._announce = announce
        self._election = election
        self._clock = clock
        self._followers = followers
        self._on_error = on_error
        self._rests_until = 0

    def run(self, stop: threading.Event) -> None:
        """Relay until ``stop`` is set, then give the office back."""
        keep_stepping(OFFICE, self._step, stop, self._on_error)
        self._election.resign()

    def _step(self) -> None:
        seen = self._log.position()
        if not self.catch_up():
            self._log.wait(seen, SLEEP_SECONDS)

    def catch_up(self) -> int:
        """One round: all followers, one page of announcements; the number announced."""
        if not self._election.is_won():
            return 0
        for follow in self._followers:
            try:
                follow()
            except Exception as error:  # noqa: BLE001 - one follower's fault is not the others'
                self._on_error(OFFICE, error)
        if self._clock() < self._rests_until:
            return 0
        try:
            return self._announce_page()
        except Exception as error:  # noqa: BLE001 - the broker may be away, the log is not
            self._rests_until = self._clock() + BROKER_REST_US
            self._on_error(OFFICE, error)
            return 0

    def _announce_page(self) -> int:
        start = self._store.read(lambda conn: checkpoint_of(conn, OFFICE))
        try:
            page = page_after(self._log, start)
        except LogRewound as error:
            self._go_on_from_the_end()
            self._on_error(OFFICE, error)
            return 0
        announced = 0
        try:
            for recorded in page:
                self._announce(recorded)
                announced += 1
        finally:
            if announced:
                last = page[announced - 1]
                reached = Checkpoint(last.position, last.hash)
                self._store.write(lambda conn: move_checkpoint(conn, OFFICE, start, reached))
        return announced

    def _go_on_from_the_end(self) -> None:
        """The log was restored; what it holds was announced, or is too old to be news."""
        tail = self._log.read_all(max(self._log.position() - 1, 0))
        end = Checkpoint(tail[-1].position, tail[-1].hash) if tail else Checkpoint()
        self._store.write(lambda conn: set_checkpoint(conn, OFFICE, end))
