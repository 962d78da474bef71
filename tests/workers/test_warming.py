"""Engines made ready ahead: which ones, in which order, and what becomes of one that fails."""

from contextlib import closing

from services.levels import Levels
from tests.workers.toy_engines import think, warm
from workers.celery_app import QUEUES
from workers.engine_pool import EnginePool
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
        told = list(warmed([("never-warm", 1), ("first", 1)], pool.warm))
    assert [(one.number, one.of, one.engine) for one in told] == [
        (1, 2, "never-warm"),
        (2, 2, "first"),
    ]
    assert "ValueError: no compiler for version 1" in told[0].wrong
    assert told[1].wrong == ""
