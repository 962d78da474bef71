"""What is to be played, as data (``plan.toml``), and how far the book has come with it."""

import tomllib
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec

from ops.dev.league.book import Book
from ops.dev.league.meetings import Meeting, Result, meeting
from ops.dev.league.sides import Side, WrongSide, side
from services.levels import Levels

PLAN_FILE = Path(__file__).parent / "plan.toml"


class Planned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An entry of the plan: two sides, or all ``neighbours`` among the levels, in some rulesets.

    ``options`` stand in for a ruleset of the seeds that goes by the name in ``rulesets``.
    ``reach`` is the score that the design asks of A, ``reach_margin`` the points.
    """

    title: str
    game: str
    rulesets: tuple[str, ...]
    games: int
    a: str = ""
    b: str = ""
    neighbours: bool = False
    options: dict[str, Any] | None = None
    reach: float | None = None
    reach_margin: float | None = None


class _PlanFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    meetings: tuple[Planned, ...]
    programs: dict[str, str] = {}


class Entry(msgspec.Struct, frozen=True):
    """A meeting of the plan; ``hindrances`` say why it cannot be played here and now."""

    planned: Planned
    met: Meeting
    hindrances: tuple[str, ...] = ()

    def results(self, book: Book) -> list[Result]:
        """Its games in the book, as many as are planned.

        Where a side is not here now (a program of another machine), the newest of that name.
        """
        found = book.named(self.met) if self.hindrances else book.results(self.met)
        return [found[number] for number in sorted(found) if number < self.planned.games]


def read_plan(path: Path = PLAN_FILE) -> list[Entry]:
    """Every meeting of a plan file, in its order."""
    plan = msgspec.convert(tomllib.loads(path.read_text("utf-8")), _PlanFile)
    return [entry for planned in plan.meetings for entry in _entries(planned, plan.programs)]


def _entries(planned: Planned, programs: dict[str, str]) -> Iterator[Entry]:
    for ruleset in planned.rulesets:
        for a, b in _pairs(planned):
            one, wrong_one = _side(planned.game, a, programs)
            other, wrong_other = _side(planned.game, b, programs)
            met = meeting(planned.game, ruleset, one, other, planned.options)
            yield Entry(planned, met, (*wrong_one, *wrong_other))


def _pairs(planned: Planned) -> Iterator[tuple[str, str]]:
    if not planned.neighbours:
        yield planned.a, planned.b
        return
    levels = Levels.load().known(planned.game)
    yield from ((f"level:{above}", f"level:{below}") for below, above in pairwise(levels))


def _side(game: str, name: str, programs: dict[str, str]) -> tuple[Side, tuple[str, ...]]:
    """The side of a name, and what keeps it away."""
    asked = programs.get(name, name)
    try:
        return side(game, asked, name), ()
    except WrongSide as wrong:
        return Side(name, asked, ""), (str(wrong),)
