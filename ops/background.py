"""Work that goes on beside the requests, a thread each, told to stop and waited for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog

_log = structlog.get_logger("plybook.background")


@contextmanager
def running(name: str, run: Callable[[threading.Event], object]) -> Iterator[None]:
    """Run ``run`` in a thread while the block runs; it returns soon after its event is set."""
    stop = threading.Event()
    thread = threading.Thread(target=run, args=(stop,), name=f"plybook-{name}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def log_error(name: str, error: Exception) -> None:
    """What loops call when a step failed; they go on by themselves."""
    _log.warning("step failed", loop=name, error=repr(error), exc_info=error)
