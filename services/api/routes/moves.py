"""Play: moves, resignations and offers. Everything goes through the one door."""

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from services.api.callers import Caller
from services.api.doing import answered, do, play, seat_for
from services.api.messages import MatchAnswer, NewMove, NewOffer, OfferReply, Resigning
from services.api.seen import see
from services.match.commands import AnswerOffer, MakeOffer, OfferKind, PlayMove, Resign


@post("/matches/{match:str}/moves", sync_to_thread=True)
def play_move(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[NewMove]
) -> Response[MatchAnswer]:
    """Play a move. A stale ``expected_turn`` answers 409 with the match as it is now."""
    seen = see(caller, match)
    seat = seat_for(seen, data.seat)
    move = PlayMove(seat=seat, move=data.move, expected_turn=data.expected_turn)
    return answered(caller, play(caller, seen, move))


@post("/matches/{match:str}/resign", sync_to_thread=True)
def resign(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[Resigning | None] = None
) -> Response[MatchAnswer]:
    """Give up a seat."""
    seat = seat_for(see(caller, match), data.seat if data else None)
    return answered(caller, do(caller, match, Resign(seat=seat)))


@post("/matches/{match:str}/offers", sync_to_thread=True)
def offer(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[NewOffer]
) -> Response[MatchAnswer]:
    """Propose a draw, a takeback or to abandon; computers answer at once."""
    seat = seat_for(see(caller, match), data.seat)
    made = MakeOffer(offer=data.offer, seat=seat, to_turn=data.to_turn)
    return answered(caller, do(caller, match, made))


@post("/matches/{match:str}/offers/{offer:str}/answer", sync_to_thread=True)
def answer(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    offer: FromPath[OfferKind],
    data: JSONBody[OfferReply],
) -> Response[MatchAnswer]:
    """Agree to an open offer, or decline it."""
    seat = seat_for(see(caller, match), data.seat)
    return answered(caller, do(caller, match, AnswerOffer(offer=offer, seat=seat, yes=data.yes)))


ROUTES = [play_move, resign, offer, answer]
