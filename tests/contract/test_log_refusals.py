"""The laws of the log where it says no; held by every store, as those of ``test_logs``."""

import pytest
from msgspec.structs import replace
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from events.log import (
    Appended,
    Expected,
    LogFailure,
    OldCode,
)
from tests.kit.logs import (
    PLACES,
    Opened,
    append,
    append_of,
    open_log,
)


def test_old_code_writes_nothing(opened: Opened) -> None:
    """Where a projection's table has another shape than ours, every append is refused for it."""
    log, stream = opened.log, opened.stream
    [first] = log.append([append_of(stream, key="k-1", rows={"a": ("x", 1, None)})])
    newer = replace(PLACES, shape=2)
    unknown = replace(PLACES, name="elsewhere", shape=3)
    for spec, refusal in ((newer, OldCode("places", 2, 1)), (unknown, OldCode("elsewhere", 3, 0))):
        with open_log(opened.sort, opened.store, opened.clock, [spec]) as other:
            answers = other.append(
                [
                    append_of(stream, Expected.ANY),
                    append_of(stream + "2", Expected.NEW),
                    append_of(stream, 9),
                    append_of(stream, key="k-1"),
                ]
            )
        assert isinstance(first, Appended)
        assert answers == [refusal, refusal, refusal, replace(first, repeated=True)]
    assert [each.version for each in log.read(stream)] == [1]
    assert log.read(stream + "2") == []


def test_rows_are_read_in_the_shape_we_know(opened: Opened) -> None:
    """Asking with another shape than the table's is a failure that says what to do."""
    newer = [replace(PLACES, shape=2)]
    with (
        open_log(opened.sort, opened.store, opened.clock, newer) as other,
        pytest.raises(LogFailure, match="places has no table of shape 2: run `plybook migrate`"),
    ):
        other.rows("places", opened.stream)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE event SET data = data WHERE stream = :stream",
        "UPDATE event SET position = position + 1000 WHERE stream = :stream",
        "DELETE FROM event WHERE stream = :stream",
        "INSERT OR REPLACE INTO event SELECT * FROM event WHERE stream = :stream",
        "TRUNCATE event",
    ],
)
def test_events_are_never_changed_or_deleted(opened: Opened, statement: str) -> None:
    """The database itself refuses, whoever asks."""
    dialect = "postgres" if "postgres" in opened.sort else "sqlite"
    only = {"INSERT OR REPLACE": "sqlite", "TRUNCATE event": "postgres"}
    here = next((d for words, d in only.items() if statement.startswith(words)), dialect)
    log, stream = opened.log, opened.stream
    append(log, stream)
    before = log.read(stream)
    refusal = "events are never" if here == dialect else "syntax error"
    values = {"stream": stream} if ":stream" in statement else {}
    with pytest.raises((DatabaseError, LogFailure), match=refusal):
        opened.store.write(lambda connection: connection.execute(text(statement), values))
    assert log.read(stream) == before


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        ({"events": ()}, "at least one event"),
        ({"expected": -2}, "expected version -2"),
        ({"actor": "a\0b"}, "no NUL"),
        ({"stream": ""}, "needs a name"),
        ({"received_at": 2**63}, "more than 64 bits"),
        ({"rows": append_of("s", rows={"a": ("x", 1)}).rows}, "has 3 values, not 2"),
        ({"rows": append_of("s", rows={"a": (1, 1, None)}).rows}, "places.label holds text"),
        ({"rows": append_of("s", rows={"a\0": None}).rows}, "no NUL"),
        ({"secrets": append_of("s", secrets={"a": b""}).secrets * 2}, "each secret once"),
    ],
)
def test_what_no_store_can_keep_is_refused_at_once(
    opened: Opened, spoil: dict[str, object], sentence: str
) -> None:
    """An append that could not come back as it is raises, and leaves nothing of its batch."""
    log, stream = opened.log, opened.stream
    good = append_of(stream)
    with pytest.raises((ValueError, TypeError), match=sentence):
        log.append([good, replace(good, **spoil)])
    assert log.read(stream) == []
