"""PostgreSQL roles: who may do what, as a second lock beside the triggers.

``plybook_app`` is for every process that serves: it reads and adds events and can neither
change, delete nor truncate them, and it may write the sealed secrets of an append but not read
them back. ``plybook_secrets`` may read those, and is for the processes that decide and deal.
Neither can log in: an operator makes login users and grants them, for example
``CREATE USER web IN ROLE plybook_app, plybook_secrets``. Roles hold only for users who do not
own the tables, so the serving processes must not use the user that runs ``plybook migrate``.

SQLite has no users; there the file's own permissions stand in for all this.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, text

from events.schema import metadata

APP = "plybook_app"
SECRETS = "plybook_secrets"

_EVERYTHING = "SELECT, INSERT, UPDATE, DELETE"
_APP_RIGHTS = {
    "event": "SELECT, INSERT",
    "command": "SELECT, INSERT",
    "stream": "SELECT, INSERT, UPDATE",
    "secret": "INSERT",
    "projection_pointer": "SELECT",
    "rebuild": "SELECT",
}
"""Where less than everything is enough."""

# Roles belong to the whole cluster: another database may be creating them at this moment.
_CREATE = """
DO $$ BEGIN CREATE ROLE {role} NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$
"""

_ABSENT = (
    "{roles} do not exist and this user may not create roles: only triggers guard the events"
    " until `plybook migrate` is run by a user with CREATEROLE"
)


def grant_roles(connection: Connection) -> list[str]:
    """Create the roles and give them their rights; what could not be done, a sentence each."""
    if connection.dialect.name != "postgresql":
        return []
    absent = [role for role in (APP, SECRETS) if not _exists(connection, role)]
    if absent and not _may_create_roles(connection):
        return [_ABSENT.format(roles=" and ".join(absent))]
    for role in absent:
        connection.execute(text(_CREATE.format(role=role)))
    for statement in _grants(connection.dialect.identifier_preparer.quote(_schema(connection))):
        connection.execute(text(statement))
    return []


def grant_projection(connection: Connection, table_name: str) -> None:
    """Let the serving processes write a projection's table, where the roles exist."""
    if connection.dialect.name == "postgresql" and _exists(connection, APP):
        quoted = connection.dialect.identifier_preparer.quote(table_name)
        connection.execute(text(f"GRANT {_EVERYTHING} ON {quoted} TO {APP}"))


def _grants(schema: str) -> Iterator[str]:
    yield f"GRANT USAGE ON SCHEMA {schema} TO {APP}, {SECRETS}"
    for table in metadata.sorted_tables:
        rights = _APP_RIGHTS.get(table.name, _EVERYTHING)
        yield f"REVOKE ALL ON {table.name} FROM {APP}, {SECRETS}"
        yield f"GRANT {rights} ON {table.name} TO {APP}"
    yield f"GRANT USAGE ON SEQUENCE event_position_seq TO {APP}"
    yield f"GRANT SELECT ON alembic_version TO {APP}"
    yield f"GRANT SELECT ON secret TO {SECRETS}"


def _schema(connection: Connection) -> str:
    return str(connection.scalar(text("SELECT current_schema()")))


def _exists(connection: Connection, role: str) -> bool:
    query = text("SELECT 1 FROM pg_roles WHERE rolname = :role")
    return connection.scalar(query, {"role": role}) is not None


def _may_create_roles(connection: Connection) -> bool:
    query = text("SELECT rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user")
    return bool(connection.scalar(query))
