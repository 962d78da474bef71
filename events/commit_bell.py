"""Rung after every commit, so that a reader of this process need not poll."""

from threading import Condition


class CommitBell:
    """The newest position heard of, and who waits for a newer one."""

    def __init__(self) -> None:
        self._position = 0
        self._rung = Condition()

    def ring(self, position: int) -> None:
        """Tell everybody who waits for less that the log holds this position."""
        with self._rung:
            if position > self._position:
                self._position = position
                self._rung.notify_all()

    def wait(self, after: int, seconds: float) -> bool:
        """Block until a position beyond ``after`` was heard of; False if none was in time."""
        with self._rung:
            return self._rung.wait_for(lambda: self._position > after, seconds)
