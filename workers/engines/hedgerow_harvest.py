"""Search in the harvest of Hedgerow (rule sheet §7): what each path comes to, turns ahead.

Paths over the same squares are one and the same move. Work is counted in paths walked; a
position's paths are walked once.
"""

from itertools import islice

import msgspec

from services.games.hedgerow.board import set_of
from services.games.hedgerow.harvest import Walk, path_score
from services.games.hedgerow.position import HARVESTS, PLACEMENTS, Position
from services.games.hedgerow.tokens import Path

PATHS_MAX = 600
"""So many paths of a position are walked at most; more than any seen in play."""
BEYOND = 1 << 20
"""More than any score."""


class OutOfBudget(Exception):
    """The paths that may be walked are used up."""


class Harvest(msgspec.Struct, frozen=True):
    """A path, the squares it empties, and what it scores for who harvests it."""

    path: Path
    squares: int
    score: int


class Search:
    """A search from one position, for the owner to move there; ``nodes`` counts paths."""

    def __init__(self, position: Position, budget: int) -> None:
        self.nodes = 0
        self._budget = budget
        self._board = position.board
        self._isolation = position.scores[-1].isolation
        self._standing, self._mover = position.standing, position.mover
        self._left = PLACEMENTS + HARVESTS - position.turns
        self._walked: dict[tuple[int, int], list[Harvest]] = {}
        # What there is to choose from is seen whole, whatever the budget.
        self.harvests = self._harvests(self._standing, self._mover)

    def values(self, slack: int, turns: int = HARVESTS) -> dict[Harvest, int]:
        """What each harvest comes to, so many turns ahead or as many as the budget allows.

        A value that is more than ``slack`` below the best is only known not to be better.
        """
        values = {harvest: harvest.score for harvest in self.harvests}
        try:
            for depth in range(2, min(turns, self._left) + 1):
                values = self._deeper(values, depth, slack)
        except OutOfBudget:
            pass
        return values

    def _deeper(self, values: dict[Harvest, int], depth: int, slack: int) -> dict[Harvest, int]:
        """The values at this depth, the best of the last depth looked at first."""
        best, found = -BEYOND, {}
        for harvest in sorted(values, key=values.__getitem__, reverse=True):
            after = self._standing & ~harvest.squares
            low = best - slack - 1
            reply = self._value(
                after, 3 - self._mover, depth - 1, low=-BEYOND, high=harvest.score - low
            )
            found[harvest] = harvest.score - reply
            best = max(best, found[harvest])
        return found

    def _value(self, standing: int, mover: int, depth: int, *, low: int, high: int) -> int:
        """What is still to come for the mover, exact between ``low`` and ``high``."""
        harvests = self._harvests(standing, mover)
        if depth == 1:
            return harvests[0].score
        best = -BEYOND
        for harvest in harvests:
            after = standing & ~harvest.squares
            most = harvest.score - max(low, best)
            reply = self._value(after, 3 - mover, depth - 1, low=harvest.score - high, high=most)
            best = max(best, harvest.score - reply)
            if best >= high:
                break
        return best

    def _harvests(self, standing: int, mover: int) -> list[Harvest]:
        """The different harvests, the highest score first, equals in canonical order."""
        found = self._walked.get((standing, mover))
        if found is None:
            if self._walked and self.nodes >= self._budget:
                raise OutOfBudget
            walk = Walk(self._board, standing, mover)
            by_squares: dict[int, Harvest] = {}
            for path in islice(walk.paths(), PATHS_MAX):
                self.nodes += 1
                squares = set_of(path)
                if squares not in by_squares:
                    score = path_score(self._board, mover, path, self._isolation)
                    by_squares[squares] = Harvest(path, squares, score)
            found = sorted(by_squares.values(), key=lambda harvest: -harvest.score)
            self._walked[standing, mover] = found
        return found
