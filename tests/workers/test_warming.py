"""Engines made ready ahead: which ones, in which order, and what becomes of one that fails."""

from contextlib import closing
from threading import Barrier

from services.levels import Levels
from tests.workers.toy_engines import think, warm
from workers.celery_app import QUEUES
from workers.engine_pool import EnginePool
from workers.engines.contract import Engine
from workers.engines.registry import ENGINES
from workers.warming import engines_for, warmed


def test_a_worker_of_all_queues_warms_the_engine_of_every_level() -> None:
    """Lowest levels come first, and no engine twice."""
    levels = Levels.load()
    wanted = engines_for(levels.specs(), QUEUES)
    assert set(wanted) == {(spec.engine, spec.engine_version) for spec in levels.specs()}
    assert len(wanted) == len(set(wanted))
    assert set(wanted) <= set(ENGINES)
    lowest = levels.spec("blokus", 1)
    assert lowest is not None
    assert wanted[0] == (lowest.engine, lowest.engine_version)


def test_an_engine_that_cannot_be_made_ready_does_not_stop_the_others() -> None:
    """It is named with its reason; the one after it is warm."""
    with closing(EnginePool(think, warm=warm)) as pool:
        told = list(warmed([("never-warm", 1), ("first", 1)], pool.warm, jobs=1))
    assert [(one.number, one.of, one.engine) for one in told] == [
        (1, 2, "never-warm"),
        (2, 2, "first"),
    ]
    assert "ValueError: no compiler for version 1" in told[0].wrong
    assert told[1].wrong == ""


def test_games_are_made_ready_side_by_side_and_the_engines_of_one_in_their_order() -> None:
    """What two engines of a game share is not compiled twice at the same time."""
    begun: list[str] = []
    both = Barrier(2, timeout=30)

    def warm_one(engine: Engine) -> None:
        begun.append(engine[0])
        if engine[1] == 1:
            both.wait()

    wanted = [("go-quick", 1), ("go-deep", 2), ("chess-quick", 1), ("chess-deep", 2)]
    told = list(warmed(wanted, warm_one, jobs=2))
    assert [one.wrong for one in told] == [""] * 4
    assert [one.number for one in told] == [1, 2, 3, 4]
    for game in ("go", "chess"):
        assert [name for name in begun if name.startswith(game)] == [
            f"{game}-quick",
            f"{game}-deep",
        ]
