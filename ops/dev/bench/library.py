"""The ``eventsourcing`` library as its documentation sets it up, in its safe mode.

On PostgreSQL that is its default: a table lock before every insert. Its quicker mode (functions
in the database) lets readers that follow the log miss events, so it is no anchor for us.
"""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from urllib.parse import unquote, urlsplit
from uuid import UUID, uuid4

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from eventsourcing.persistence import StoredEvent

TOPIC = "plybook:MovePlayed"


class PlayedMatch(Aggregate):
    """A match as the library would have it: an aggregate that moves are played in."""

    turn = 0

    @event("MovePlayed")
    def play(self, turn: int, seat: str, move: str, facts: list[str]) -> None:
        """Remember the last turn; nothing is judged here either."""
        del seat, move, facts
        self.turn = turn


class Library:
    """An application of the library over a database of its own."""

    def __init__(self, environment: dict[str, str]) -> None:
        self._app = Application[UUID](env=environment)

    def appends(self, payloads: Sequence[bytes]) -> list[Callable[[], object]]:
        """A step for each payload: one event more on a new stream, kept when it returns."""
        stream, insert = uuid4(), self._app.recorder.insert_events

        return [
            partial(insert, [StoredEvent(stream, version, TOPIC, payload)])
            for version, payload in enumerate(payloads, 1)
        ]

    def save_match(self, moves: Sequence[tuple[int, str, str, list[str]]]) -> UUID:
        """Keep a match: one event for its beginning, one for each move."""
        match = PlayedMatch()
        for move in moves:
            match.play(*move)
        self._app.save(match)
        return match.id

    def get(self, match: UUID) -> object:
        """The aggregate, from its events."""
        return self._app.repository.get(match)

    def decode(self, match: UUID) -> object:
        """Its events alone, decoded."""
        return list(self._app.events.get(match))

    def close(self) -> None:
        """Close its connections."""
        self._app.close()


def library_on_sqlite(path: Path) -> Library:
    """Over a new SQLite file."""
    return Library({"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})


def library_on_postgres(url: str) -> Library:
    """Over a new PostgreSQL database."""
    parts = urlsplit(url)
    return Library(
        {
            "PERSISTENCE_MODULE": "eventsourcing.postgres",
            "POSTGRES_DBNAME": parts.path.removeprefix("/"),
            "POSTGRES_HOST": parts.hostname or "",
            "POSTGRES_PORT": str(parts.port or 5432),
            "POSTGRES_USER": unquote(parts.username or ""),
            "POSTGRES_PASSWORD": unquote(parts.password or ""),
        }
    )
