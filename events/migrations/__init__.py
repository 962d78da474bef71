"""Bring a database to what this program needs, or say what is missing.

Only ``plybook migrate`` and the embedded server call ``upgrade``; every other process calls
``pending`` and stops if it answers anything.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from events.inline_tables import InlineShape
from events.log import InlineTable
from events.migrations.shapes import creatable, create, rebuilds
from events.pointers import Shaped, lock_shapes
from events.projector import Projection
from events.roles import grant_roles
from events.store import Store


class Upgraded(NamedTuple):
    """What an upgrade did, and what it left for a person to do; a sentence each."""

    done: tuple[str, ...]
    left: tuple[str, ...]


class NewerDatabase(Exception):
    """A newer Plybook has migrated the database; this one must not touch it."""

    def __init__(self, revision: str) -> None:
        super().__init__(
            f"use a newer Plybook: the database is at revision {revision}, unknown to this one"
        )


def upgrade(
    store: Store, inline_tables: Iterable[InlineTable] = (), projections: Iterable[Projection] = ()
) -> Upgraded:
    """Make what is missing in one transaction; any number of processes may try at once.

    A projection whose table has another shape, or that is new and inline beside a log that is
    not, is named in ``left``: a rebuild takes time, and is asked for with ``plybook rebuild``.
    Raises ``NewerDatabase``.
    """
    inline, following = [*map(InlineShape, inline_tables)], [*projections]
    return store.write(lambda connection: _upgrade(connection, inline, following))


def pending(
    store: Store, inline_tables: Iterable[InlineTable] = (), projections: Iterable[Projection] = ()
) -> list[str]:
    """What must be done before this program can work here, a sentence each; empty: nothing."""
    inline, following = [*map(InlineShape, inline_tables)], [*projections]
    return store.read(lambda connection: _pending(connection, inline, following))


def _upgrade(
    connection: Connection, inline: Sequence[Shaped], following: Sequence[Shaped]
) -> Upgraded:
    lock_shapes(connection)
    done = _missing_revisions(connection)
    if done:
        command.upgrade(_config(connection), "head")
    roles = grant_roles(connection)
    for shaped in creatable(connection, inline, following):
        create(connection, shaped)
        done.append(_creation(shaped))
    return Upgraded(tuple(done), (*roles, *rebuilds(connection, [*inline, *following])))


def _pending(
    connection: Connection, inline: Sequence[Shaped], following: Sequence[Shaped]
) -> list[str]:
    try:
        revisions = _missing_revisions(connection)
    except NewerDatabase as newer:
        return [str(newer)]
    if revisions:
        return [f"run `plybook migrate`: {sentence}" for sentence in revisions]
    new = creatable(connection, inline, following)
    standing = [shaped for shaped in [*inline, *following] if shaped not in new]
    migrate = [f"run `plybook migrate`: {_creation(shaped)}" for shaped in new]
    return migrate + rebuilds(connection, standing)


def _creation(shaped: Shaped) -> str:
    return f"create the table of {shaped.name} in shape {shaped.shape}"


def _missing_revisions(connection: Connection) -> list[str]:
    """The revisions between the database and this program, oldest first."""
    known = _known_revisions()
    stands = MigrationContext.configure(connection).get_current_revision()
    if stands is None:
        return list(known.values())
    if stands not in known:
        raise NewerDatabase(stands)
    return list(known.values())[list(known).index(stands) + 1 :]


@cache
def _known_revisions() -> dict[str, str]:
    """Every revision of this program and a sentence about it, oldest first."""
    scripts = reversed([*ScriptDirectory.from_config(_config()).walk_revisions()])
    return {each.revision: f"revision {each.revision}: {each.doc}".rstrip(".") for each in scripts}


def _config(connection: Connection | None = None) -> Config:
    """Alembic's settings; the connection is for ``env.py``, which has no other way to one."""
    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    return config
