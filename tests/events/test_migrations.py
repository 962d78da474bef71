"""Migrations: one way to a ready database on both stores, and plain words about what is missing."""

import secrets
from contextlib import closing
from threading import Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, MetaData, Table, insert, text
from sqlalchemy.exc import DBAPIError

from events import roles, schema
from events.log import InlineTable
from events.migrations import NewerDatabase, Upgraded, pending, upgrade
from events.pointers import Pointer, pointer
from events.postgres_store import PostgresStore
from events.store import Store
from tests.events.toys import INLINE, SEATS, VISITS, Visits
from tests.kit.schemas import fresh_schema, fresh_user

AN_EVENT = {
    "stream": "match/m-1",
    "version": 1,
    "kind": "match.started.1",
    "actor": "server",
    "received_at": 0,
    "at": 0,
    "data": b"{}",
    "cause": "",
    "hash": b"\x01" * 32,
}

WIDER_SEATS = InlineTable("seats", 2, (*SEATS.columns, ("since", "int")))


def write_event(connection: Connection) -> None:
    """One event, so that the log is not empty."""
    connection.execute(insert(schema.event).values(AN_EVENT))


def test_an_empty_database_becomes_ready(store: Store) -> None:
    """Before, ``pending`` says what to run; afterwards nothing, and a second run does nothing."""
    [before] = pending(store, INLINE, [VISITS])
    assert before.startswith("run `plybook migrate`: revision 0001: ")
    done = upgrade(store, INLINE, [VISITS]).done
    assert [sentence.split(":")[0] for sentence in done] == [
        "revision 0001",
        "create the table of seats in shape 1",
        "create the table of tally in shape 1",
        "create the table of visits in shape 1",
    ]
    assert pending(store, INLINE, [VISITS]) == []
    assert upgrade(store, INLINE, [VISITS]) == Upgraded((), ())


def test_the_revisions_make_just_the_tables_that_the_code_uses(store: Store) -> None:
    """Alembic's own comparison finds nothing between the database and ``events/schema.py``."""
    upgrade(store)

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), schema.metadata))

    assert store.read(differences) == []


@pytest.mark.parametrize("change", ["UPDATE event SET actor = 'somebody'", "DELETE FROM event"])
def test_events_are_not_changed_or_deleted(store: Store, change: str) -> None:
    """The database itself refuses, whoever asks."""
    upgrade(store)
    store.write(write_event)
    with pytest.raises(DBAPIError, match="never changed or deleted"):
        store.write(lambda connection: connection.execute(text(change)))


@pytest.mark.postgres
def test_events_are_not_truncated(schema_url: str) -> None:
    """PostgreSQL has a third way to lose a log, and refuses it too (SQLite has only DELETE)."""
    with closing(PostgresStore(schema_url)) as store:
        upgrade(store)
        with pytest.raises(DBAPIError, match="never changed or deleted"):
            store.write(lambda connection: connection.execute(text("TRUNCATE event")))


def test_another_shape_waits_for_a_rebuild(store: Store) -> None:
    """Neither migrating nor starting rebuilds in silence; both sorts of projections are named."""
    upgrade(store, INLINE, [VISITS])
    wider = Visits()
    wider.shape = 3
    waiting = [
        "run `plybook rebuild seats`: its table has shape 1, this program writes shape 2",
        "run `plybook rebuild visits`: its table has shape 1, this program writes shape 3",
    ]
    assert pending(store, [WIDER_SEATS], [wider]) == waiting
    assert upgrade(store, [WIDER_SEATS], [wider]) == Upgraded((), tuple(waiting))
    stands = store.read(lambda connection: pointer(connection, "seats"))
    assert stands == Pointer("seats", 1, "seats_1")


def test_a_new_inline_projection_beside_old_events_waits_for_a_rebuild(store: Store) -> None:
    """An empty table would be wrong there; one that catches up starts empty and is right."""
    upgrade(store)
    store.write(write_event)
    upgraded = upgrade(store, [SEATS], [VISITS])
    assert upgraded.done == ("create the table of visits in shape 1",)
    assert upgraded.left == (
        "run `plybook rebuild seats`: it has no table yet, beside events that are already recorded",
    )
    assert pending(store, [SEATS], [VISITS]) == list(upgraded.left)


