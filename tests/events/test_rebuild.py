"""Inline rebuilds: whatever happens meanwhile, the result is a fold from zero, byte for byte."""

import sqlite3
from collections.abc import Callable, Iterable
from contextlib import closing
from threading import Event as Signal
from threading import Thread

import pytest
from sqlalchemy import Connection, MetaData, func, inspect, select, text

from events.codec import UnknownKind
from events.event_kinds import SeatLeft, SeatTaken
from events.inline_tables import InlineShape
from events.log import (
    Append,
    Appended,
    EventLog,
    Expected,
    InlineTable,
    OldCode,
)
from events.log_lock import LOG_LOCK
from events.pointers import Pointer, pointer
from events.rebuild import Rebuilt, _told, rebuild_inline
from events.recorded import Foldable, NewEvent, Told
from events.shadows import RebuildLost
from events.sqlite_store import SqliteStore
from events.store import Store
from events.table_dump import digest, dump
from tests.events.folds import from_zero
from tests.events.toys import INLINE, SEATS, TALLY, Rows, append, rows_of_stream
from tests.kit.logs import AnyStore, SetClock, open_log
from tests.kit.tampering import change_data

WIDER_TALLY = InlineTable("tally", 2, (("events", "int"), ("seats", "int")))


def fill(log: EventLog, streams: int = 12) -> None:
    """Streams with seats taken and left; every third is left by everybody."""
    for number in range(streams):
        name = f"match/m-{number:03}"
        append(log, name, SeatTaken(seat="A", player=f"ann{number}"), SeatTaken(seat="B", level=2))
        append(log, name, SeatLeft(seat="A"))
        if number % 3 == 0:
            append(log, name, SeatLeft(seat="B"))


def assert_right(store: Store, log: EventLog) -> None:
    """Both standing tables are folds from zero."""
    for spec in INLINE:
        assert dump(store, spec.name) == from_zero(log, spec.name)


def table_of(store: Store, projection: str) -> str:
    """The physical name of the standing table."""
    to = store.read(lambda connection: pointer(connection, projection))
    assert to is not None
    return to.table_name


def tables(store: Store) -> set[str]:
    """The names of all toy tables there are."""
    names = store.read(lambda connection: inspect(connection).get_table_names())
    return {name for name in names if name.startswith(("seats_", "tally_"))}


def test_a_rebuild_gives_the_same_bytes(store: Store, log: EventLog) -> None:
    """In new tables of the same shape, which stand from then on; the old ones are gone."""
    fill(log)
    before = {spec.name: digest(dump(store, spec.name)) for spec in INLINE}
    assert rebuild_inline(store, log, INLINE, rows_of_stream) == Rebuilt(12, 40)
    assert {spec.name: digest(dump(store, spec.name)) for spec in INLINE} == before
    assert tables(store) == {"seats_1b", "tally_1b"}
    rebuild_inline(store, log, INLINE, rows_of_stream)
    assert tables(store) == {"seats_1", "tally_1"}
    assert_right(store, log)


def test_a_rebuild_makes_a_spoilt_table_right(store: Store, log: EventLog) -> None:
    """The table does not count, only the log."""
    fill(log)
    store.write(lambda connection: connection.execute(text("DELETE FROM seats_1")))
    store.write(lambda connection: connection.execute(text("UPDATE tally_1 SET events = 99")))
    rebuild_inline(store, log, INLINE, rows_of_stream)
    assert_right(store, log)


def test_a_damaged_stream_is_left_out_and_the_others_are_rebuilt(
    store: Store, log: EventLog
) -> None:
    """It has no rows, and the answer names it; one match cannot hold up all others."""
    fill(log)
    change_data(store, "match/m-004", 2, b"{")
    rebuilt = rebuild_inline(store, log, INLINE, rows_of_stream)
    [damaged] = rebuilt.damaged
    assert damaged.startswith("match/m-004: an event 'match.seat_taken.1' is damaged: ")
    assert (rebuilt.streams, log.rows("tally", "match/m-004")) == (12, {})
    assert log.rows("tally", "match/m-005") == {"": (3,)}


def test_one_projection_is_rebuilt_alone(store: Store, log: EventLog) -> None:
    """Its neighbours keep their tables."""
    fill(log)
    rebuild_inline(store, log, [TALLY], rows_of_stream)
    assert tables(store) == {"seats_1", "tally_1b"}
    assert_right(store, log)


def test_a_rebuild_of_an_empty_log_is_an_empty_table(store: Store, log: EventLog) -> None:
    """Nothing to fold is no fault, and appends go to the new table."""
    assert rebuild_inline(store, log, INLINE, rows_of_stream) == Rebuilt(0, 0)
    fill(log, streams=2)
    assert_right(store, log)


