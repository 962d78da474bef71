"""A position as a frozen value: what is on the table, what is in the hands, what was done.

Hidden tiles are counts. The public history of the round is kept turn by turn, since a good
player may use it: who had to draw, and on which table.
"""

import msgspec

from services.games.contract import Seat
from services.games.triangles.lattice import EMPTY, Layout, Placement
from services.games.triangles.options import Ruleset
from services.games.triangles.tiles import NO_TILE, TILES, as_set

NOBODY = -1
"""No seat: none is to move, none has won, none has given up."""


class Opening(msgspec.Struct, frozen=True):
    """Who opens a round and why; ``tile`` is the qualifying tile where it has to be played."""

    seat: int
    reason: str
    tile: int = NO_TILE


class Turn(msgspec.Struct, frozen=True):
    """A finished turn: tiles drawn, the tile placed (None: a pass), the points of it all."""

    seat: int
    drawn: int
    placement: Placement | None
    points: int


class RoundEnd(msgspec.Struct, frozen=True):
    """How a round ended: ``out`` or ``blocked``, who won it, the end points by seat (§7)."""

    kind: str
    winner: int
    points: tuple[int, ...]


class Position(msgspec.Struct, frozen=True):
    """A position; tuples go by seat, hands are sets of tiles.

    ``round`` counts the rounds dealt, ``totals`` are the points before this one and ``points``
    those of this one. ``drawn`` are the tiles the seat to move has drawn in the turn it has not
    made yet. ``hidden`` and ``unseen`` count the tiles of hands and market that are not shown;
    ``market`` lists the next tile first, and is shown whole or not at all. ``next`` is the seat
    to move while a round runs, ``out`` the seat that gave up.
    """

    ruleset: Ruleset
    totals: tuple[int, ...]
    points: tuple[int, ...]
    hands: tuple[int, ...]
    hidden: tuple[int, ...]
    market: tuple[int, ...] = ()
    unseen: int = len(TILES)
    round: int = 0
    opening: Opening | None = None
    turns: tuple[Turn, ...] = ()
    drawn: int = 0
    layout: Layout = EMPTY
    next: int = NOBODY
    end: RoundEnd | None = None
    out: int = NOBODY

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats, A first."""
        return self.ruleset.seats

    @property
    def is_running(self) -> bool:
        """Whether a round has been dealt and has not ended: then, and only then, hands hide."""
        return self.round > 0 and self.end is None

    @property
    def placed(self) -> tuple[Placement, ...]:
        """The tiles on the table, in the order of placing."""
        return tuple(turn.placement for turn in self.turns if turn.placement)

    def hand_count(self, seat: int) -> int:
        """The tiles in a hand, shown or not."""
        return self.hands[seat].bit_count() + self.hidden[seat]

    @property
    def market_count(self) -> int:
        """The tiles in the market, shown or not."""
        return len(self.market) + self.unseen

    def sums(self) -> tuple[int, ...]:
        """Match totals as they stand, the running round included."""
        return tuple(a + b for a, b in zip(self.totals, self.points, strict=True))


def first_position(ruleset: Ruleset) -> Position:
    """Before the first deal: all tiles lie face down."""
    none = (0,) * ruleset.players
    return Position(ruleset, totals=none, points=none, hands=none, hidden=none)


def known_tiles(position: Position) -> int:
    """The set of all tiles that are shown: on the table, in hands, in the market."""
    shown = as_set(placement.tile for placement in position.placed) | as_set(position.market)
    for hand in position.hands:
        shown |= hand
    return shown
