"""Wakes the live streams of this process. A hint, never a message: events come from the log.

The bus consumer (any thread) calls ``notify``; each subscriber has a short queue in its event
loop. A subscriber that does not read is dropped with a final line instead of piling up, and
resumes from the log after the last version it saw, so nothing is ever lost.
"""

import asyncio
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Literal

WAITING_MAX = 64
SUBSCRIBERS_MAX = 1_000
SUBSCRIBERS_OF_ONE_MAX = 32

Woken = Literal["news", "quiet", "dropped", "closed"]


class HubFull(Exception):
    """This process, or this one address, has as many streams as it may."""


class Subscription:
    """One reader of one stream, living in one event loop."""

    def __init__(self, waiting_max: int) -> None:
        self._loop = asyncio.get_running_loop()
        self._bell = asyncio.Event()
        self._waiting: deque[int] = deque()
        self._waiting_max = waiting_max
        self._ended: Woken | None = None

    def tell(self, version: int) -> None:
        """Say from any thread that the stream has reached ``version``."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._put, version)

    def end(self, why: Woken) -> None:
        """Say from any thread that nothing more will come."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._end, why)

    def _put(self, version: int) -> None:
        if len(self._waiting) >= self._waiting_max:
            self._ended = "dropped"
        else:
            self._waiting.append(version)
        self._bell.set()

    def _end(self, why: Woken) -> None:
        self._ended = why
        self._bell.set()

    async def wait(self, seen: int, seconds: float) -> Woken:
        """Sleep until the stream is past ``seen``, the subscription ends, or time is over."""
        try:
            async with asyncio.timeout(seconds):
                while self._ended is None:
                    await self._bell.wait()
                    self._bell.clear()
                    news = any(version > seen for version in self._waiting)
                    self._waiting.clear()
                    if news and self._ended is None:
                        return "news"
        except TimeoutError:
            return "quiet"
        return self._ended


class Hub:
    """All subscriptions of this process, by stream; an ``owner`` is whoever pays for them."""

    def __init__(
        self,
        waiting_max: int = WAITING_MAX,
        subscribers_max: int = SUBSCRIBERS_MAX,
        of_one_max: int = SUBSCRIBERS_OF_ONE_MAX,
    ) -> None:
        self._lock = Lock()
        self._by_stream: dict[str, set[Subscription]] = {}
        self._owners: Counter[str] = Counter()
        self._waiting_max = waiting_max
        self._subscribers_max = subscribers_max
        self._of_one_max = of_one_max
        self._closed = False

    def __len__(self) -> int:
        with self._lock:
            return self._owners.total()

    def notify(self, stream: str, version: int, position: int, kind: str) -> None:  # noqa: ARG002
        """An event is in the log. Thread-safe; the arguments are the bus message's."""
        with self._lock:
            readers = tuple(self._by_stream.get(stream, ()))
        for reader in readers:
            reader.tell(version)

    def has_room(self, owner: str = "") -> bool:
        """Whether this owner could subscribe now."""
        with self._lock:
            return self._has_room(owner)

    def _has_room(self, owner: str) -> bool:
        free = self._owners.total() < self._subscribers_max
        return free and not self._closed and self._owners[owner] < self._of_one_max

    @contextmanager
    def subscribe(self, stream: str, owner: str = "") -> Iterator[Subscription]:
        """Listen to a stream; call inside the event loop. ``HubFull`` past a limit."""
        reader = Subscription(self._waiting_max)
        with self._lock:
            if not self._has_room(owner):
                raise HubFull
            self._owners[owner] += 1
            self._by_stream.setdefault(stream, set()).add(reader)
        try:
            yield reader
        finally:
            self._forget(stream, owner, reader)

    def _forget(self, stream: str, owner: str, reader: Subscription) -> None:
        with self._lock:
            readers = self._by_stream[stream]
            readers.discard(reader)
            if not readers:
                del self._by_stream[stream]
            self._owners[owner] -= 1
            self._owners += Counter()  # drops the owners that have none left

    def close(self) -> None:
        """End every stream, so that the server can stop; new ones are refused."""
        with self._lock:
            self._closed = True
            readers = [reader for group in self._by_stream.values() for reader in group]
        for reader in readers:
            reader.end("closed")
