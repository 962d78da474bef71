"""How the dispatcher, the relay and a bus follower live: a step at a time, until told to stop."""

import threading
from collections.abc import Callable

AFTER_ERROR_SECONDS = 1.0

OnError = Callable[[str, Exception], None]
"""Told the loop's name and what a step raised; for log lines and counters."""


def keep_stepping(
    name: str, step: Callable[[], object], stop: threading.Event, on_error: OnError
) -> None:
    """Take steps of at most a few seconds until ``stop`` is set.

    An error ends a step, never the loop: databases and brokers come back.
    """
    while not stop.is_set():
        try:
            step()
        except Exception as error:  # noqa: BLE001 - see above
            on_error(name, error)
            stop.wait(AFTER_ERROR_SECONDS)
