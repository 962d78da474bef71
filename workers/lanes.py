"""Which due work goes to which queue: a lane is what one queue takes, as a condition on rows."""

from collections.abc import Iterable

import msgspec

from services.levels import LevelSpec
from services.projections.work_due import AI_TURN, DEADLINE, LESSON, RUN_STEP, UPGRADE
from workers.celery_app import DEFAULT_WEIGHT


class Lane(msgspec.Struct, frozen=True):
    """The rows of a ``kind`` that ``queue`` takes.

    Those of its (game, level) ``pairs``, or, where ``but`` is true, all except those.
    """

    queue: str
    kind: str
    pairs: tuple[tuple[str, int], ...] = ()
    but: bool = True


def lanes(specs: Iterable[LevelSpec]) -> tuple[Lane, ...]:
    """The lanes of all work: heavier levels by name, the default queue takes every other turn.

    So a turn of a level that is no longer in the table is still answered (by the fallback).

    >>> deep = LevelSpec("blokus", 8, "mcts", 1, 9999, queue="ai.deep")
    >>> [lane.queue for lane in lanes([deep])]
    ['deadlines', 'upgrades', 'upgrades', 'upgrades', 'ai.deep', 'ai.quick']
    """
    by_weight: dict[str, list[tuple[str, int]]] = {}
    for spec in specs:
        if spec.queue != DEFAULT_WEIGHT:
            by_weight.setdefault(spec.queue, []).append((spec.game, spec.level))
    heavy = [Lane(queue, AI_TURN, tuple(pairs), but=False) for queue, pairs in by_weight.items()]
    others = tuple(pair for lane in heavy for pair in lane.pairs)
    return (
        Lane("deadlines", DEADLINE),
        Lane("upgrades", RUN_STEP),
        Lane("upgrades", UPGRADE),
        Lane("upgrades", LESSON),
        *heavy,
        Lane(DEFAULT_WEIGHT, AI_TURN, others),
    )
