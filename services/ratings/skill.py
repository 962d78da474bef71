"""Skill as a distribution: what it is thought to be, and how unsure that is.

The model is Plackett-Luce of Weng and Lin, "A Bayesian approximation method for online ranking"
(2011), as the library openskill has it, with its usual numbers. It takes any number of sides and
equal places. Skills are kept in whole thousandths, so that they can be stored and compared.
"""

from collections.abc import Sequence

import msgspec
from openskill.models import PlackettLuce

UNIT = 1_000
_MODEL = PlackettLuce()


class Skill(msgspec.Struct, frozen=True):
    """``mu`` is the skill, ``sigma`` its standard deviation, both in thousandths."""

    mu: int = 25_000
    sigma: int = 8_333

    @property
    def at_least(self) -> int:
        """What the skill surely is (three deviations below), by which tables are ordered."""
        return self.mu - 3 * self.sigma


def skills_after(before: Sequence[Skill], places: Sequence[int]) -> tuple[Skill, ...]:
    """The skills after a contest; place 1 is the best, equal places are a draw.

    >>> winner, loser = skills_after([Skill(), Skill()], [1, 2])
    >>> (winner.mu, winner.sigma), (loser.mu, loser.sigma)
    ((27635, 8066), (22365, 8066))
    """
    sides = [[_MODEL.rating(mu=one.mu / UNIT, sigma=one.sigma / UNIT)] for one in before]
    after = _MODEL.rate(sides, ranks=[float(place) for place in places])
    return tuple(Skill(round(one.mu * UNIT), round(one.sigma * UNIT)) for (one,) in after)
