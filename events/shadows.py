"""Shadow tables: what a rebuild fills beside the standing tables, and then puts in their place.

A row in ``rebuild`` stands for each shadow and says how far it is; it moves in the transaction
of the rows written, so a stopped rebuild goes on from there. What the rows of a shape are never
changes: other rows are another shape, or a half-filled shadow would mix the two.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, MetaData, Table, delete, func, insert, select, update

from events.checkpoints import forget_checkpoint
from events.pointers import Pointer, Shaped, drop_strays, lock_shapes, point, pointer, shaped_name
from events.roles import grant_projection
from events.schema import event, rebuild


class Place(NamedTuple):
    """How far a rebuild is: it has the streams up to a name, as they were at a position."""

    after_stream: str
    from_position: int


class Shadow(NamedTuple):
    """A table on its way to standing for a projection."""

    shaped: Shaped
    table: Table
    place: Place

    @property
    def subscriber(self) -> str:
        """The checkpoint of a shadow that follows the log."""
        return f"{self.shaped.name}@rebuild"


class RebuildLost(Exception):
    """Another process does the same rebuild and was faster; nothing is left to do here."""

    def __init__(self) -> None:
        super().__init__("another process is doing this rebuild, or has just finished it")


def open_shadows(
    connection: Connection, shapes: Sequence[Shaped], *, anew: bool = False
) -> list[Shadow]:
    """The shadows of a stopped rebuild of just these shapes, or else new and empty ones."""
    lock_shapes(connection)
    stopped = [shadow for shaped in shapes if (shadow := _stopped(connection, shaped))]
    same_rebuild = len(stopped) == len(shapes) and len({shadow.place for shadow in stopped}) == 1
    if same_rebuild and not anew:
        return stopped
    start = Place("", connection.scalar(select(func.max(event.c.position))) or 0)
    return [_begin(connection, shaped, start) for shaped in shapes]


def is_open(connection: Connection, shadow: Shadow) -> bool:
    """Whether the shadow is still one, and still the projection's."""
    name = select(rebuild.c.table_name).where(rebuild.c.projection == shadow.shaped.name)
    return connection.scalar(name) == shadow.table.name


def move_shadows(connection: Connection, shadows: Sequence[Shadow], to: Place) -> list[Shadow]:
    """Note the place reached; ``RebuildLost`` if the shadows are not where we left them."""
    moved = []
    for shadow in shadows:
        own = (
            rebuild.c.projection == shadow.shaped.name,
            rebuild.c.table_name == shadow.table.name,
            rebuild.c.after_stream == shadow.place.after_stream,
            rebuild.c.from_position == shadow.place.from_position,
        )
        if connection.execute(update(rebuild).where(*own).values(to._asdict())).rowcount != 1:
            raise RebuildLost
        moved.append(shadow._replace(place=to))
    return moved


def flip_shadows(connection: Connection, shadows: Sequence[Shadow]) -> None:
    """Let the shadows stand for their projections; the replaced tables are strays from now."""
    for shadow in move_shadows(connection, shadows, shadows[0].place):
        point(connection, Pointer(shadow.shaped.name, shadow.shaped.shape, shadow.table.name))
        connection.execute(delete(rebuild).where(rebuild.c.projection == shadow.shaped.name))


def _stopped(connection: Connection, shaped: Shaped) -> Shadow | None:
    row = connection.execute(
        select(rebuild).where(rebuild.c.projection == shaped.name, rebuild.c.shape == shaped.shape)
    ).one_or_none()
    if row is None:
        return None
    table = shaped.table(MetaData(), row.table_name)
    return Shadow(shaped, table, Place(row.after_stream, row.from_position))


def _begin(connection: Connection, shaped: Shaped, start: Place) -> Shadow:
    stands = pointer(connection, shaped.name)
    name = shaped_name(shaped.name, shaped.shape, beside=stands.table_name if stands else "")
    shadow = Shadow(shaped, shaped.table(MetaData(), name), start)
    connection.execute(delete(rebuild).where(rebuild.c.projection == shaped.name))
    forget_checkpoint(connection, shadow.subscriber)
    drop_strays(connection, shaped.name)
    shadow.table.create(connection)
    grant_projection(connection, name)
    row = {"projection": shaped.name, "table_name": name, "shape": shaped.shape}
    connection.execute(insert(rebuild).values(**row, **start._asdict()))
    return shadow
