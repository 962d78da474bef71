"""What the parts of a round do to a position: deal, place, draw, pass, end (§3, §4, §7).

Nothing is judged here. Each part works on full positions and on ones with hidden tiles alike:
a tile that is not shown is taken from the hidden ones.
"""

from collections.abc import Sequence

from services.games.triangles.lattice import Placement
from services.games.triangles.points import (
    DRAW_POINTS,
    PASS_POINTS,
    PlacementPoints,
    blocked_end,
    out_end,
    placement_points,
)
from services.games.triangles.position import NOBODY, Opening, Position, Turn
from services.games.triangles.tiles import HIGHEST, NO_TILE, TRIPLES


def qualifying(hands: Sequence[int]) -> Opening:
    """Who opens a round that follows no winner: the largest triple, else the highest tile (§3)."""
    dealt = 0
    for hand in hands:
        dealt |= hand
    triples = dealt & TRIPLES
    tile = triples.bit_length() - 1 if triples else next(t for t in HIGHEST if dealt >> t & 1)
    seat = next(seat for seat, hand in enumerate(hands) if hand >> tile & 1)
    return Opening(seat, "triple" if triples else "highest-sum", tile)


def opening_of(before: Position, hands: Sequence[int]) -> Opening:
    """Who opens the round after ``before`` with these hands; the tile only where it is shown."""
    if before.end and before.end.winner != NOBODY:
        return Opening(before.end.winner, "previous-winner")
    found = qualifying(hands)
    if before.ruleset.opening_tile == "free":
        return Opening(found.seat, found.reason)
    return found


def dealt(before: Position, opening: Opening) -> Position:
    """A new round in which no tile is shown."""
    ruleset = before.ruleset
    none = (0,) * ruleset.players
    return Position(
        ruleset=ruleset,
        totals=before.sums(),
        points=none,
        hands=none,
        hidden=(ruleset.hand_size,) * ruleset.players,
        unseen=ruleset.market_size,
        round=before.round + 1,
        opening=opening,
        next=opening.seat,
        out=before.out,
    )


def place(position: Position, placement: Placement) -> tuple[Position, PlacementPoints]:
    """The seat to move places a tile; the turn goes on to the next seat."""
    p, seat = position, position.next
    earned = placement_points(p.ruleset, p.layout, placement)
    hands, hidden = p.hands, p.hidden
    if hands[seat] >> placement.tile & 1:
        hands = _changed(hands, seat, hands[seat] & ~(1 << placement.tile))
    else:
        hidden = _changed(hidden, seat, hidden[seat] - 1)
    turn = Turn(seat, p.drawn, placement, earned.total + DRAW_POINTS * p.drawn)
    after = Position(
        p.ruleset,
        p.totals,
        _changed(p.points, seat, p.points[seat] + earned.total),
        hands,
        hidden,
        p.market,
        p.unseen,
        p.round,
        p.opening,
        (*p.turns, turn),
        0,
        p.layout.put(placement),
        (seat + 1) % p.ruleset.players,
        None,
        p.out,
    )
    return after, earned


def draw(position: Position, count: int) -> Position:
    """The seat to move draws from the front of the market."""
    p, seat = position, position.next
    hands, hidden, unseen = p.hands, p.hidden, p.unseen
    if p.market:
        hand = hands[seat]
        for tile in p.market[:count]:
            hand |= 1 << tile
        hands = _changed(hands, seat, hand)
    else:
        hidden = _changed(hidden, seat, hidden[seat] + count)
        unseen -= count
    return Position(
        p.ruleset,
        p.totals,
        _changed(p.points, seat, p.points[seat] + DRAW_POINTS * count),
        hands,
        hidden,
        p.market[count:],
        unseen,
        p.round,
        p.opening,
        p.turns,
        p.drawn + count,
        p.layout,
        seat,
        None,
        p.out,
    )


def pass_turn(position: Position) -> Position:
    """The seat to move passes; the turn goes on to the next seat."""
    p, seat = position, position.next
    turn = Turn(seat, p.drawn, None, PASS_POINTS + DRAW_POINTS * p.drawn)
    return Position(
        p.ruleset,
        p.totals,
        _changed(p.points, seat, p.points[seat] + PASS_POINTS),
        p.hands,
        p.hidden,
        p.market,
        p.unseen,
        p.round,
        p.opening,
        (*p.turns, turn),
        0,
        p.layout,
        (seat + 1) % p.ruleset.players,
        None,
        p.out,
    )


def round_is_over(position: Position) -> bool:
    """Whether the last turn ended the round: a seat is out, or all passed in succession (§7)."""
    if not position.turns:
        return False
    last = position.turns[-1]
    if last.placement:
        return not position.hand_count(last.seat)
    players = position.ruleset.players
    latest = position.turns[-players:]
    return len(latest) == players and not any(turn.placement for turn in latest)


def end_round(position: Position, hands: tuple[int, ...]) -> Position:
    """The round counted, with all hands shown; nobody is to move."""
    p, last = position, position.turns[-1]
    end = out_end(hands, last.seat) if last.placement else blocked_end(hands)
    return Position(
        p.ruleset,
        p.totals,
        tuple(a + b for a, b in zip(p.points, end.points, strict=True)),
        hands,
        (0,) * p.ruleset.players,
        p.market,
        p.unseen,
        p.round,
        p.opening,
        p.turns,
        0,
        p.layout,
        NOBODY,
        end,
        p.out,
    )


def may_open_with(position: Position, tile: int) -> bool:
    """Whether the first tile of the round may be this one (§3)."""
    due = position.opening.tile if position.opening else NO_TILE
    return due in (NO_TILE, tile)


def _changed(values: tuple[int, ...], seat: int, value: int) -> tuple[int, ...]:
    return (*values[:seat], value, *values[seat + 1 :])
