"""Engines think in processes of their own, which can be killed.

A thread would cost every page of an embedded server its latency, and a thread that hangs can
never be stopped. Each child answers one question at a time over a pipe. A child that takes too
long or dies is killed, reaped and replaced when the next question comes. Children leave by
themselves when their parent is gone, however it went.

A child warms an engine before it asks it for the first time: kernels are compiled, or read from
the disk. That has a limit of its own, because it is no thinking.
"""

import multiprocessing
import os
import queue
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from workers.engines.contract import Answer, Engine, Question, Think, Warm

START_SECONDS = 60.0
"""Longest wait until a fresh child has imported what it needs; not counted as thinking."""
WARM_SECONDS = 900.0
"""Longest wait until a child has warmed an engine; not counted as thinking either."""

_spawn = multiprocessing.get_context("spawn")  # a fork would copy locks that threads hold


class EngineFailure(Exception):
    """The engine gave no answer; ``reason`` is a word for the log: ``time``, ``crash``, ``error``.

    ``detail`` is for operators: what the engine said before it failed.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(f"the engine failed ({reason}) {detail}".rstrip())
        self.reason = reason
        self.detail = detail


class PoolClosed(RuntimeError):
    """The pool shuts down; the turn stays due and will be offered again."""


def nothing_to_warm(_engine: str, _version: int) -> None:
    """For engines that are ready as they are."""


class EnginePool:
    """At most ``size`` children that run ``think`` and ``warm``, functions of a module's own.

    Any number of threads may ask; who finds all children busy waits. The child that answered
    last is asked first, since it is the warmest.
    """

    def __init__(self, think: Think, size: int = 1, warm: Warm = nothing_to_warm) -> None:
        self._think = think
        self._warm = warm
        self._closed = False
        self._lock = threading.Lock()
        self._closing = threading.Lock()
        self._children: dict[int, _Child] = {}
        self._slots: queue.LifoQueue[int] = queue.LifoQueue()
        for slot in range(size):
            self._slots.put(slot)
        self.size = size

    def ask(
        self, question: Question, seconds: float, begins: Callable[[], None] = lambda: None
    ) -> Answer:
        """The engine's answer after at most ``seconds`` of thinking, or ``EngineFailure``.

        ``begins`` is called when a child is free and warm, and the thinking begins.
        """
        with self._borrowed() as child:
            child.warm((question.engine, question.engine_version))
            begins()
            return child.ask(question, seconds)

    def warm(self, engine: Engine) -> None:
        """Have one child warm an engine, so that the others find it on the disk."""
        with self._borrowed() as child:
            child.warm(engine)

    def close(self) -> None:
        """Kill every child, busy or not, and wait until nobody uses one any more."""
        with self._lock:
            self._closed = True
            for child in self._children.values():
                child.kill()
        with self._closing:
            for slot in [self._slots.get() for _ in range(self.size)]:
                self._discard(slot)
                self._slots.put(slot)

    def pids(self) -> list[int]:
        """The process ids of the children, for operators and tests."""
        with self._lock:
            return [child.pid for child in self._children.values()]

    @contextmanager
    def _borrowed(self) -> Iterator["_Child"]:
        """A child for one thread; thrown away if it fails."""
        slot = self._slots.get()
        try:
            yield self._child(slot)
        except EngineFailure as failure:
            self._discard(slot)
            if self._closed:
                raise PoolClosed from failure
            raise
        finally:
            self._slots.put(slot)

    def _child(self, slot: int) -> "_Child":
        with self._lock:
            if self._closed:
                raise PoolClosed
            if slot not in self._children:
                self._children[slot] = _Child(self._think, self._warm)
            return self._children[slot]

    def _discard(self, slot: int) -> None:
        with self._lock:
            child = self._children.pop(slot, None)
        if child is not None:
            child.reap()


class _Child:
    """One engine process and our end of its pipe."""

    def __init__(self, think: Think, warm: Warm) -> None:
        self._pipe, theirs = _spawn.Pipe()
        self._process = _spawn.Process(
            target=_serve, args=(theirs, think, warm), name="plybook-engine", daemon=True
        )
        self._process.start()
        theirs.close()  # the child holds the only other end: its death is our end of file
        self._awake = False
        self._warmed: set[Engine] = set()
        self.pid = self._process.pid or 0

    def warm(self, engine: Engine) -> None:
        if engine not in self._warmed:
            if wrong := self._told(engine, WARM_SECONDS):
                raise EngineFailure("error", wrong)
            self._warmed.add(engine)

    def ask(self, question: Question, seconds: float) -> Answer:
        reply = self._told(question, seconds)
        if not isinstance(reply, Answer):
            raise EngineFailure("error", str(reply))
        return reply

    def _told(self, asked: Question | Engine, seconds: float) -> Any:
        """What the child says to it."""
        try:
            if not self._awake:
                self._receive(START_SECONDS)
                self._awake = True
            self._pipe.send(asked)
            return self._receive(seconds)
        except (EOFError, OSError) as error:
            raise EngineFailure("crash", repr(error)) from error

    def kill(self) -> None:
        self._process.kill()

    def reap(self) -> None:
        self._process.kill()
        self._process.join()
        self._process.close()
        self._pipe.close()

    def _receive(self, seconds: float) -> Any:
        if not self._pipe.poll(seconds):
            raise EngineFailure("time", f"no answer after {seconds} s")
        return self._pipe.recv()


def _serve(pipe: Connection, think: Think, warm: Warm) -> None:
    """The child: warm engines and answer questions until the parent closes the pipe or is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the terminal's Ctrl-C is the parent's affair
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    pipe.send("ready")
    while True:
        try:
            asked = pipe.recv()
        except EOFError:
            return
        pipe.send(_answer(think, warm, asked))


def _answer(think: Think, warm: Warm, asked: Question | Engine) -> Answer | str:
    """The answer to a question, or an empty text once an engine is warm; else what went wrong."""
    try:
        if isinstance(asked, Question):
            return think(asked)
        warm(*asked)
    except Exception as error:  # noqa: BLE001 - whatever an engine does must not end its room
        return f"{type(error).__name__}: {error}"
    return ""


def _leave_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)  # the main thread may be deep in thought and would never look
