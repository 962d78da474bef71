"""What the games of a meeting prove: the score of A with its interval, margin, computing time.

The unit is the round (a game and its return game): its games share deal and dice, so they are
not independent of each other, and rounds are. The interval is the normal one over the means of
the rounds **after adding one round won and one lost** (Agresti and Coull's device, which keeps
what is asked of it near 0 and 1 and for few rounds, where the plain one claims too much: a clean
sweep of three rounds proves little). A meeting is *settled* when its 95 % interval leaves ½ out.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import sqrt
from statistics import fmean, stdev

import msgspec

from ops.dev.league.meetings import Result

Z95 = 1.959964
EVEN = 0.5


class Standing(msgspec.Struct, frozen=True):
    """A meeting in numbers; ``low`` to ``high`` is the 95 % interval of the score of A."""

    games: int
    score: float
    low: float
    high: float
    margin: float
    cpu_ms_a: float
    cpu_ms_b: float

    @property
    def verdict(self) -> str:
        """Who is better, if that is settled with 95 % confidence."""
        if self.low > EVEN:
            return "A wins, 95 %"
        return "B wins, 95 %" if self.high < EVEN else "not settled"


def standing(results: Iterable[Result]) -> Standing | None:
    """The numbers of a meeting; None before its first game."""
    games = list(results)
    if not games:
        return None
    low, high = interval(round_means(games))
    return Standing(
        games=len(games),
        score=fmean(game.score for game in games),
        low=low,
        high=high,
        margin=fmean(game.margin for game in games),
        cpu_ms_a=_a_move(sum(g.cpu_ms_a for g in games), sum(g.moves_a for g in games)),
        cpu_ms_b=_a_move(sum(g.cpu_ms_b for g in games), sum(g.moves_b for g in games)),
    )


def round_means(games: Iterable[Result]) -> list[float]:
    """The mean score of each round; one that is not finished counts as it stands."""
    rounds: dict[int, list[float]] = defaultdict(list)
    for game in games:
        rounds[game.number // len(game.meeting.seats)].append(game.score)
    return [fmean(scores) for scores in rounds.values()]


def interval(means: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a score from the means of its rounds.

    >>> [round(bound, 2) for bound in interval([1.0] * 20)]
    [0.87, 1.0]
    """
    more = (*means, 0.0, 1.0)
    middle, reach = fmean(more), Z95 * stdev(more) / sqrt(len(more))
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _a_move(cpu_ms: float, moves: int) -> float:
    return cpu_ms / moves if moves else 0.0
