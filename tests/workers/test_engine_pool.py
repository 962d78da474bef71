"""The pool of engine processes: real limits, real kills, nothing left behind."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from tests.kit.machine import until
from tests.kit.processes import is_there
from tests.workers.toy_engines import question, think
from workers.engine_pool import EngineFailure, EnginePool, PoolClosed


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    """A pool of one process."""
    pool = EnginePool(think)
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