def test_a_database_from_the_future_is_left_alone(store: Store) -> None:
    """An older program says that a newer one is needed, and touches nothing."""
    upgrade(store)
    store.write(lambda c: c.execute(text("UPDATE alembic_version SET version_num = '9999'")))
    with pytest.raises(NewerDatabase, match=r"use a newer Plybook: .* revision 9999"):
        upgrade(store)
    assert pending(store)[0].startswith("use a newer Plybook")


def test_an_upgrade_that_fails_leaves_nothing_behind(store: Store) -> None:
    """Tables, triggers and pointers come in one transaction."""

    class Broken(Visits):
        def table(self, metadata: MetaData, table_name: str) -> Table:
            raise RuntimeError(f"no {super().table(metadata, table_name)} today")

    with pytest.raises(RuntimeError, match="visits_1"):
        upgrade(store, INLINE, [Broken()])
    assert pending(store)[0].startswith("run `plybook migrate`: revision 0001")
    assert upgrade(store).done[0].startswith("revision 0001")


@pytest.mark.postgres
def test_processes_that_upgrade_together_do_it_once(schema_url: str) -> None:
    """Four start at the same moment: one does all of it, the others find it done."""
    upgrades: list[Upgraded] = []

    def run() -> None:
        with closing(PostgresStore(schema_url)) as store:
            upgrades.append(upgrade(store, INLINE, [VISITS]))

    threads = [Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(len(each.done) for each in upgrades) == [0, 0, 0, 4]


@pytest.mark.postgres
def test_serving_roles_may_add_events_and_no_more(schema_url: str) -> None:
    """``plybook_app`` appends; only ``plybook_secrets`` reads secrets back."""
    app, keeper = roles.APP, roles.SECRETS
    with closing(PostgresStore(schema_url)) as store:
        upgrade(store, INLINE, [VISITS])

        def acting(role: str, statement: str) -> None:
            def work(connection: Connection) -> None:
                connection.execute(text(f"SET LOCAL ROLE {role}"))
                connection.execute(text(statement))

            store.write(work)

        acting(app, "INSERT INTO event VALUES (DEFAULT, 's', 1, 'k', 'a', 0, 0, '', '', '')")
        acting(app, "INSERT INTO secret VALUES ('s', 'seed', 'sealed')")
        acting(app, "INSERT INTO visits_1 VALUES ('v', 'p', 'x')")
        acting(keeper, "SELECT sealed FROM secret")
        for role, forbidden in [
            (app, "UPDATE event SET actor = 'b'"),
            (app, "DELETE FROM event"),
            (app, "TRUNCATE event"),
            (app, "ALTER TABLE event DISABLE TRIGGER ALL"),
            (app, "UPDATE command SET version = 2"),
            (app, "SELECT sealed FROM secret"),
            (app, "UPDATE projection_pointer SET shape = 2"),
            (keeper, "SELECT data FROM event"),
            (keeper, "DELETE FROM secret"),
        ]:
            with pytest.raises(DBAPIError, match=r"permission denied|must be owner"):
                acting(role, forbidden)


@pytest.mark.postgres
def test_missing_roles_are_said_where_they_may_not_be_created(
    postgres_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A user without CREATEROLE gets all tables, and a sentence about what guards less."""
    monkeypatch.setattr(roles, "APP", f"plybook_test_{secrets.token_hex(4)}")
    with (
        fresh_user(postgres_database) as user,
        fresh_schema(postgres_database, owner=user) as url,
        closing(PostgresStore(url)) as store,
    ):
        upgraded = upgrade(store, INLINE, [VISITS])
        assert pending(store, INLINE, [VISITS]) == []
    assert len(upgraded.done) == 4
    [sentence] = upgraded.left
    assert roles.APP in sentence
    assert "this user may not create roles" in sentence
