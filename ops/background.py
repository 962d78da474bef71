"""Work that goes on beside the requests, a thread each, told to stop and waited for."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import structlog

TROUBLE_SECONDS = 10.0
"""A loop that fails says so about every second; after so long in silence it is well again."""

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


class Troubles:
    """What went wrong lately in loops that go on by themselves; for ``/health/ready``."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: dict[str, tuple[float, str]] = {}

    def tell(self, name: str, error: Exception) -> None:
        """A loop's ``on_error``: a line in the log, and remembered for a while."""
        log_error(name, error)
        self._last[name] = (self._clock(), str(error) or type(error).__name__)

    def now(self) -> str:
        """The loops whose steps fail, each with its newest error; empty when all goes well.

        >>> troubles = Troubles()
        >>> troubles.now()
        ''
        """
        since = self._clock() - TROUBLE_SECONDS
        fresh = [(name, said) for name, (at, said) in self._last.copy().items() if at > since]
        return "; ".join(f"{name}: {said}" for name, said in sorted(fresh))


def log_error(name: str, error: Exception) -> None:
    """What loops call when a step failed; they go on by themselves."""
    _log.warning("step failed", loop=name, error=repr(error), exc_info=error)
