"""The pool of engine processes: real limits, real kills, nothing left behind."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from tests.workers.toy_engines import question, think
from workers.engine_pool import EngineFailure, EnginePool, PoolClosed


@pytest.fixture
def pool() -> Iterator[EnginePool]:
    """A pool of one process."""
    pool = EnginePool(think)
    yield pool
    pool.close()


def _until(law: Callable[[], bool], seconds: float = 30.0) -> bool:
    end = time.monotonic() + seconds
    while not (kept := law()) and time.monotonic() < end:
        time.sleep(0.01)
    return kept


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_question_is_answered_in_another_process(pool: EnginePool) -> None:
    """The engine runs outside this process, and one process answers question after question."""
    first, second = pool.ask(question("a1"), 30), pool.ask(question("a2"), 30)
    assert (first.move, second.move) == ("a1", "a2")
    assert first.nodes == second.nodes != os.getpid()


def test_an_engine_that_hangs_is_killed_and_replaced(pool: EnginePool) -> None:
    """After its limit the process is gone for good, and the next question gets a fresh one."""
    before = pool.ask(question("a1"), 30).nodes
    with pytest.raises(EngineFailure) as failure:
        pool.ask(question("hang"), 0.1)
    assert failure.value.reason == "time"
    assert not _is_alive(before)
    assert pool.ask(question("a2"), 30).nodes != before


@pytest.mark.parametrize(("view", "reason"), [("crash", "crash"), ("raise", "error")])
def test_an_engine_that_dies_or_raises_is_told_apart(
    pool: EnginePool, view: str, reason: str
) -> None:
    """The failure names what happened; the pool goes on afterwards."""
    with pytest.raises(EngineFailure) as failure:
        pool.ask(question(view), 30)
    assert failure.value.reason == reason
    assert pool.ask(question("a1"), 30).move == "a1"


def test_closing_ends_a_question_under_way_and_leaves_no_process() -> None:
    """Close kills what thinks; who was asking is told that the pool closed, not that it failed."""
    pool = EnginePool(think, size=2)
    pids = {pool.ask(question("a1"), 30).nodes}
    ends: list[BaseException] = []

    def asking() -> None:
        try:
            pool.ask(question("hang"), 60)
        except PoolClosed as closed:
            ends.append(closed)

    thread = threading.Thread(target=asking)
    thread.start()
    assert _until(lambda: bool(set(pool.pids()) - pids) or len(pool.pids()) > 0)
    pids |= set(pool.pids())
    pool.close()
    thread.join(30)
    assert len(ends) == 1
    assert not any(_is_alive(pid) for pid in pids)
    with pytest.raises(PoolClosed):
        pool.ask(question("a1"), 1)


def test_a_hanging_engine_leaves_when_its_parent_is_killed() -> None:
    """``kill -9`` of the server leaves no engine behind, even one deep in thought."""
    program = (
        "import threading, time\n"
        "from tests.workers.toy_engines import question, think\n"
        "from workers.engine_pool import EnginePool\n"
        "pool = EnginePool(think)\n"
        "print(pool.ask(question('a1'), 60).nodes, flush=True)\n"
        "pool.ask(question('hang'), 600)\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    with parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        parent.kill()
    assert _until(lambda: not _is_alive(child))
