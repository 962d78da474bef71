"""Catching up: every event once, whoever runs, and a plain refusal where it cannot go on."""

from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, Table

from events.checkpoints import Checkpoint, checkpoint_of, move_checkpoint, set_checkpoint
from events.event_kinds import SeatLeft, SeatTaken
from events.log import Append, EventLog, Expected
from events.projector import NeedsRebuild, Projector
from events.recorded import NewEvent, Recorded
from events.store import Store
from events.table_dump import dump
from tests.events.chains import computed_again
from tests.events.toys import VISITS, Visits, append
from tests.kit.tampering import cut_tail, write_stream

A, B = "match/m-a", "match/m-b"


def players(store: Store) -> list[str]:
    """Whom the standing table of ``VISITS`` has, by visit."""
    return [line.decode().split('"')[3] for line in dump(store, "visits")]


def three_visits(log: EventLog) -> None:
    """Three seats taken in two streams."""
    append(log, A, SeatTaken(seat="A", player="ann"), SeatTaken(seat="B", player="bob"))
    append(log, B, SeatTaken(seat="A", player="cyd"))


def append_raw(log: EventLog, kind: str) -> None:
    """An event of any kind, without inline rows."""
    log.append([Append(A, Expected.ANY, "server", 0, (NewEvent(kind, b"{}"),))])


def test_a_projection_catches_up_with_the_log(store: Store, log: EventLog) -> None:
    """It applies what is new, once, and says how far behind it was."""
    projector = Projector(store, log, [VISITS])
    assert (projector.catch_up(), projector.lag()) == (0, {"visits": 0})
    three_visits(log)
    assert projector.lag() == {"visits": log.position()}
    assert projector.catch_up() == 3
    assert players(store) == ["ann", "bob", "cyd"]
    assert (projector.catch_up(), projector.lag()) == (0, {"visits": 0})
    append(log, A, SeatLeft(seat="A"))
    assert Projector(store, log, [VISITS]).catch_up() == 1
    assert players(store) == ["bob", "cyd"]


