"""Which matches are contests, who came in which place, and what an adaptive computer learns of it.

A contest was played to a result: on points, by resignation, on time, or to a draw. Matches that
were abandoned or called off, records from files and the matches of runs (whose decks are uneven
on purpose) are none, nor is a match in which somebody plays against themselves.
"""

from collections.abc import Mapping, Sequence

import msgspec

from events.event_kinds import MatchEnded
from services.games.contract import Seat
from services.match.authority import holds
from services.match.state import PLAYER, RUN, Holder, MatchState

CONTESTS = ("points", "resign", "time", "draw")


class Lesson(msgspec.Struct, frozen=True):
    """What a match says of its host: their place, and those of the computer that follows them.

    1 is the best place; equal places are a draw.
    """

    player: str
    level: int
    place: int
    against: tuple[int, ...]


def is_contest(host: str, holders: Sequence[Holder | None], ended: MatchEnded) -> bool:
    """Whether the result says who played better than whom; ``host`` is the actor who opened it."""
    people = [holder.player for holder in holders if holder and not holder.level]
    sides = {(holder.player, holder.level) for holder in holders if holder}  # a level is one side
    return (
        ended.how in CONTESTS
        and bool(ended.winners)
        and not host.startswith(RUN)
        and None not in holders
        and len(people) == len(set(people))
        and len(sides) > 1
    )


def places(ended: MatchEnded, seats: Sequence[Seat]) -> Mapping[Seat, int]:
    """The place of each of these seats: the winners first, then by points; 1 is best.

    >>> ended = MatchEnded(how="points", points={"A": 9, "B": 40, "C": 9}, winners=("B",))
    >>> places(ended, "ABC")
    {'A': 2, 'B': 1, 'C': 2}
    """
    worth = {
        seat: (True, 0) if seat in ended.winners else (False, ended.points.get(seat, 0))
        for seat in seats
    }
    return {seat: 1 + sum(other > worth[seat] for other in worth.values()) for seat in seats}


def lesson_of(state: MatchState) -> Lesson | None:
    """What an ended match teaches the host's adaptive computer; None if it has none, or nothing."""
    followers = state.adaptive()
    own = [seat for seat in state.people() if holds(state, seat, state.host)]
    if state.ended is None or not followers or not own:
        return None
    if not is_contest(state.host, state.seats, state.ended):
        return None
    follower = state.holder(followers[0])
    assert follower is not None, "an adaptive seat is held"
    place = places(state.ended, (own[0], *followers))
    return Lesson(
        player=state.host.removeprefix(PLAYER),
        level=follower.level,
        place=place[own[0]],
        against=tuple(place[seat] for seat in followers),
    )
