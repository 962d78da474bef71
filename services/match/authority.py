"""Whether a command comes at the right time and from the right hands; shared by all decisions."""

from services.games.contract import Seat
from services.match.refusals import Refusal
from services.match.state import MatchState


def unless_open(state: MatchState) -> Refusal | None:
    """A refusal once the match has started, or will never start."""
    if state.status == "open":
        return None
    if state.ended is not None and state.ended.how == "cancelled":
        return Refusal("not-open", "This match was called off.")
    if state.status == "ended":
        return Refusal("not-open", "This match is over.")
    return Refusal("not-open", "This match has started; that is done only before the start.")


def unless_running(state: MatchState) -> Refusal | None:
    """A refusal before the start and after the end."""
    if state.status == "running":
        return None
    if state.status == "ended":
        return Refusal("match-over", "The match is over.")
    return Refusal("not-started", "The match has not started yet.", {"free": free_seats(state)})


def unless_seated(state: MatchState, seat: Seat, actor: str) -> Refusal | None:
    """A refusal for everybody but the holder of the seat."""
    if seat not in state.seat_names():
        return no_such_seat(state, seat)
    return None if holds(state, seat, actor) else not_your_seat(seat)


def holds(state: MatchState, seat: Seat, actor: str) -> bool:
    """Whether this actor is the seat's holder."""
    holder = state.holder(seat)
    if holder is None:
        return False
    return actor == (f"computer:{seat}" if holder.level else f"player:{holder.player}")


def not_your_seat(seat: Seat) -> Refusal:
    """Somebody else's seat."""
    return Refusal("not-your-seat", f"Seat {seat} is not yours.")


def no_such_seat(state: MatchState, seat: Seat) -> Refusal:
    """A seat this match does not have."""
    seats = state.seat_names()
    return Refusal("no-such-seat", f"This match has no seat {seat}.", {"seats": seats})


def free_seats(state: MatchState) -> tuple[Seat, ...]:
    """The seats nobody holds."""
    return tuple(seat for seat in state.seat_names() if state.holder(seat) is None)
