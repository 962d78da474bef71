"""The pool of engine processes: real limits, real kills, nothing left behind."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import pytest

from tests.kit.machine import until
from tests.kit.processes import is_there
from tests.workers.toy_engines import WARM_SECONDS, question, think, warm
from workers.engine_pool import EngineFailure, EnginePool, PoolClosed


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    """A pool of one process."""
    pool = EnginePool(think, warm=warm)
    yield pool
    pool.close()


def test_a_question_is_answered_in_another_process(pool: EnginePool) -> None:
    """The engine runs outside this process, and one process answers question after question."""
    first, second = pool.ask(question(), 30), pool.ask(question(), 30)
    assert first.move == "1"
    assert first.nodes == second.nodes != os.getpid()


def test_an_engine_that_hangs_is_killed_and_replaced(pool: EnginePool) -> None:
    """After its limit the process is gone for good, and the next question gets a fresh one."""
    before = pool.ask(question(), 30).nodes
    with pytest.raises(EngineFailure) as failure:
        pool.ask(question("hangs"), 0.1)
    assert failure.value.reason == "time"
    assert not is_there(before)
    assert pool.ask(question(), 30).nodes != before


@pytest.mark.parametrize(("engine", "reason"), [("crashes", "crash"), ("raises", "error")])
def test_an_engine_that_dies_or_raises_is_told_apart(
    pool: EnginePool, engine: str, reason: str
) -> None:
    """The failure names what happened; the pool goes on afterwards."""
    with pytest.raises(EngineFailure) as failure:
        pool.ask(question(engine), 30)
    assert failure.value.reason == reason
    assert pool.ask(question(), 30).move == "1"


def test_warming_an_engine_is_not_counted_as_thinking(pool: EnginePool) -> None:
    """An engine whose kernels are compiled at its first question answers in its time all the same.

    Its child warms it once, and ``begins`` tells when the thinking began.
    """
    thinking = [0.0, 0.0]
    for number in (0, 1):
        asked = time.perf_counter()

        def begins(number: int = number, asked: float = asked) -> None:
            thinking[number] = time.perf_counter() - asked

        assert pool.ask(question("slow-warm"), 0.5, begins).move == "1"
    assert thinking[0] >= WARM_SECONDS > thinking[1]


def test_what_was_warmed_ahead_is_warm_when_it_is_asked(pool: EnginePool) -> None:
    """``warm`` and ``ask`` meet in one child; it alone is started."""
    pool.warm(("slow-warm", 1))
    (child,) = pool.pids()
    asked = time.perf_counter()
    assert pool.ask(question("slow-warm"), 30).nodes == child
    assert time.perf_counter() - asked < WARM_SECONDS


def test_an_engine_that_cannot_be_warmed_fails_and_says_why(pool: EnginePool) -> None:
    """A broken compiler is an error of that engine, at every question; others answer."""
    for _ in range(2):
        with pytest.raises(EngineFailure, match="ValueError: no compiler for version 1") as failure:
            pool.ask(question("never-warm"), 30)
        assert failure.value.reason == "error"
    assert pool.ask(question(), 30).move == "1"


def test_a_pool_may_be_closed_by_two_threads(pool: EnginePool) -> None:
    """A stop signal and the end of the process both close it; neither waits for ever."""
    pool.ask(question(), 30)
    threads = [threading.Thread(target=pool.close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
        assert not thread.is_alive()


def test_closing_ends_a_question_under_way_and_leaves_no_process() -> None:
    """Close kills what thinks; who was asking is told that the pool closed, not that it failed."""
    pool = EnginePool(think)
    child = pool.ask(question(), 30).nodes
    ends: list[Exception] = []

    def asking() -> None:
        try:
            pool.ask(question("hangs"), 60)
        except PoolClosed as closed:
            ends.append(closed)

    thread = threading.Thread(target=asking)
    thread.start()
    pool.close()
    thread.join(30)
    assert len(ends) == 1
    assert not is_there(child)
    with pytest.raises(PoolClosed):
        pool.ask(question(), 1)


def test_a_hanging_engine_leaves_when_its_parent_is_killed() -> None:
    """``kill -9`` of the server leaves no engine behind, even one deep in thought."""
    program = (
        "from tests.workers.toy_engines import question, think\n"
        "from workers.engine_pool import EnginePool\n"
        "pool = EnginePool(think)\n"
        "print(pool.ask(question(), 60).nodes, flush=True)\n"
        "pool.ask(question('hangs'), 600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert until(lambda: not is_there(child))
