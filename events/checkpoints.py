"""Checkpoints: how far each reader of the log is, kept in the transaction of its effect."""

import msgspec
from sqlalchemy import Connection, delete, select, text, update

from events.log import PAGE_EVENTS, EventLog
from events.recorded import GENESIS, Recorded
from events.schema import checkpoint


class Checkpoint(msgspec.Struct, frozen=True):
    """The position and hash of the last event a reader has taken (0 and GENESIS: none yet).

    ``skipped`` names the event kinds it could not read, because newer code wrote them.
    """

    position: int = 0
    hash: bytes = GENESIS
    skipped: tuple[str, ...] = ()


class LogRewound(Exception):
    """The log is not the one that was read so far: it was restored, or cut and grown again."""

    def __init__(self, position: int) -> None:
        super().__init__(f"position {position} no longer holds the event that was read there")
        self.position = position


def checkpoint_of(connection: Connection, subscriber: str) -> Checkpoint:
    """Where a subscriber stands; at the beginning if it never ran."""
    row = connection.execute(
        select(checkpoint).where(checkpoint.c.subscriber == subscriber)
    ).one_or_none()
    if row is None:
        return Checkpoint()
    return Checkpoint(row.position, row.hash, tuple(row.needs_rebuild.split()))


def move_checkpoint(
    connection: Connection, subscriber: str, old: Checkpoint, new: Checkpoint
) -> bool:
    """Move a subscriber on, if it still stands at ``old``; False if another moved it first.

    Called first in a transaction, it makes every other runner of the subscriber wait here and
    then lose, so the effect that follows happens once.
    """
    if old.position == 0:
        connection.execute(_BEGIN, {"subscriber": subscriber, "hash": GENESIS})
    moved = connection.execute(
        update(checkpoint)
        .where(checkpoint.c.subscriber == subscriber, checkpoint.c.position == old.position)
        .values(position=new.position, hash=new.hash, needs_rebuild=" ".join(new.skipped))
    )
    return moved.rowcount == 1


def set_checkpoint(connection: Connection, subscriber: str, to: Checkpoint) -> None:
    """Put a subscriber here, wherever it stood: what it follows was made anew."""
    forget_checkpoint(connection, subscriber)
    move_checkpoint(connection, subscriber, Checkpoint(), to)


def forget_checkpoint(connection: Connection, subscriber: str) -> None:
    """Leave no trace of a subscriber; if it runs again, it begins at the first event."""
    connection.execute(delete(checkpoint).where(checkpoint.c.subscriber == subscriber))


def page_after(log: EventLog, at: Checkpoint) -> list[Recorded]:
    """The next events for a reader that stands ``at`` a checkpoint; empty at the head.

    The page is read with the checkpoint's own event in front. If that is another one, or is
    gone, the log was restored or rewound and going on would skip events: ``LogRewound``.
    """
    page = log.read_all(max(at.position - 1, 0), PAGE_EVENTS)
    if at.position == 0:
        return page
    if not page or (page[0].position, page[0].hash) != (at.position, at.hash):
        raise LogRewound(at.position)
    return page[1:]


_BEGIN = text(
    "INSERT INTO checkpoint (subscriber, position, hash, needs_rebuild)"
    " VALUES (:subscriber, 0, :hash, '') ON CONFLICT (subscriber) DO NOTHING"
)
