"""Measuring wrapped round the log from outside: the log itself counts nothing."""

import time
from collections.abc import Mapping, Sequence

from events.log import (
    PAGE_EVENTS,
    Answer,
    Append,
    Appended,
    CommandId,
    CommandReused,
    EventLog,
    Head,
    Value,
    VersionConflict,
)
from events.recorded import Recorded
from ops import metrics


class WrappedLog:
    """An ``EventLog`` that hands everything on; the measured ones below watch ``append``."""

    def __init__(self, inner: EventLog) -> None:
        self._inner = inner

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Hand the batch on."""
        return self._inner.append(batch)

    def repeated(
        self, stream: str, actor: str, command_id: CommandId, fingerprint: bytes
    ) -> Appended | CommandReused | None:
        """Hand the question on."""
        return self._inner.repeated(stream, actor, command_id, fingerprint)

    def read(self, stream: str, after: int = 0, upto: int | None = None) -> list[Recorded]:
        """Hand the question on."""
        return self._inner.read(stream, after, upto)

    def read_all(self, after: int = 0, limit: int = PAGE_EVENTS) -> list[Recorded]:
        """Hand the question on."""
        return self._inner.read_all(after, limit)

    def head(self, stream: str) -> Head:
        """Hand the question on."""
        return self._inner.head(stream)

    def position(self) -> int:
        """Hand the question on."""
        return self._inner.position()

    def streams(self, prefix: str = "", after: str = "", limit: int = PAGE_EVENTS) -> list[Head]:
        """Hand the question on."""
        return self._inner.streams(prefix, after, limit)

    def rows(self, projection: str, stream: str) -> dict[str, tuple[Value, ...]]:
        """Hand the question on."""
        return self._inner.rows(projection, stream)

    def secrets(self, stream: str) -> Mapping[str, bytes]:
        """Hand the question on."""
        return self._inner.secrets(stream)

    def wait(self, after: int, seconds: float) -> bool:
        """Hand the question on."""
        return self._inner.wait(after, seconds)

    def close(self) -> None:
        """Close what is wrapped."""
        self._inner.close()


class MeasuredLog(WrappedLog):
    """Round the whole log: how long a caller waits for an append, and how often in vain."""

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Hand the batch on, timing it."""
        begun = time.perf_counter()
        answers = self._inner.append(batch)
        metrics.append_seconds.observe(time.perf_counter() - begun)
        metrics.append_conflicts_total.inc(
            sum(isinstance(answer, VersionConflict) for answer in answers)
        )
        return answers


class MeasuredGroups(WrappedLog):
    """Under the group commit: how many appends share a transaction."""

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Hand the batch on, noting its size."""
        metrics.append_group_size.observe(len(batch))
        return self._inner.append(batch)
