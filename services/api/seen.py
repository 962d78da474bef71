"""A match as one caller may see it; whoever may not see it is told that there is none."""

import re
from dataclasses import dataclass

from services.api.callers import Caller
from services.api.messages import MatchAnswer
from services.api.problems import Problem, no_such_match
from services.games.contract import Seat
from services.match.handler import stream_of
from services.match.state import MatchState
from services.match.views import MatchView, view_of

MATCH_ID = re.compile(r"m-[a-z2-7]{16}")


@dataclass(frozen=True)
class Seen:
    """A folded match and the caller's seats in it."""

    state: MatchState
    you: tuple[Seat, ...]

    @property
    def eyes(self) -> Seat | None:
        """The seat whose view the caller gets: the awaited one of theirs, else their first."""
        to_move = self.state.to_move()
        if to_move in self.you:
            return to_move
        return self.you[0] if self.you else None


def see(caller: Caller, match: str, version: int | None = None, ply: int | None = None) -> Seen:
    """The match now, or at a version or ply; 404 alike for unknown, private and bad ids."""
    services = caller.services
    state = services.handler.load(match) if MATCH_ID.fullmatch(match) else None
    if state is None or not _may_see(state, caller):
        raise no_such_match(match)
    you = seats_of(state, caller)
    if version is None and ply is None:
        return Seen(state, you)
    then = services.handler.at(match, version=version, ply=ply)
    if then is None:
        details = {"version": state.version, "ply": state.ply}
        sentence = f"The match has versions 1 to {state.version} and plies 0 to {state.ply}."
        raise Problem(404, "no-such-version", sentence, details)
    return Seen(then, you)


def seats_of(state: MatchState, caller: Caller) -> tuple[Seat, ...]:
    """The seats the caller holds."""
    player = caller.player_or_none
    if player is None:
        return ()
    holders = zip(state.seat_names(), state.seats, strict=True)
    return tuple(seat for seat, holder in holders if holder and holder.player == player)


def _may_see(state: MatchState, caller: Caller) -> bool:
    if state.visibility != "private" or caller.is_operator:
        return True
    player = caller.player_or_none
    if player is None:
        return False
    return state.host == f"player:{player}" or bool(seats_of(state, caller))


def answer_for(caller: Caller, seen: Seen, head: str = "") -> MatchAnswer:
    """The match as its caller sees it; the head is read from the log unless it is at hand."""
    view = view_of(seen.state, seen.eyes)
    if not head:
        stream, version = stream_of(view.match), view.version
        head = caller.services.log.read(stream, version - 1, version)[0].hash.hex()
    return MatchAnswer(
        match=view.match,
        version=view.version,
        turn=view.turn,
        head=head,
        you=seen.you,
        names=caller.services.players.names(people_in(view)),
        view=view,
    )


def people_in(view: MatchView) -> set[str]:
    """The ids of the people a view speaks of."""
    people = {seat.player for seat in view.seats if seat.player}
    if view.host.startswith("player:"):
        people.add(view.host.removeprefix("player:"))
    return people
