"""Rebuilds of projections that catch up: the table and its checkpoint change places together."""

from collections.abc import Callable
from threading import Event as Signal
from threading import Thread

import pytest
from sqlalchemy import Column, LargeBinary, MetaData, Table, Text, inspect, text

from events.checkpoints import checkpoint_of
from events.event_kinds import SeatLeft, SeatTaken
from events.log import Append, EventLog, Expected
from events.pointers import Pointer, pointer
from events.projector import NeedsRebuild, Projector
from events.rebuild import Rebuilt, rebuild_projection
from events.recorded import NewEvent
from events.shadows import RebuildLost
from events.store import Store
from events.table_dump import digest, dump
from events.upcasts import UPCASTS
from tests.events.folds import visits_from_zero
from tests.events.toys import VISITS, Visits, append
from tests.kit.tampering import cut_tail


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.checkpoints.PAGE_EVENTS", 5)


def fill(log: EventLog, streams: int = 6) -> None:
    """Four events a stream: three visits, of which the first is undone."""
    for number in range(streams):
        seats = [SeatTaken(seat=seat, player=f"{seat}{number}") for seat in "ABC"]
        append(log, f"match/m-{number}", *seats, SeatLeft(seat="A"))


def caught_up(store: Store, log: EventLog) -> list[bytes]:
    """The projection's rows after its runner has had its turn."""
    Projector(store, log, [VISITS]).catch_up()
    return dump(store, "visits")


def standing(store: Store) -> Pointer | None:
    """What the pointer says."""
    return store.read(lambda connection: pointer(connection, "visits"))


def tables(store: Store) -> set[str]:
    """The names of all tables of the projection there are."""
    names = store.read(lambda connection: inspect(connection).get_table_names())
    return {name for name in names if name.startswith("visits_")}


def test_a_rebuild_gives_the_same_bytes(store: Store, log: EventLog) -> None:
    """From zero, in a new table; the old one and the shadow's checkpoint are gone."""
    fill(log)
    before = digest(caught_up(store, log))
    assert before == digest(visits_from_zero(log))
    assert rebuild_projection(store, log, VISITS) == Rebuilt(0, 24)
    assert digest(dump(store, "visits")) == before
    assert tables(store) == {"visits_1b"}
    assert store.read(lambda c: checkpoint_of(c, "visits@rebuild")).position == 0
    assert Projector(store, log, [VISITS]).lag() == {"visits": 0}


def test_a_rebuild_makes_a_spoilt_table_right(store: Store, log: EventLog) -> None:
    """The table does not count, only the log; later events follow as before."""
    fill(log)
    right = caught_up(store, log)
    store.write(lambda connection: connection.execute(text("DELETE FROM visits_1")))
    rebuild_projection(store, log, VISITS)
    assert dump(store, "visits") == right
    append(log, "match/m-9", SeatTaken(seat="A", player="new"))
    assert len(caught_up(store, log)) == len(right) + 1


def test_progress_tells_the_position(store: Store, log: EventLog) -> None:
    """Position reached, position of the head, events read."""
    fill(log, streams=3)
    told: list[tuple[int, int, int]] = []
    rebuild_projection(store, log, VISITS, lambda *numbers: told.append(numbers))
    assert [events for _, _, events in told] == [5, 9, 12]
    assert {total for _, total, _ in told} == {log.position()}
    assert told[-1][0] == log.position()


class Stopped(Exception):
    """Somebody pressed Ctrl-C."""


def stopping(*_: int) -> None:
    """A progress callback that stops the rebuild after its first page."""
    raise Stopped


def test_a_stopped_rebuild_goes_on(store: Store, log: EventLog) -> None:
    """From the page it had reached, while the old table stands and keeps catching up."""
    fill(log)
    with pytest.raises(Stopped):
        rebuild_projection(store, log, VISITS, stopping)
    append(log, "match/m-9", SeatTaken(seat="A", player="new"))
    right = caught_up(store, log)
    assert standing(store) == Pointer("visits", 1, "visits_1")
    assert rebuild_projection(store, log, VISITS) == Rebuilt(0, 20)
    assert dump(store, "visits") == right


