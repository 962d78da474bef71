"""SQL that no portable layer can say: what keeps events as they were written."""

_SQLITE = (
    *(
        f"CREATE TRIGGER event_no_{what.lower()} BEFORE {what} ON event"
        " BEGIN SELECT RAISE(ABORT, 'events are never changed or deleted'); END"
        for what in ("UPDATE", "DELETE")
    ),
    # INSERT OR REPLACE deletes without asking the trigger for deletes.
    (
        "CREATE TRIGGER event_no_replace BEFORE INSERT ON event WHEN EXISTS (SELECT 1 FROM event"
        " WHERE position = NEW.position OR (stream = NEW.stream AND version = NEW.version))"
        " BEGIN SELECT RAISE(ABORT, 'events are never replaced'); END"
    ),
)

_POSTGRES = (
    """
    CREATE FUNCTION event_refuse_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION 'events are never changed or deleted'; END $$
    """,
    """
    CREATE TRIGGER event_no_change BEFORE UPDATE OR DELETE OR TRUNCATE ON event
    FOR EACH STATEMENT EXECUTE FUNCTION event_refuse_change()
    """,
)


def refuse_changes(dialect: str) -> tuple[str, ...]:
    """The statements that make a database refuse to change, delete or truncate events."""
    return {"sqlite": _SQLITE, "postgresql": _POSTGRES}[dialect]
