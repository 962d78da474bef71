"""Bring a database to what this program needs, or say what is missing.

Only ``plybook migrate`` and the embedded server call ``upgrade``; every other process calls
``pending`` and stops if it answers anything.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from events.inline_tables import InlineShape
from events.locks import lock_shapes
from events.log import InlineTable
from events.migrations.shapes import creatable, create, rebuilds
from events.pointers import Shaped
from events.projector import Projection
from events.roles import grant_roles
from events.store import Store


class Upgraded(NamedTuple):
    """What an upgrade did, and what it left for a person to do; a sentence each."""

    done: tuple[str, ...]
    left: tuple[str, ...]


class NewerDatabase(Exception):
    """A newer Plybook has migrated the database; this one must not touch it."""


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
    """What must be done before this program can work here, a sentence each; empty: nothing.

    Raises ``NewerDatabase``.
    """
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
    if revisions := _missing_revisions(connection):
        return [f"run `plybook migrate`: {sentence}" for sentence in revisions]
    new = creatable(connection, inline, following)
    standing = [shaped for shaped in [*inline, *following] if shaped not in new]
    migrate = [f"run `plybook migrate`: {_creation(shaped)}" for shaped in new]
    return migrate + rebuilds(connection, standing)


def _creation(shaped: Shaped) -> str:
    return f"create the table of {shaped.name} in shape {shaped.shape}"


def _missing_revisions(connection: Connection) -> list[str]:
    """The revisions between the database and this program, oldest first."""
    scripts = ScriptDirectory.from_config(_config(connection))
    known = [None, *reversed([script.revision for script in scripts.walk_revisions()])]
    stands = MigrationContext.configure(connection).get_current_revision()
    if stands not in known:
        raise NewerDatabase(
            f"the database is at revision {stands}, which this program does not know:"
            " a newer Plybook has migrated it, use that one"
        )
    to_do = known[known.index(stands) + 1 :]
    return [f"revision {name}: {scripts.get_revision(name).doc}" for name in to_do if name]


def _config(connection: Connection) -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config
