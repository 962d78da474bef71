"""Group commit: many callers, one transaction, and nobody pays for another's fault."""

import os
import signal
from collections.abc import Callable, Sequence
from threading import Event, Thread, get_ident

import pytest

from events import group_commit
from events.group_commit import GroupCommit
from events.log import BATCH_APPENDS_MAX, Answer, Append, Appended, LogFailure
from events.store_failures import NothingKept
from tests.kit.logs import DictLog, SetClock, append, append_of
from tests.kit.machine import PATIENCE_SECONDS, until


class HeldLog(DictLog):
    """A log that holds every append until it is let go, and notes what came together."""

    def __init__(self) -> None:
        super().__init__(SetClock())
        self.groups: list[list[str]] = []
        self.threads: list[int] = []
        self.go = Event()

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Wait, then append; a stream named ``bad…`` spoils the whole batch."""
        self.groups.append([each.stream for each in batch])
        self.threads.append(get_ident())
        assert self.go.wait(PATIENCE_SECONDS)
        for each in batch:
            if each.stream == "bad":
                raise NothingKept("spoilt")
            if each.stream == "bad value":
                raise ValueError("spoilt")
            if each.stream == "lost":
                raise LogFailure("connection lost")
            if each.stream == "interrupt":
                raise KeyboardInterrupt
        return super().append(batch)


class Callers:
    """Callers on threads of their own, and what each of them got."""

    def __init__(self, log: GroupCommit, held: HeldLog) -> None:
        self._log = log
        self._held = held
        self._threads: list[Thread] = []
        self.got: dict[str, object] = {}

    def call(self, *streams: str, data: bytes = b"{}") -> None:
        """Append to these streams in one call; return when it waits, leads or is through."""

        def run() -> None:
            try:
                answers = self._log.append([append_of(stream, 0, data) for stream in streams])
                self.got[streams[0]] = [type(answer) for answer in answers]
            except BaseException as error:  # noqa: BLE001 -- what they got
                self.got[streams[0]] = error

        queued, groups, thread = len(self._log._calls), len(self._held.groups), Thread(target=run)
        self._threads.append(thread)
        thread.start()
        assert until(
            lambda: (
                (len(self._log._calls), len(self._held.groups)) != (queued, groups)
                or not thread.is_alive()
            )
        )

    def join(self) -> None:
        """Wait for all."""
        for thread in self._threads:
            thread.join(PATIENCE_SECONDS)
            assert not thread.is_alive()


@pytest.fixture
def held() -> HeldLog:
    """The log below."""
    return HeldLog()


@pytest.fixture
def callers(held: HeldLog) -> Callers:
    """Who appends through the group commit."""
    return Callers(GroupCommit(held), held)


def first_call_is_held(held: HeldLog, callers: Callers) -> None:
    """One caller is at work below, so that the next ones queue."""
    callers.call("first")
    assert until(lambda: held.groups == [["first"]])


def test_a_single_caller_appends_by_itself(held: HeldLog) -> None:
    """With nobody else there, the caller's own thread goes straight through."""
    held.go.set()
    log = GroupCommit(held)
    assert append(log, "a", 0).version == 1
    assert append(log, "a", 1).version == 2
    assert held.groups == [["a"], ["a"]]
    assert held.threads == [get_ident()] * 2


def test_who_comes_meanwhile_shares_the_next_transaction(held: HeldLog, callers: Callers) -> None:
    """Calls that queued during one commit are one batch in the next, in the order they came."""
    first_call_is_held(held, callers)
    callers.call("a")
    callers.call("b1", "b2")
    callers.call("c")
    held.go.set()
    callers.join()
    assert held.groups == [["first"], ["a", "b1", "b2", "c"]]
    assert callers.got == {
        "first": [Appended],
        "a": [Appended],
        "b1": [Appended, Appended],
        "c": [Appended],
    }


@pytest.mark.parametrize("bad", ["bad", "bad value"])
def test_a_spoilt_batch_is_tried_one_by_one(held: HeldLog, callers: Callers, bad: str) -> None:
    """Only the caller whose append the store refuses hears of it."""
    first_call_is_held(held, callers)
    for stream in ("a", bad, "b"):
        callers.call(stream)
    held.go.set()
    callers.join()
    assert held.groups[1:] == [["a", bad, "b"], ["a"], [bad], ["b"]]
    assert callers.got["a"] == callers.got["b"] == [Appended]
    assert str(callers.got[bad]) == "spoilt"


