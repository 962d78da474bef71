"""What the games of a meeting prove: the score of A with its interval, margin, computing time.

The unit is the round (a game and its return game): its games share deal and dice, so they are
not independent of each other, and rounds are. The interval is the normal one over the means of
the rounds **after adding one round won and one lost** (Agresti and Coull's device, which keeps
what is asked of it near 0 and 1 and for few rounds, where the plain one claims too much: a clean
sweep of three rounds proves little). Margins have the plain one. A meeting is *settled* when the
95 % interval of its score leaves ½ out.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from math import inf, sqrt
from statistics import fmean, stdev

import msgspec

from ops.dev.league.meetings import Result

Z95 = 1.959964
EVEN = 0.5


class Standing(msgspec.Struct, frozen=True):
    """A meeting in numbers.

    ``low`` to ``high`` is the 95 % interval of the score of A, ``margin_reach`` half that of its
    margin in points (infinite before the second round).
    """

    games: int
    score: float
    low: float
    high: float
    margin: float
    margin_reach: float
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
    rounds = _rounds(games)
    low, high = interval([fmean(game.score for game in one) for one in rounds])
    margins = [fmean(game.margin for game in one) for one in rounds]
    return Standing(
        games=len(games),
        score=fmean(game.score for game in games),
        low=low,
        high=high,
        margin=fmean(game.margin for game in games),
        margin_reach=_reach(margins) if len(margins) > 1 else inf,
        cpu_ms_a=_a_move(sum(g.cpu_ms_a for g in games), sum(g.moves_a for g in games)),
        cpu_ms_b=_a_move(sum(g.cpu_ms_b for g in games), sum(g.moves_b for g in games)),
    )


def _rounds(games: Iterable[Result]) -> list[list[Result]]:
    """The games of each round; one that is not finished counts as it stands."""
    rounds: dict[int, list[Result]] = defaultdict(list)
    for game in games:
        rounds[game.number // len(game.meeting.seats)].append(game)
    return list(rounds.values())


def interval(means: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a score from the means of its rounds.

    >>> [round(bound, 2) for bound in interval([1.0] * 20)]
    [0.87, 1.0]
    """
    more = (*means, 0.0, 1.0)
    middle, reach = fmean(more), _reach(more)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def _reach(means: Sequence[float]) -> float:
    """Half the 95 % interval of a mean."""
    return Z95 * stdev(means) / sqrt(len(means))


def _a_move(cpu_ms: float, moves: int) -> float:
    return cpu_ms / moves if moves else 0.0
