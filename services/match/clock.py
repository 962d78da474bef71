"""Correspondence time as arithmetic: when a turn is due, and when a flag may fall.

Times are microseconds since 1970 UTC; ``received_at`` is stamped at the edge, so a move that
arrived in time stays in time however long it waited to be judged.
"""

from services.match.state import MatchState

SECOND_US = 1_000_000
GRACE_S = 60
"""A flag falls only this long after the deadline: mail and clocks are never exact."""


def deadline_at(state: MatchState) -> int | None:
    """When the awaited person's time is over (µs); None without a clock or a person to wait for.

    A computer's delay is the server's own, so computers have no flag.
    """
    seat = state.to_move()
    if not state.per_move_s or seat is None:
        return None
    holder = state.holder(seat)
    if holder is None or holder.level:
        return None
    return state.turn_since + state.per_move_s * SECOND_US


def flag_at(state: MatchState) -> int | None:
    """When the flag may fall: the deadline and the grace."""
    deadline = deadline_at(state)
    return None if deadline is None else deadline + GRACE_S * SECOND_US


def has_fallen(state: MatchState, received_at: int) -> bool:
    """Whether something received then came too late for the awaited seat."""
    flag = flag_at(state)
    return flag is not None and received_at > flag
