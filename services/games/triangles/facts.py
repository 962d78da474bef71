"""What the rules did by themselves, as texts (``seeds/triangles/RULES.md`` §11), both ways.

Everybody's::

    round 2 start=B reason=triple tile=222 hands A=8 B=8 market=40
    points B tile=9 hexagon=50
    draw A 3
    pass A
    round-end out winner=B end A=0 B=84 points A=36 B=159 totals A=36 B=159 hands A=000+013 B=-

A seat's own: ``hand 012+133+…`` after a deal, ``draw 004+334`` after its draws.
"""

import re
from collections.abc import Sequence

from services.games.contract import BadText, Facts, Seat
from services.games.triangles.notation import NOTHING, REASONS, read_tiles, tiles_text
from services.games.triangles.options import Ruleset
from services.games.triangles.points import PlacementPoints
from services.games.triangles.position import NOBODY, Opening, Position
from services.games.triangles.tiles import NO_TILE, NUMBERS, TILES, as_set, tiles_in

_DRAW = re.compile(r"draw ([A-D]) ([1-9][0-9]?)", re.ASCII)
_PASS = re.compile(r"pass ([A-D])", re.ASCII)
_ROUND = re.compile(r"round [0-9]+ start=([A-D]) reason=([a-z-]+) tile=(-|[0-5]{3}) .*", re.ASCII)
_HANDS = re.compile(r"round-end .* hands ([A-D=0-5+ -]+)", re.ASCII)


def round_fact(dealt: Position) -> str:
    """The start of a round as everybody saw it."""
    seats, opening = dealt.seats, dealt.opening
    assert opening is not None, "a dealt round has an opener"
    tile = NOTHING if opening.tile == NO_TILE else TILES[opening.tile]
    counts = _by_seat(seats, [dealt.hand_count(seat) for seat in range(len(seats))])
    return (
        f"round {dealt.round} start={seats[opening.seat]} reason={opening.reason} tile={tile}"
        f" hands {counts} market={dealt.market_count}"
    )


def read_opening(ruleset: Ruleset, facts: Facts | None) -> Opening:
    """Who opens a dealt round, by its recorded fact."""
    found = _ROUND.fullmatch(facts[0]) if facts and len(facts) == 1 else None
    if found is None or found[1] not in ruleset.seats or found[2] not in REASONS:
        raise BadText(f"the recorded facts {facts!r} are not those of a deal")
    tile = NO_TILE if found[3] == NOTHING else NUMBERS.get(found[3], NO_TILE)
    return Opening(ruleset.seats.index(found[1]), found[2], tile)


def points_fact(seat: Seat, points: PlacementPoints) -> str:
    """The points of a placement by part; parts other than the tile only where there are some."""
    text = f"points {seat} tile={points.tile}"
    for part in ("opening", "hexagon", "bridge"):
        earned = getattr(points, part)
        if earned:
            text += f" {part}={earned}"
    return text


def draw_fact(seat: Seat, count: int) -> str:
    """How many tiles a seat had to draw."""
    return f"draw {seat} {count}"


def pass_fact(seat: Seat) -> str:
    """A seat could not place and there was no market."""
    return f"pass {seat}"


def round_end_fact(ended: Position) -> str:
    """The end of a round with all hands, in everybody's words."""
    seats, end = ended.seats, ended.end
    assert end is not None, "the round has ended"
    winner = NOTHING if end.winner == NOBODY else seats[end.winner]
    hands = [tiles_text(tiles_in(hand)) for hand in ended.hands]
    return (
        f"round-end {end.kind} winner={winner} end {_by_seat(seats, end.points)}"
        f" points {_by_seat(seats, ended.points)} totals {_by_seat(seats, ended.sums())}"
        f" hands {_by_seat(seats, hands)}"
    )


def _by_seat(seats: Sequence[Seat], values: Sequence[object]) -> str:
    return " ".join(f"{seat}={value}" for seat, value in zip(seats, values, strict=True))


class Recorded:
    """Recorded facts read one after another: what a fold cannot see by itself."""

    def __init__(self, facts: Facts) -> None:
        self.facts = facts
        self._next = 1  # the points of the placement come first, and follow from it

    def drawn(self, seat: Seat) -> int:
        """How many tiles the seat drew now; 0 if the next fact says nothing of it."""
        found = _DRAW.fullmatch(self._peek())
        return int(found[2]) if found and self._taken(found[1], seat) else 0

    def passed(self, seat: Seat) -> bool:
        """Whether the seat passed now."""
        found = _PASS.fullmatch(self._peek())
        return found is not None and self._taken(found[1], seat)

    def _peek(self) -> str:
        return self.facts[self._next] if self._next < len(self.facts) else ""

    def _taken(self, named: Seat, seat: Seat) -> bool:
        if named == seat:
            self._next += 1
        return named == seat

    def hands(self, seats: Sequence[Seat]) -> tuple[int, ...]:
        """All hands as the end of the round shows them, as sets."""
        found = _HANDS.fullmatch(self._peek())
        shown = dict(hand.partition("=")[::2] for hand in found[1].split(" ")) if found else {}
        if tuple(shown) != tuple(seats):
            raise BadText("the recorded facts do not show the hands at the end of the round")
        return tuple(as_set(read_tiles(hand)) for hand in shown.values())
