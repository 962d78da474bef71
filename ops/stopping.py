"""How a person or a supervisor stops a process: SIGINT or SIGTERM, once politely."""

import os
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from types import FrameType

LOOK_SECONDS = 0.5
SAME_REQUEST_SECONDS = 1.0
"""One request often comes twice: ``make`` hands on what a supervisor has sent to us as well."""


class Stop:
    """Whether the process was asked to stop.

    A signal's handler may interrupt any line of the main thread, another call of itself too, so
    it must take no lock that this thread can hold: an ``Event`` would, a ``SimpleQueue`` is made
    for it (Python's documentation calls its ``put`` reentrant).
    """

    def __init__(self) -> None:
        self._first: float | None = None
        self._bell: SimpleQueue[None] = SimpleQueue()

    @property
    def asked(self) -> bool:
        """Whether a signal came."""
        return self._first is not None

    def wait(self, *others: threading.Event) -> None:
        """Return when asked to stop, or when one of the events is set."""
        while not self.asked and not any(other.is_set() for other in others):
            try:
                self._bell.get(timeout=LOOK_SECONDS)
            except Empty:
                continue

    def note(self, number: int, _frame: FrameType | None = None) -> None:
        """The handler; a signal that is not the first one's echo ends the process at once."""
        if self._first is None:
            self._first = time.monotonic()
            self._bell.put(None)
        elif time.monotonic() - self._first > SAME_REQUEST_SECONDS:
            signal.signal(number, signal.SIG_DFL)
            os.kill(os.getpid(), number)


@contextmanager
def stop_signal() -> Iterator[Stop]:
    """Notes SIGINT and SIGTERM while the block runs; main thread only."""
    stop = Stop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, stop.note) for number in numbers}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
