"""A log round a log, for what is added from outside: grouping, measuring."""

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
)
from events.recorded import Recorded, Told


class WrappedLog:
    """An ``EventLog`` that hands everything on; what wraps a log says only what differs."""

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

    def told(self, stream: str, after: int = 0, upto: int | None = None) -> list[Told]:
        """Hand the question on."""
        return self._inner.told(stream, after, upto)

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
