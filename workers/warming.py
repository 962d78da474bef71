"""Engines made ready ahead: the work of a compiler, done before somebody waits for a move."""

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

import msgspec

from services.levels import LevelSpec
from workers.engines.contract import Engine


class Warmed(msgspec.Struct, frozen=True):
    """One engine of ``of`` made ready in so many seconds, or ``wrong`` says why not."""

    engine: str
    version: int
    number: int
    of: int
    seconds: float
    wrong: str = ""


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


def warmed(engines: Sequence[Engine], warm: Callable[[Engine], None]) -> Iterator[Warmed]:
    """Make these ready, one after the other; one that fails does not stop the others."""
    for number, engine in enumerate(engines, start=1):
        begun, wrong = time.perf_counter(), ""
        try:
            warm(engine)
        except Exception as error:  # noqa: BLE001 - its turns will be answered by a fallback
            wrong = f"{type(error).__name__}: {error}"
        yield Warmed(*engine, number, len(engines), time.perf_counter() - begun, wrong)
