"""A match as one caller may see it; whoever may not see it is told that there is none."""

import re
from dataclasses import dataclass

from services.api.callers import Caller
from services.api.messages import MatchAnswer
from services.api.problems import Problem, no_such_match
from services.api.services import Services
from services.games.contract import Seat
from services.match.folding import fold
from services.match.handler import stream_of
from services.match.state import MatchState, initial
from services.match.views import MatchView, view_of

MATCH_ID = re.compile(r"m-[a-z2-7]{16}")


@dataclass(frozen=True)
class Seen:
    """A folded match, the caller's seats in it, and the one of them they asked to look from.

    Whoever has no seat in a game with hidden things holds the public fold: what must not be
    shown is not even there.
    """

    state: MatchState
    you: tuple[Seat, ...]
    asked: Seat | None = None

    @property
    def eyes(self) -> Seat | None:
        """The seat whose view the caller gets: the one asked for, else the awaited, the first."""
        if self.asked is not None:
            return self.asked
        to_move = self.state.to_move()
        if to_move in self.you:
            return to_move
        return self.you[0] if self.you else None


def see(
    caller: Caller,
    match: str,
    version: int | None = None,
    ply: int | None = None,
    seat: Seat | None = None,
) -> Seen:
    """The match now, or at a version or ply; 404 alike for unknown, private and bad ids.

    ``seat`` is one of the caller's own to look from.
    """
    services = caller.services
    state = services.handler.load(match) if MATCH_ID.fullmatch(match) else None
    if state is None or not _may_see(state, caller):
        raise no_such_match(match)
    you = seats_of(state, caller)
    if seat is not None and seat not in you:
        raise Problem(403, "not-your-seat", f"Seat {seat} is not yours to look from.")
    if version is None and ply is None:
        return seen_by(caller, state, you, seat)
    then = services.handler.at(match, version=version, ply=ply)
    if then is None:
        details = {"version": state.version, "ply": state.ply}
        sentence = f"The match has versions 1 to {state.version} and plies 0 to {state.ply}."
        raise Problem(404, "no-such-version", sentence, details)
    return seen_by(caller, then, you, seat)


def seen_by(
    caller: Caller, state: MatchState, you: tuple[Seat, ...], seat: Seat | None = None
) -> Seen:
    """A match at one moment before the eyes of a caller who holds the seats ``you`` today."""
    return Seen(state if you else public_fold(caller.services, state), you, seat)


def public_fold(services: Services, state: MatchState) -> MatchState:
    """The same match at the same version, with nothing in it that is hidden."""
    if not state.terms.hidden:
        return state
    public = services.public_folds.get(state.match)
    if public is None or public.version > state.version:
        public = initial(state.match, games=state.games)
    if public.version < state.version:
        stream = stream_of(state.match)
        tail = services.log.told(stream, after=public.version, upto=state.version)
        public = fold(public, tail)
        services.public_folds.put(public)
    return public


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
