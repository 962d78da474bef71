"""What the end of a round of Triangles is worth for the match (``seeds/triangles/RULES.md`` §8).

The chance to win the match from given totals follows from what rounds are like: the points of
rounds played by most points under the same options, all of them equally likely to come again.
From the last round backwards, the chance before a round is the mean of the chances after it.
"""

from collections import Counter
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from services.games.triangles.options import Ruleset
from services.games.triangles.position import Position
from workers.engines.kernels import chance
from workers.engines.kernels import triangles as kernel
from workers.engines.kernels import triangles_search as search
from workers.engines.kernels.triangles import TABLES
from workers.engines.kernels.triangles_search import Stakes

Chances = NDArray[np.float64]

STEP, LOW = 10, -200
ROUNDS = 600
"""Rounds played to know what rounds are like."""
ROUNDS_LEFT_MAX = 12
"""So many rounds ahead the end of the match is no longer felt."""
LEAD = 0.05
"""The part of the worth that is plain lead: to lose by less and win by more, all else equal."""


def stakes_of(position: Position) -> Stakes:
    """What the end of the running round will be worth."""
    rules, totals = position.ruleset, np.zeros(kernel.SEATS_MAX, np.int64)
    totals[: rules.players] = position.totals
    left = rules.max_rounds - position.round if rules.max_rounds else ROUNDS_LEFT_MAX
    return Stakes(
        totals, chances(rules, min(left, ROUNDS_LEFT_MAX)), LOW, STEP, rules.target, left == 0, LEAD
    )


@lru_cache(64)
def chances(rules: Ruleset, left: int) -> Chances:
    """The chance of one seat against another, by their totals in steps, with some rounds left."""
    before, size = _rounds(rules), (rules.target - LOW) // STEP
    rim = max(max(map(abs, pair)) for pair in before)
    marks = np.arange(-rim, size + rim)
    mine, other = marks[:, None], marks[None, :]
    decided = np.where(mine > other, 1.0, np.where(mine < other, 0.0, 0.5))
    on = np.maximum(mine, other) < size
    inside = np.clip(marks, 0, size - 1)
    found: Chances = decided[rim : rim + size, rim : rim + size]
    for _ in range(left):
        after = np.where(on, found[np.ix_(inside, inside)], decided)
        found = np.zeros((size, size))
        for (a, b), times in sorted(before.items()):
            found += times * after[rim + a : rim + a + size, rim + b : rim + b + size]
        found /= 2 * ROUNDS
    return np.ascontiguousarray(found)


def _rounds(rules: Ruleset) -> Counter[tuple[int, int]]:
    """How often two seats gained so many steps in a round, either way round."""
    points = np.zeros((ROUNDS, 2), np.int64)
    start = kernel.new_round()
    n = start.n
    n[kernel.PLAYERS], n[kernel.MARKET] = rules.players, rules.market_size
    n[kernel.SCORED], n[kernel.TWO_SIDES] = rules.score_placement, rules.bridge_two_sides
    search.sample_rounds(TABLES, start, chance.seeded(0), rules.hand_size, points)
    steps = [(round(a / STEP), round(b / STEP)) for a, b in points.tolist()]
    return Counter(steps) + Counter((b, a) for a, b in steps)