def test_progress_is_told_after_every_page(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Streams done, streams in all, events read: what a progress bar needs."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 5)
    fill(log)
    told: list[tuple[int, int, int]] = []
    rebuild_inline(store, log, INLINE, rows_of_stream, lambda *numbers: told.append(numbers))
    assert told == [(5, 12, 17), (10, 12, 34), (12, 12, 40)]


class Stopped(Exception):
    """Somebody pressed Ctrl-C."""


def stopping(after: int) -> Callable[[int, int, int], None]:
    """A progress callback that stops the rebuild after some streams."""

    def progress(done: int, _total: int, _events: int) -> None:
        if done >= after:
            raise Stopped

    return progress


def test_a_stopped_rebuild_goes_on(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The streams done before are not folded again; those that grew since are."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 5)
    fill(log)
    with pytest.raises(Stopped):
        rebuild_inline(store, log, INLINE, rows_of_stream, stopping(after=5))
    assert table_of(store, "seats") == "seats_1"
    append(log, "match/m-001", SeatTaken(seat="C"))
    append(log, "match/a-new-one", SeatTaken(seat="A"))
    assert rebuild_inline(store, log, INLINE, rows_of_stream).streams == 7
    assert table_of(store, "seats") == "seats_1b"
    assert_right(store, log)


def test_a_rebuild_asked_for_anew_begins_again(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of the stopped one is used, and its tables are dropped."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 5)
    fill(log)
    with pytest.raises(Stopped):
        rebuild_inline(store, log, INLINE, rows_of_stream, stopping(after=5))
    store.write(lambda connection: connection.execute(text("UPDATE tally_1b SET events = 99")))
    assert rebuild_inline(store, log, INLINE, rows_of_stream, anew=True).streams == 12
    assert tables(store) == {"seats_1b", "tally_1b"}
    assert_right(store, log)


def test_a_stopped_rebuild_of_other_tables_is_not_mixed_in(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that are not equally far are all begun again."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 5)
    fill(log)
    with pytest.raises(Stopped):
        rebuild_inline(store, log, [TALLY], rows_of_stream, stopping(after=5))
    assert rebuild_inline(store, log, INLINE, rows_of_stream).streams == 12
    assert tables(store) == {"seats_1b", "tally_1b"}
    assert_right(store, log)


def test_appends_between_any_two_pages_are_in_the_result(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To streams folded before, to streams still to come, and to new ones on both sides."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 2)
    monkeypatch.setattr("events.rebuild.TAIL_STREAMS", 1)
    fill(log)

    def meanwhile(done: int, _total: int, _events: int) -> None:
        append(log, "match/m-000", SeatTaken(seat="D", player=f"dan{done}"))
        append(log, "match/m-011", SeatTaken(seat="D", player=f"dan{done}"))
        append(log, f"match/a-{done}", SeatTaken(seat="A"))
        append(log, f"match/z-{done}", SeatTaken(seat="A"), SeatLeft(seat="A"))

    rebuild_inline(store, log, INLINE, rows_of_stream, _only(8, meanwhile))
    assert table_of(store, "seats") == "seats_1b"
    assert_right(store, log)


def test_nobody_waits_while_a_long_tail_is_folded(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much was appended meanwhile, little is left for when the log is locked."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 5)
    monkeypatch.setattr("events.rebuild.TAIL_STREAMS", 2)
    fill(log)

    def meanwhile(*_: int) -> None:
        for number in range(12):
            append(log, f"match/m-{number:03}", SeatTaken(seat="D"))

    under_the_lock: list[str] = []

    def spy(connection: Connection, name: str) -> list[Told]:
        under_the_lock.append(name)
        return _told(connection, name)

    monkeypatch.setattr("events.rebuild._told", spy)
    rebuild_inline(store, log, INLINE, rows_of_stream, _only(3, meanwhile))
    assert len(under_the_lock) <= 2
    assert_right(store, log)


def test_the_log_is_locked_while_the_tables_change_places(
    store: AnyStore, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An append between the last fold and the flip would be missing in the new table."""
    fill(log)
    locked: list[bool] = []

    def spy(connection: Connection, name: str) -> list[Told]:
        locked.append(log_is_locked(store))
        return _told(connection, name)

    def meanwhile(*_: int) -> None:
        append(log, "match/m-000", SeatTaken(seat="D"))

    monkeypatch.setattr("events.rebuild._told", spy)
    rebuild_inline(store, log, INLINE, rows_of_stream, meanwhile)
    assert locked == [True]
    assert not log_is_locked(store)


def log_is_locked(store: AnyStore) -> bool:
    """Whether somebody who wants to append would have to wait."""
    if isinstance(store, SqliteStore):
        with closing(sqlite3.connect(store.path, timeout=0)) as stranger:
            try:
                stranger.execute("BEGIN IMMEDIATE")
            except sqlite3.OperationalError:
                return True
        return False
    taken = text("SELECT pg_try_advisory_xact_lock(:key)").bindparams(key=LOG_LOCK)
    return not store.read(lambda connection: connection.scalar(taken))


def test_a_reader_that_a_flip_overtakes_sees_one_of_the_two_tables(
    store: Store, log: EventLog
) -> None:
    """It asked for the table's name, and meanwhile the table was replaced and dropped."""
    fill(log)
    overtaking = [lambda: rebuild_inline(store, log, INLINE, rows_of_stream)]

    def count(connection: Connection) -> int:
        to = pointer(connection, "tally")
        assert to is not None
        while overtaking:
            overtaking.pop()()
        table = InlineShape(TALLY).table(MetaData(), to.table_name)
        return connection.scalar(select(func.count()).select_from(table)) or 0

    assert store.read(count) == 12


def _only(times: int, told: Callable[[int, int, int], None]) -> Callable[[int, int, int], None]:
    """Tell it so often and no more: streams added for ever would be followed for ever."""
    left = [told] * times

    def progress(done: int, total: int, events: int) -> None:
        if left:
            left.pop()(done, total, events)

    return progress


def test_a_rebuild_beside_busy_writers_loses_nothing(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three writers go on through two flips: every append is answered, every row is right."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 3)
    monkeypatch.setattr("events.rebuild.TAIL_STREAMS", 1)
    monkeypatch.setattr("events.rebuild.TAIL_ROUNDS", 3)
    fill(log)
    stop, answers = Signal(), []

    def write(own: str) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            seat = SeatTaken(seat="ABCD"[turn % 4], player=f"p{turn}")
            event = seat if turn % 3 else SeatLeft(seat="B")
            answers.append(append(log, f"match/{own}-{turn % 7}", event))

    writers = [Thread(target=write, args=(own,)) for own in ("a", "m", "z")]
    for writer in writers:
        writer.start()
    try:
        rebuild_inline(store, log, INLINE, rows_of_stream)
        rebuild_inline(store, log, INLINE, rows_of_stream)
    finally:
        stop.set()
        for writer in writers:
            writer.join()
    assert {type(answer) for answer in answers} == {Appended}
    assert tables(store) == {"seats_1", "tally_1"}
    assert_right(store, log)


def wider_rows(stream: str, events: Iterable[Foldable]) -> Rows:
    """The rows of ``WIDER_TALLY`` beside those of ``SEATS``."""
    rows = rows_of_stream(stream, events)
    wide = {key: (*values, len(rows["seats"])) for key, values in rows["tally"].items()}
    return {**rows, "tally": wide}


def test_old_code_writes_until_a_new_shape_stands(store: AnyStore, log: EventLog) -> None:
    """Before the flip the new program is refused, after it the old one; nobody in between."""
    fill(log)
    event = (NewEvent("match.started.1", b"{}"),)
    one = [Append("match/x", Expected.ANY, "server", 0, event)]

    def meanwhile(*_: int) -> None:
        assert type(append(log, "match/m-000", SeatTaken(seat="D"))) is Appended

    shapes = (SEATS, WIDER_TALLY)
    with open_log("direct", store, SetClock(), shapes) as newer:
        assert newer.append(one) == [OldCode("tally", 2, 1)]
        rebuild_inline(store, newer, shapes, wider_rows, meanwhile)
        assert log.append(one) == [OldCode("tally", 1, 2)]
        assert type(newer.append(one)[0]) is Appended
    assert store.read(lambda c: pointer(c, "tally")) == Pointer("tally", 2, "tally_2")
    assert tables(store) == {"seats_1b", "tally_2"}
    assert b'["match/m-000","",5,5,1]' in dump(store, "tally")


def test_a_log_of_newer_code_is_not_rebuilt(store: Store, log: EventLog) -> None:
    """A table without the events we cannot read would be wrong; the old one stands."""
    fill(log)
    future = (NewEvent("match.teleported.1", b"{}"),)
    log.append([Append("match/m-000", Expected.ANY, "server", 0, future)])
    before = dump(store, "seats")
    with pytest.raises(UnknownKind, match=r"match\.teleported\.1"):
        rebuild_inline(store, log, INLINE, rows_of_stream)
    assert table_of(store, "seats") == "seats_1"
    assert dump(store, "seats") == before


def test_of_two_rebuilds_at_once_one_wins(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second goes on with the tables of the first, finishes, and the first is told so."""
    monkeypatch.setattr("events.rebuild.STREAMS_A_WRITE", 5)
    fill(log)

    def meanwhile(*_: int) -> None:
        rebuild_inline(store, log, INLINE, rows_of_stream)

    with pytest.raises(RebuildLost):
        rebuild_inline(store, log, INLINE, rows_of_stream, _only(1, meanwhile))
    assert tables(store) == {"seats_1b", "tally_1b"}
    assert_right(store, log)


def test_a_flip_that_fails_leaves_the_old_tables(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rest of the tail, pointers and the end of the rebuild are one transaction."""
    fill(log)

    def meanwhile(*_: int) -> None:
        append(log, "match/m-000", SeatTaken(seat="D"))

    def broken(_connection: Connection, _name: str) -> list[Told]:
        raise Stopped

    with monkeypatch.context() as patched:
        patched.setattr("events.rebuild._told", broken)
        with pytest.raises(Stopped):
            rebuild_inline(store, log, INLINE, rows_of_stream, meanwhile)
    assert table_of(store, "seats") == "seats_1"
    assert_right(store, log)
    assert rebuild_inline(store, log, INLINE, rows_of_stream).streams == 0
    assert table_of(store, "seats") == "seats_1b"
    assert_right(store, log)
