"""The tables of projections: which can be made at once, which wait for a rebuild."""

from collections.abc import Iterable, Sequence

from sqlalchemy import Connection, MetaData, select

from events.pointers import Pointer, Shaped, point, pointer, shaped_name
from events.roles import grant_projection
from events.schema import event


def creatable(
    connection: Connection, inline: Sequence[Shaped], following: Sequence[Shaped]
) -> list[Shaped]:
    """Those without a table that may start empty.

    One that catches up may start beside any log; an inline one only beside an empty log.
    """
    log_is_empty = connection.execute(select(event.c.position).limit(1)).first() is None
    candidates = [*inline, *following] if log_is_empty else following
    return [each for each in candidates if pointer(connection, each.name) is None]


def create(connection: Connection, shaped: Shaped) -> None:
    """Make an empty table and point to it."""
    name = shaped_name(shaped.name, shaped.shape)
    shaped.table(MetaData(), name).create(connection)
    grant_projection(connection, name)
    point(connection, Pointer(shaped.name, shaped.shape, name))


def rebuilds(connection: Connection, shapes: Iterable[Shaped]) -> list[str]:
    """What only ``plybook rebuild`` can make right, a sentence each."""
    return [
        f"run `plybook rebuild {shaped.name}`: {difference}"
        for shaped in shapes
        if (difference := _difference(pointer(connection, shaped.name), shaped))
    ]


def _difference(stands: Pointer | None, shaped: Shaped) -> str:
    if stands is None:
        return "it has no table yet, beside events that are already recorded"
    if stands.shape != shaped.shape:
        return f"its table has shape {stands.shape}, this program writes shape {shaped.shape}"
    return ""
