"""What a measurement found: lines of a table, and what the design asks of them."""

from collections.abc import Callable
from typing import Literal

import msgspec


class Target(msgspec.Struct, frozen=True):
    """What the design asks: a least or a most, of the ratio to the anchor or of the number."""

    least: float | None = None
    most: float | None = None
    of: Literal["ratio", "number"] = "ratio"

    def __str__(self) -> str:
        """As a table shows it.

        >>> str(Target(least=0.8)), str(Target(least=20_000, of="number")), str(Target(most=4))
        ('≥ 0.8', '≥ 20,000', '≤ 4')
        """
        sign, bound = ("≥", self.least) if self.least is not None else ("≤", self.most)
        return f"{sign} {bound:,g}"

    def is_met(self, value: float) -> bool:
        """Whether a ratio or number is good enough."""
        return (self.least is None or value >= self.least) and (
            self.most is None or value <= self.most
        )


class Line(msgspec.Struct, frozen=True):
    """One number of ours, and where there is an anchor its number and the ratio of the two.

    The ratio is the median of the ratios run by run, so it need not be that of the two medians.
    """

    what: str
    ours: float
    unit: str
    beside: str = ""
    anchor: float | None = None
    ratio: float | None = None
    target: Target | None = None

    @property
    def is_met(self) -> bool:
        """Whether the target is reached; true where there is none."""
        if self.target is None:
            return True
        value = self.ratio if self.target.of == "ratio" else self.ours
        assert value is not None, f"{self.what}: a target of a ratio needs a ratio"
        return self.target.is_met(value)


class Section(msgspec.Struct, frozen=True):
    """The lines of one subject, what was measured in words, and other things to be told."""

    title: str
    about: str
    lines: tuple[Line, ...]
    also: tuple[str, ...] = ()


Tell = Callable[[str], None]
"""Hears what is being measured, while it is."""
