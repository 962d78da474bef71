"""What somebody does who can write SQL: change the record behind the log's back."""

from collections.abc import Callable

from msgspec.structs import asdict
from sqlalchemy import Connection, delete, insert, text, update

from events.recorded import Recorded
from events.schema import event, stream
from events.store import Store


def tamper(store: Store, work: Callable[[Connection], object]) -> None:
    """Do this without the triggers that keep events as they are; they are back afterwards."""

    def without_triggers(connection: Connection) -> None:
        if connection.dialect.name == "postgresql":
            connection.execute(text("ALTER TABLE event DISABLE TRIGGER USER"))
            work(connection)
            connection.execute(text("ALTER TABLE event ENABLE TRIGGER USER"))
            return
        triggers = connection.execute(
            text("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        ).all()
        for name, _ in triggers:
            connection.execute(text(f"DROP TRIGGER {name}"))
        work(connection)
        for _, sql in triggers:
            connection.execute(text(sql))

    store.write(without_triggers)


def change_data(store: Store, name: str, version: int, data: bytes) -> None:
    """Put other bytes into a stored event and leave everything else."""
    here = (event.c.stream == name, event.c.version == version)
    tamper(
        store, lambda connection: connection.execute(update(event).where(*here).values(data=data))
    )


def add_event(store: Store, added: Recorded) -> None:
    """Insert an event as it is, and nothing else."""
    store.write(lambda connection: connection.execute(insert(event).values(asdict(added))))


def write_stream(store: Store, events: list[Recorded]) -> None:
    """Put these events in the place of all that the stream has, its head in step with them."""
    name = events[0].stream

    def work(connection: Connection) -> None:
        connection.execute(delete(event).where(event.c.stream == name))
        connection.execute(insert(event), [asdict(each) for each in events])
        _set_head(connection, events[-1])

    tamper(store, work)


def cut_tail(store: Store, events: list[Recorded], keep: int) -> None:
    """Cut a stream's newest events off so that ``keep`` are left, its head in step with them."""

    def work(connection: Connection) -> None:
        here = (event.c.stream == events[0].stream, event.c.version > keep)
        connection.execute(delete(event).where(*here))
        _set_head(connection, events[keep - 1])

    tamper(store, work)


def _set_head(connection: Connection, newest: Recorded) -> None:
    connection.execute(
        update(stream)
        .where(stream.c.stream == newest.stream)
        .values(version=newest.version, hash=newest.hash, at=newest.at, position=newest.position)
    )
