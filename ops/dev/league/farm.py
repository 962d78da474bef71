"""Games played on several cores, each by a process that may be stopped or die.

A process is started afresh (``spawn``), keeps its players for the next game, and gets a game
only when it is free. What it cannot play it tells in a sentence.
"""

import multiprocessing as mp
import signal
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from multiprocessing.connection import Connection, wait
from typing import Self

from ops.dev.league.match import Player
from ops.dev.league.meetings import Meeting, Result, play_game
from ops.dev.league.sides import Side, seated

Task = tuple[Meeting, int]
"""A meeting and the number of a game of it."""


class GameFailed(RuntimeError):
    """A game could not be played to its end; says which and why."""


def played(tasks: Iterable[Task], jobs: int) -> Iterator[Result]:
    """The results as they come in, ``jobs`` games at a time; ``GameFailed`` ends it.

    Whoever stops listening (Ctrl-C too) stops the games that are still being played.
    """
    left = iter(tasks)
    with ExitStack() as stack:
        hands = [stack.enter_context(_Hand()) for _ in range(jobs)]
        busy = {hand.line: hand for hand in hands if hand.take(next(left, None))}
        while busy:
            for line in wait(busy):
                assert isinstance(line, Connection)
                hand = busy.pop(line)
                yield hand.result()
                if hand.take(next(left, None)):
                    busy[line] = hand


class _Hand:
    """One process, seen from ours."""

    def __init__(self) -> None:
        context = mp.get_context("spawn")
        self.line, theirs = context.Pipe()
        self._process = context.Process(target=_work, args=(theirs,), daemon=True)
        self._process.start()
        theirs.close()
        self._task: Task | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()
        self._process.terminate()
        self._process.join()

    def take(self, task: Task | None) -> bool:
        """Begin a game; false if there is none."""
        self._task = task
        if task is not None:
            self.line.send(task)
        return task is not None

    def result(self) -> Result:
        """What came of the game it was given."""
        assert self._task is not None
        met, number = self._task
        try:
            answer = self.line.recv()
        except EOFError:
            answer = "the process that played it died"
        if isinstance(answer, Result):
            return answer
        raise GameFailed(f"{met.a.name} against {met.b.name}, game {number}: {answer}")


def _work(line: Connection) -> None:
    """Play what comes in until nobody is at the other end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's business
    while True:
        try:
            met, number = line.recv()
        except EOFError:
            return
        try:
            answer: Result | str = play_game(met, number, _a(met), _b(met))
        except Exception as error:  # noqa: BLE001 - told to whoever asked
            answer = f"{type(error).__name__}: {error}"
        line.send(answer)


def _a(met: Meeting) -> Player:
    return _kept(met.game, met.a)


def _b(met: Meeting) -> Player:
    return _kept(met.game, met.b)


@cache
def _kept(game: str, side: Side) -> Player:
    return seated(game, side)
