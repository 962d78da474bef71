"""How a Celery worker runs: in a thread of the embedded server, or as a process of its own.

It is the same worker in both, with threads that fold, ask and append; the thinking is done by
the engine processes (``workers/engine_pool.py``), one for each thread.
"""

import threading
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from celery import Celery, signals
from celery.exceptions import SecurityWarning
from celery.worker import state
from celery.worker.consumer import Consumer

from workers.celery_app import DEFAULT_WEIGHT, QUEUES
from workers.lost_queues import delete_lost_queues

WAKE = "plybook.wake"
LOOKS_BEFORE_STOP = 2
"""Celery's loop waits for messages once more after it has seen that it shall stop."""
LOOK_SECONDS = 0.5
"""A worker process looks this often whether it shall stop; by itself it may sleep for ten."""


class PlainConsumer(Consumer):  # type: ignore[misc]  # Celery ships no types
    """Celery's consumer, which also gets over queues that the broker has lost.

    It is without the 28 queues that Celery would make for tasks with an ETA; none has one.
    """

    class Blueprint(Consumer.Blueprint):  # type: ignore[misc]
        """The same steps in the same order, but for that one."""

        default_steps = tuple(
            step for step in Consumer.Blueprint.default_steps if "DelayedDelivery" not in step
        )

    def loop_args(self) -> Any:
        """What Celery's loop is started with, for each connection; and a tick that wakes it."""
        if self.hub is not None:  # the embedded worker has none, and is woken by messages
            self.hub.call_repeatedly(LOOK_SECONDS, _wake)
        return super().loop_args()

    def on_connection_error_after_connected(self, exc: Exception) -> None:
        """Before it connects again: see to the queues if the broker left a question unanswered."""
        super().on_connection_error_after_connected(exc)
        if isinstance(exc, TimeoutError):
            with suppress(*self.connection_errors, *self.channel_errors):
                delete_lost_queues(self.app)


def run_worker(
    app: Celery,
    name: str,
    slots: int,
    weights: Iterable[str] = QUEUES,
    on_stop: Callable[[], None] = lambda: None,
) -> bool:
    """Work in this, the main thread until SIGTERM or SIGINT; then finish what was begun.

    False if the worker ended by an error instead, which it has logged: the broker refused it.

    ``weights`` are the queues to work for, all of them unless they are named. ``on_stop`` is
    called when the worker is told to stop, beside what it is at: it may cut that short.
    """

    def stopping(**_: object) -> None:
        # Not here: a signal's handler interrupts whatever holds a lock.
        threading.Thread(target=on_stop, name="plybook-stopping").start()

    signals.worker_shutting_down.connect(stopping)
    worker = _make_worker(app, name, slots, weights)
    try:
        worker.start()
    finally:
        signals.worker_shutting_down.disconnect(stopping)
    return not worker.exitcode


@contextmanager
def worker_thread(app: Celery, slots: int = 1) -> Iterator[None]:
    """A worker beside whatever else this process does, while the block runs; one at a time."""
    app.task(name=WAKE, shared=False)(_wake)
    worker = _make_worker(app, "embedded", slots, QUEUES)
    thread = threading.Thread(target=worker.start, name="plybook-worker", daemon=True)
    thread.start()
    try:
        yield
    finally:
        state.should_stop = 0
        for _ in range(LOOKS_BEFORE_STOP):
            app.send_task(WAKE, queue=QUEUES[DEFAULT_WEIGHT])
        thread.join()
        state.should_stop = None
        app.close()


def _make_worker(app: Celery, name: str, slots: int, weights: Iterable[str]) -> Any:
    app.conf.worker_consumer = PlainConsumer
    with warnings.catch_warnings():
        # Celery warns root that pickle is dangerous; this app reads JSON only.
        warnings.simplefilter("ignore", SecurityWarning)
        return app.Worker(
            hostname=f"{name}@plybook",
            pool="threads",
            concurrency=slots,
            queues=[QUEUES[weight] for weight in weights],
            quiet=True,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )


def _wake() -> None:
    """Nothing: a message, or a tick, that ends a wait."""
