"""Matches: open one, look at them, and who sits where."""

from typing import Annotated, Literal

from litestar import Response, delete, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, JSONBody, PathParameter, QueryParameter

from services.api.callers import Caller
from services.api.doing import answered, do, open_match, started_if_ready
from services.api.invitations import invite_to, take_by_invite
from services.api.listing import Before, matches_for
from services.api.messages import (
    InviteAnswer,
    InviteAsk,
    MatchAnswer,
    MatchPage,
    NewMatch,
    SeatTake,
)
from services.api.seen import see
from services.match.commands import CancelMatch, LeaveSeat, StartMatch, TakeSeat

SeatInPath = Annotated[str, PathParameter(pattern="^[A-D]$", max_length=1)]


@post("/matches", sync_to_thread=True)
def open_one(caller: NamedDependency[Caller], data: JSONBody[NewMatch]) -> Response[MatchAnswer]:
    """Open a match; it starts by itself when every seat is taken."""
    return answered(caller, open_match(caller, data))


@get("/matches", sync_to_thread=True)
def list_matches(
    caller: NamedDependency[Caller],
    *,
    mine: FromQuery[bool] = False,
    game: Annotated[str, QueryParameter(max_length=32)] = "",
    status: FromQuery[Literal["", "open", "running", "ended"]] = "",
    before: Before = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=100)] = 50,
) -> MatchPage:
    """Public matches and your own (``mine``: only those), newest first. It may lag a moment."""
    return matches_for(caller, mine=mine, game=game, status=status, before=before, limit=limit)


@post("/matches/{match:str}/seats/{seat:str}", sync_to_thread=True)
def take_seat(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    seat: SeatInPath,
    data: JSONBody[SeatTake | None] = None,
) -> Response[MatchAnswer]:
    """Take a free seat (private matches: with an invitation); the host may seat a computer."""
    data = data or SeatTake()
    if data.invite:
        done = take_by_invite(caller, data.invite, match, seat)
    else:
        see(caller, match)
        done = do(caller, match, TakeSeat(seat, level=data.level or 0, adaptive=data.adaptive))
    return answered(caller, started_if_ready(caller, done))


@delete("/matches/{match:str}/seats/{seat:str}", sync_to_thread=True, status_code=200)
def leave_seat(
    caller: NamedDependency[Caller], match: FromPath[str], seat: SeatInPath
) -> Response[MatchAnswer]:
    """Free a seat before the start: your own, or as the host any."""
    see(caller, match)
    return answered(caller, do(caller, match, LeaveSeat(seat=seat)))


@post("/matches/{match:str}/invites", sync_to_thread=True)
def invite(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[InviteAsk]
) -> InviteAnswer:
    """A single-use invitation to a free seat; the host and the seated may invite."""
    token = invite_to(caller, see(caller, match), data.seat)
    base = str(caller.request.base_url).rstrip("/")
    return InviteAnswer(match, data.seat, token, f"{base}/join/{token}")


@post("/matches/{match:str}/start", sync_to_thread=True)
def start(caller: NamedDependency[Caller], match: FromPath[str]) -> Response[MatchAnswer]:
    """Start a match whose seats are all taken (it usually did so by itself)."""
    see(caller, match)
    return answered(caller, do(caller, match, StartMatch()))


@post("/matches/{match:str}/cancel", sync_to_thread=True)
def cancel(caller: NamedDependency[Caller], match: FromPath[str]) -> Response[MatchAnswer]:
    """Call off a match before its start."""
    see(caller, match)
    return answered(caller, do(caller, match, CancelMatch()))


ROUTES = [open_one, list_matches, take_seat, leave_seat, invite, start, cancel]