def test_a_lost_connection_is_nobodys_retry(held: HeldLog, callers: Callers) -> None:
    """Whether the batch was kept is unknown: trying again could write it twice, so all fail."""
    first_call_is_held(held, callers)
    for stream in ("a", "lost", "b"):
        callers.call(stream)
    held.go.set()
    callers.join()
    assert held.groups[1:] == [["a", "lost", "b"]]
    failures = [callers.got[stream] for stream in ("a", "lost", "b")]
    assert [str(failure) for failure in failures] == ["connection lost"] * 3
    assert len({id(failure) for failure in failures}) == 3


def test_a_leader_that_is_interrupted_leaves_nobody_waiting(
    held: HeldLog, callers: Callers
) -> None:
    """Ctrl-C hits one caller; its group fails plainly, and those behind it go on."""
    first_call_is_held(held, callers)
    callers.call("interrupt")
    callers.call("a")
    held.go.set()
    callers.join()
    assert isinstance(callers.got["interrupt"], KeyboardInterrupt)
    assert str(callers.got["a"]) == "the append was broken off: KeyboardInterrupt"
    callers.call("afterwards")
    callers.join()
    assert callers.got["afterwards"] == [Appended]


class GaveUp(Exception):
    """What the signal raises in a waiting caller."""


def test_a_caller_that_gives_up_leaves_no_place_behind(held: HeldLog) -> None:
    """Ctrl-C while waiting: its append is not made, and the lead goes to the next in the queue."""

    def give_up(_signal: int, _frame: object) -> None:
        raise GaveUp

    before = signal.signal(signal.SIGUSR1, give_up)
    log = GroupCommit(held)
    callers = Callers(log, held)
    first_call_is_held(held, callers)

    def interrupt() -> None:
        assert until(lambda: len(log._calls) == 1)
        os.kill(os.getpid(), signal.SIGUSR1)

    thread = Thread(target=interrupt)
    thread.start()
    try:
        with pytest.raises(GaveUp):
            log.append([append_of("given up")])
    finally:
        signal.signal(signal.SIGUSR1, before)
    thread.join(PATIENCE_SECONDS)
    callers.call("behind")
    held.go.set()
    callers.join()
    assert held.groups == [["first"], ["behind"]]


@pytest.mark.parametrize(
    ("calls", "sizes"),
    [
        ([(("s",) * 100, 0)] * 6, [200, 200, 200]),
        ([(("s",) * (BATCH_APPENDS_MAX + 50), 0), (("s",), 0)], [BATCH_APPENDS_MAX + 50, 1]),
        ([(("s",), 600_000)] * 3, [1, 1, 1]),
        ([(("s",), 400_000)] * 4, [2, 2]),
    ],
)
def test_a_transaction_stays_within_its_bounds(
    held: HeldLog, callers: Callers, calls: list[tuple[tuple[str, ...], int]], sizes: list[int]
) -> None:
    """At most 256 appends and a megabyte share one; a larger call has one of its own."""
    first_call_is_held(held, callers)
    for streams, size in calls:
        callers.call(*streams, data=b"x" * size)
    held.go.set()
    callers.join()
    assert [len(group) for group in held.groups[1:]] == sizes


def test_a_full_queue_lets_callers_wait_outside(
    held: HeldLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Back-pressure: nothing is refused and nothing grows, callers just take longer."""
    monkeypatch.setattr(group_commit, "CALLS_WAITING_MAX", 2)
    log = GroupCommit(held)
    answers: list[Appended] = []
    threads = [Thread(target=lambda: answers.append(append(log, "s"))) for _ in range(9)]
    for thread in threads:
        thread.start()
    assert until(lambda: bool(held.groups) and len(log._calls) == 2)
    held.go.set()
    for thread in threads:
        thread.join(PATIENCE_SECONDS)
    assert sorted(answer.version for answer in answers) == [*range(1, 10)]
    assert max(len(group) for group in held.groups) <= 2


def test_the_reading_half_is_the_logs_own(held: HeldLog) -> None:
    """Reading does not wait in the queue."""
    held.go.set()
    log = GroupCommit(held)
    append(log, "s")
    same: list[Callable[[DictLog | GroupCommit], object]] = [
        lambda each: each.read("s"),
        lambda each: each.read_all(),
        lambda each: each.head("s"),
        lambda each: each.position(),
        lambda each: each.streams(),
        lambda each: each.rows("places", "s"),
        lambda each: each.secrets("s"),
        lambda each: each.wait(0, 0.0),
    ]
    assert [ask(log) for ask in same] == [ask(held) for ask in same]
