"""The engines of the house, and beside them an outside program that speaks GTP.

A level is the program's when its engine is called ``gtp-…``; the level's budget stands in the
command where it says ``{budget}``, so one command serves levels of several strengths. The program
is a process already, so it is asked from the thread that wants the move, and killed at the same
limit as every engine.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from workers.engine_pool import EngineFailure, EnginePool, PoolClosed
from workers.engines.contract import Answer, Engine, Question, Think, Warm
from workers.engines.gtp import GtpEngine, GtpFailure

OUTSIDE = "gtp-"
"""How the names of outside programs begin."""
OUTSIDE_GAME = "blokus"
"""The one game that programs are asked to play."""
BUDGET = "{budget}"


class GtpPool(EnginePool):
    """An engine pool that hosts ``command`` too; at most ``size`` of its processes rest."""

    def __init__(self, think: Think, size: int, warm: Warm, command: str) -> None:
        super().__init__(think, size, warm)
        self._command = command
        self._change = threading.Condition()
        self._resting: list[tuple[int, GtpEngine]] = []
        self._asked: list[GtpEngine] = []

    def ask(
        self, question: Question, seconds: float, begins: Callable[[], None] = lambda: None
    ) -> Answer:
        """The answer of an engine or of the program, or ``EngineFailure`` with its reason."""
        if not question.engine.startswith(OUTSIDE):
            return super().ask(question, seconds, begins)
        with self._program(question.budget) as program:
            begins()
            try:
                return program.choose(question, seconds)
            except GtpFailure as failure:
                if self._closed:
                    raise PoolClosed from failure
                raise EngineFailure(failure.reason, failure.detail) from failure

    def warm(self, engine: Engine) -> None:
        """A program has nothing to compile; it starts with its first question."""
        if not engine[0].startswith(OUTSIDE):
            super().warm(engine)

    def close(self) -> None:
        """Kill every engine and program, busy or not."""
        super().close()
        with self._change:
            for program in self._asked:
                program.kill()
            self._change.wait_for(lambda: not self._asked)
            for _, program in self._resting:
                program.close()
            self._resting.clear()

    @contextmanager
    def _program(self, budget: int) -> Iterator[GtpEngine]:
        """A program of this budget for one thread, the one that answered last if it may be."""
        with self._change:
            if self._closed:
                raise PoolClosed
            program = self._rested(budget)
            self._asked.append(program)
        try:
            yield program
        finally:
            with self._change:
                self._asked.remove(program)
                self._resting.append((budget, program))
                while len(self._resting) > self.size:
                    self._resting.pop(0)[1].close()
                self._change.notify_all()

    def _rested(self, budget: int) -> GtpEngine:
        for place in reversed(range(len(self._resting))):
            if self._resting[place][0] == budget:
                return self._resting.pop(place)[1]
        return GtpEngine(self._command.replace(BUDGET, str(budget)))
