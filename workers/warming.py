"""Engines made ready ahead: the work of a compiler, done before somebody waits for a move."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread

import msgspec
from msgspec.structs import replace

from services.levels import LevelSpec
from workers.engines.contract import Engine


class Warmed(msgspec.Struct, frozen=True):
    """An engine made ready in so many seconds, or ``wrong`` says why not; the n-th of ``of``."""

    engine: str
    version: int
    seconds: float
    wrong: str = ""
    number: int = 0
    of: int = 0


def engines_for(specs: Iterable[LevelSpec], queues: Collection[str]) -> tuple[Engine, ...]:
    """The engines that answer the turns of these queues, those of the lowest levels first.

    A game's lowest level answers in every queue that thinks: it stands in for the others.

    >>> low = LevelSpec("blokus", 1, "greedy", 1, 0)
    >>> deep = LevelSpec("blokus", 8, "search", 2, 9999, queue="ai.deep")
    >>> engines_for([deep, low], ["ai.deep"])
    (('greedy', 1), ('search', 2))
    >>> engines_for([deep, low], ["deadlines"])
    ()
    """
    by_level = sorted(specs, key=lambda spec: (spec.level, spec.game))
    games = {spec.game for spec in by_level if spec.queue in queues}
    lowest = {spec.game: spec for spec in reversed(by_level)}
    wanted = [
        (spec.engine, spec.engine_version)
        for spec in by_level
        if spec.queue in queues or (spec.game in games and spec == lowest[spec.game])
    ]
    return tuple(dict.fromkeys(wanted))


def warmed(
    engines: Sequence[Engine], warm: Callable[[Engine], None], jobs: int = 1
) -> Iterator[Warmed]:
    """Make these ready, ``jobs`` games at a time; one that fails does not stop the others.

    The engines of a game share most of what is compiled, so they come one after the other.
    """
    todo: SimpleQueue[list[Engine]] = SimpleQueue()
    done: SimpleQueue[Warmed] = SimpleQueue()
    families: dict[str, list[Engine]] = {}
    for engine in engines:
        families.setdefault(engine[0].partition("-")[0], []).append(engine)
    for family in families.values():
        todo.put(family)

    def work() -> None:
        with suppress(Empty):
            while True:
                for engine in todo.get_nowait():
                    done.put(_warmed(engine, warm))

    for _ in range(min(jobs, len(families))):
        Thread(target=work, name="plybook-warming", daemon=True).start()
    for number in range(1, len(engines) + 1):
        yield replace(done.get(), number=number, of=len(engines))


def _warmed(engine: Engine, warm: Callable[[Engine], None]) -> Warmed:
    begun, wrong = time.perf_counter(), ""
    try:
        warm(engine)
    except Exception as error:  # noqa: BLE001 - its turns will be answered by a fallback
        wrong = f"{type(error).__name__}: {error}"
    return Warmed(*engine, seconds=time.perf_counter() - begun, wrong=wrong)