def test_a_runner_beside_a_rebuild_applies_nothing_twice(store: Store, log: EventLog) -> None:
    """The flip moves its checkpoint to the new table's; it goes on there as if nothing was."""
    fill(log)
    stop, failures = Signal(), []

    def run() -> None:
        projector = Projector(store, log, [VISITS])
        while not stop.is_set():
            try:
                projector.catch_up()
            except Exception as failure:  # noqa: BLE001 - any is shown by the test
                failures.append(failure)

    def meanwhile(done: int, _total: int, _events: int) -> None:
        append(log, f"match/n-{done}", SeatTaken(seat="A", player="new"), SeatTaken(seat="B"))

    runner = Thread(target=run)
    runner.start()
    try:
        for _ in range(2):
            rebuild_projection(store, log, VISITS, _at_most(5, meanwhile))
    finally:
        stop.set()
        runner.join()
    assert failures == []
    assert caught_up(store, log) == visits_from_zero(log)


def _at_most(times: int, told: Callable[[int, int, int], None]) -> Callable[[int, int, int], None]:
    left = [told] * times

    def progress(done: int, total: int, events: int) -> None:
        if left:
            left.pop()(done, total, events)

    return progress


class WiderVisits(Visits):
    """The same with a column more."""

    shape = 2

    def table(self, metadata: MetaData, table_name: str) -> Table:
        """Visits with the stream apart."""
        return Table(
            table_name,
            metadata,
            Column("visit", Text, primary_key=True),
            Column("player", Text, nullable=False),
            Column("proof", LargeBinary, nullable=False),
            Column("wide", Text, nullable=False, server_default="yes"),
        )


def test_a_new_shape_stands_after_its_rebuild(store: Store, log: EventLog) -> None:
    """Old code is refused from then on, and the new code goes on."""
    fill(log)
    caught_up(store, log)
    with pytest.raises(NeedsRebuild):
        Projector(store, log, [WiderVisits()]).catch_up()
    rebuild_projection(store, log, WiderVisits())
    assert standing(store) == Pointer("visits", 2, "visits_2")
    assert tables(store) == {"visits_2"}
    append(log, "match/m-9", SeatTaken(seat="A", player="new"))
    assert Projector(store, log, [WiderVisits()]).catch_up() == 1
    assert any(line.endswith(b'"yes"]') and b'"new"' in line for line in dump(store, "visits"))
    with pytest.raises(NeedsRebuild, match="a table of shape 2, this program writes shape 1"):
        Projector(store, log, [VISITS]).catch_up()


def test_skipped_kinds_are_forgotten_once_they_are_known(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rebuild by newer code takes what older code skipped; by the same code, nothing changes."""
    fill(log, streams=1)
    future = (NewEvent("toy.seat_taken.2", b'{"seat":"D","player":"far"}'),)
    log.append([Append("match/m-0", Expected.ANY, "server", 0, future)])
    projector = Projector(store, log, [VISITS])
    projector.catch_up()
    rebuild_projection(store, log, VISITS)
    assert projector.needs_rebuild() == {"visits": ("toy.seat_taken.2",)}
    monkeypatch.setitem(UPCASTS, "toy.seat_taken.2", lambda old: ("match.seat_taken.1", old))
    rebuild_projection(store, log, VISITS)
    assert projector.needs_rebuild() == {}
    assert any(b'"far"' in line for line in dump(store, "visits"))


def test_a_rewound_log_needs_a_rebuild_and_then_goes_on(store: Store, log: EventLog) -> None:
    """The way out that the refusal names; a rebuild stopped before the rewinding needs ``anew``."""
    fill(log)
    caught_up(store, log)
    with pytest.raises(Stopped):
        rebuild_projection(store, log, VISITS, _after(24, stopping))
    cut_tail(store, log.read("match/m-5"), keep=1)
    with pytest.raises(NeedsRebuild, match="run `plybook rebuild visits`"):
        caught_up(store, log)
    with pytest.raises(NeedsRebuild, match="run `plybook rebuild visits --anew`"):
        rebuild_projection(store, log, VISITS)
    rebuild_projection(store, log, VISITS, anew=True)
    assert len(caught_up(store, log)) == 5 * 2 + 1


def _after(events: int, told: Callable[[int, int, int], None]) -> Callable[[int, int, int], None]:
    def progress(done: int, total: int, read: int) -> None:
        if read >= events:
            told(done, total, read)

    return progress


def test_of_two_rebuilds_at_once_one_wins(store: Store, log: EventLog) -> None:
    """The second goes on with the table of the first, finishes, and the first is told so."""
    fill(log)
    right = caught_up(store, log)

    def meanwhile(*_: int) -> None:
        rebuild_projection(store, log, VISITS)

    with pytest.raises(RebuildLost):
        rebuild_projection(store, log, VISITS, _at_most(1, meanwhile))
    assert dump(store, "visits") == right
    assert tables(store) == {"visits_1b"}