def test_many_events_are_taken_page_by_page(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page is taken twice and none left out, wherever its edge falls."""
    monkeypatch.setattr("events.checkpoints.PAGE_EVENTS", 3)
    taken = [SeatTaken(seat="A", player=f"p{number:02}") for number in range(11)]
    append(log, A, *taken)
    assert Projector(store, log, [VISITS]).catch_up() == 11
    assert sorted(players(store)) == [seat.player for seat in taken]


class Stumbling(Visits):
    """Fails at one player, as often as it is told to."""

    def __init__(self, player: str, times: int) -> None:
        self._player = player.encode()
        self._times = times

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """Apply the event and then, perhaps, fall."""
        super().apply(connection, table, recorded)
        if self._player in recorded.data and self._times:
            self._times -= 1
            raise RuntimeError("stumbled")


def test_a_page_that_fails_leaves_nothing_and_is_taken_again(store: Store, log: EventLog) -> None:
    """Effect and checkpoint are one transaction: neither without the other."""
    three_visits(log)
    projector = Projector(store, log, [Stumbling("bob", times=1)])
    with pytest.raises(RuntimeError, match="stumbled"):
        projector.catch_up()
    assert players(store) == []
    assert projector.lag() == {"visits": log.position()}
    assert projector.catch_up() == 3
    assert players(store) == ["ann", "bob", "cyd"]


class Interrupted:
    """A log that lets something happen after a page was read and before it is used."""

    def __init__(self, log: EventLog, between: Callable[[], object]) -> None:
        self._log = log
        self._between = [between]

    def read_all(self, after: int = 0, limit: int = 1_000) -> list[Recorded]:
        """The page, and what comes between, the first time."""
        page = self._log.read_all(after, limit)
        while self._between:
            self._between.pop()()
        return page

    def __getattr__(self, name: str) -> object:
        return getattr(self._log, name)


def test_the_slower_of_two_runners_writes_nothing(store: Store, log: EventLog) -> None:
    """It read the same page, finds the checkpoint moved, and has applied no event."""
    three_visits(log)
    fast = Projector(store, log, [VISITS])
    slow = Projector(store, Interrupted(log, fast.catch_up), [VISITS])  # type: ignore[arg-type]
    assert slow.catch_up() == 0
    assert players(store) == ["ann", "bob", "cyd"]


def test_runners_side_by_side_apply_each_event_once(
    store: Store, log: EventLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three threads, many small pages: a repeated insert would break the primary key."""
    monkeypatch.setattr("events.checkpoints.PAGE_EVENTS", 4)
    append(log, A, *[SeatTaken(seat="A", player=f"p{number:02}") for number in range(40)])
    start, applied = Barrier(3), []

    def run() -> None:
        projector = Projector(store, log, [VISITS])
        start.wait()
        while any(projector.lag().values()):
            applied.append(projector.catch_up())

    threads = [Thread(target=run) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sum(applied) == 40
    assert len(players(store)) == 40


def test_kinds_from_the_future_are_skipped_and_reported(store: Store, log: EventLog) -> None:
    """The rest is applied; what was skipped stays on record until a rebuild by newer code."""
    three_visits(log)
    append_raw(log, "match.teleported.1")
    append_raw(log, "match.blessed.3")
    projector = Projector(store, log, [VISITS])
    assert projector.catch_up() == 5
    assert players(store) == ["ann", "bob", "cyd"]
    assert projector.needs_rebuild() == {"visits": ("match.blessed.3", "match.teleported.1")}
    append_raw(log, "match.started.1")
    append_raw(log, "match.teleported.1")
    assert projector.catch_up() == 2
    assert projector.needs_rebuild() == {"visits": ("match.blessed.3", "match.teleported.1")}


def test_a_damaged_event_stops_no_projection(store: Store, log: EventLog) -> None:
    """One row may be missing; every later event is still taken."""
    three_visits(log)
    append_raw(log, "match.seat_taken.1")
    append_raw(log, "match.started.1")
    projector = Projector(store, log, [VISITS])
    assert projector.catch_up() == 5
    assert players(store) == ["ann", "bob", "cyd"]
    assert projector.needs_rebuild() == {"visits": ("match.seat_taken.1",)}


@pytest.mark.parametrize("rewind", ["another event at the checkpoint", "a shorter log"])
def test_a_rewound_log_is_refused(store: Store, log: EventLog, rewind: str) -> None:
    """Going on would skip or double events, so it stops and says what to run."""
    three_visits(log)
    append(log, A, SeatLeft(seat="B"))
    projector = Projector(store, log, [VISITS])
    projector.catch_up()
    events = log.read(A)
    if rewind == "a shorter log":
        cut_tail(store, events, keep=2)
    else:
        write_stream(store, computed_again([*events[:2], replace(events[2], actor="computer:B")]))
    with pytest.raises(
        NeedsRebuild, match=r"visits: the log was restored or rewound .*rebuild visi"
    ):
        projector.catch_up()


def test_one_refusal_does_not_stop_the_others(store: Store, log: EventLog) -> None:
    """The projection of another shape is left alone; its neighbour catches up all the same."""
    three_visits(log)
    wider = Visits()
    wider.shape = 2
    with pytest.raises(NeedsRebuild, match=r"visits: has a table of shape 1, .* writes shape 2"):
        Projector(store, log, [wider, VISITS]).catch_up()
    assert players(store) == ["ann", "bob", "cyd"]


def test_a_checkpoint_moves_only_from_where_it_stands(store: Store, log: EventLog) -> None:
    """The guard that everything else here rests on."""
    assert log.position() == 0
    nowhere, first = Checkpoint(), Checkpoint(5, b"\x05" * 32)
    second = Checkpoint(9, b"\x09" * 32, ("a.1", "b.1"))

    def move(old: Checkpoint, new: Checkpoint) -> bool:
        return store.write(lambda connection: move_checkpoint(connection, "toy", old, new))

    def stands() -> Checkpoint:
        return store.read(lambda connection: checkpoint_of(connection, "toy"))

    assert stands() == nowhere
    assert move(nowhere, first)
    assert not move(nowhere, second)
    assert stands() == first
    assert move(first, second)
    assert stands() == second
    store.write(lambda connection: set_checkpoint(connection, "toy", first))
    assert stands() == first
