"""How a person or a supervisor stops a process: SIGINT or SIGTERM, once politely."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

LOOK_SECONDS = 0.5


@contextmanager
def stop_signal() -> Iterator[threading.Event]:
    """An event that the first SIGINT or SIGTERM sets; a second one ends the process at once."""
    stop = threading.Event()

    def note(number: int, _frame: FrameType | None) -> None:
        stop.set()
        signal.signal(number, signal.SIG_DFL)

    before = {number: signal.signal(number, note) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def wait_for_any(*events: threading.Event) -> None:
    """Return when one of the events is set."""
    while not any(event.is_set() for event in events):
        events[0].wait(LOOK_SECONDS)
