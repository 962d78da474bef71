"""What the forms of a match page do. Each goes through the same door as the API, then back."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter, URLEncodedBody

from services.api.callers import KEY_PATTERN, Caller
from services.api.doing import do, give_entropy, play, seal_entry, started_if_ready
from services.api.invitations import invite_to
from services.api.problems import Problem
from services.api.seen import Seen, see
from services.match.commands import (
    MOVE_CHARS_MAX,
    AnswerOffer,
    CancelMatch,
    Commit,
    LeaveSeat,
    MakeOffer,
    OfferKind,
    PlayMove,
    Resign,
    SeatName,
    TakeSeat,
    Turn,
)
from services.match.shuffle import typed_entropy
from services.web.match_page import Draft, match_page
from services.web.visitor import need_player, to

Key = Annotated[str, msgspec.Meta(pattern=KEY_PATTERN)]


class Form(msgspec.Struct, frozen=True, kw_only=True):
    """The base of every form; ``key`` makes a double click one command."""

    key: Key


class MoveForm(Form, frozen=True, kw_only=True):
    """A move for a seat, seen at a turn."""

    seat: SeatName
    expected_turn: Turn
    move: Annotated[str, msgspec.Meta(max_length=512)] = ""


class SeatForm(Form, frozen=True, kw_only=True):
    """Something about one seat; ``sure`` is the ticked box of what cannot be undone."""

    seat: SeatName
    sure: Annotated[str, msgspec.Meta(max_length=8)] = ""


class ChanceForm(Form, frozen=True, kw_only=True):
    """A share of the chance, as hexadecimal bytes or as any text; ``decline`` says none."""

    seat: SeatName
    seed_commit: Commit
    entropy: Annotated[str, msgspec.Meta(max_length=512)] = ""
    decline: Annotated[str, msgspec.Meta(max_length=8)] = ""


class EntryForm(Form, frozen=True, kw_only=True):
    """An entry of a seat."""

    seat: SeatName
    text: Annotated[str, msgspec.Meta(max_length=MOVE_CHARS_MAX)] = ""


class OfferForm(Form, frozen=True, kw_only=True):
    """An offer, or (with ``yes``) an answer to one."""

    seat: SeatName
    offer: OfferKind
    yes: bool = False


@get("/matches/{match:str}", sync_to_thread=True)
def show(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    ply: Annotated[int | None, QueryParameter(ge=0, le=1_000_000)] = None,
) -> Response[str]:
    """The match, its board at a ply."""
    return match_page(caller, match, ply)


def _after(
    caller: Caller, match: str, key: str, act: Callable[[Seen], object], text: str = ""
) -> Response[Any]:
    """Do it and go back to the match; with a problem, show the page and say so."""
    need_player(caller)
    caller.key = key
    seen = see(caller, match)
    try:
        act(seen)
    except Problem as problem:
        return match_page(caller, match, draft=Draft(problem.sentence, problem.status, text))
    return to(f"/matches/{match}")


@post("/matches/{match:str}/moves", sync_to_thread=True)
def play_move(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[MoveForm]
) -> Response[Any]:
    """Play the move in the box."""

    def act(seen: Seen) -> None:
        move = data.move.strip()
        if not move:
            raise Problem(400, "bad-input", "Type a move first, or choose one on the board.")
        wanted = PlayMove(seat=data.seat, move=move, expected_turn=data.expected_turn)
        play(caller, seen, wanted)

    return _after(caller, match, data.key, act, data.move)


@post("/matches/{match:str}/resign", sync_to_thread=True)
def resign(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[SeatForm]
) -> Response[Any]:
    """Give up, after a ticked box."""

    def act(_seen: Seen) -> None:
        if data.sure != "yes":
            raise Problem(400, "bad-input", "Tick the box if you are sure that you resign.")
        do(caller, match, Resign(seat=data.seat))

    return _after(caller, match, data.key, act)


@post("/matches/{match:str}/offers", sync_to_thread=True)
def offer(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[OfferForm]
) -> Response[Any]:
    """Propose a draw, a takeback or to abandon."""
    made = MakeOffer(offer=data.offer, seat=data.seat)
    return _after(caller, match, data.key, lambda _seen: do(caller, match, made))


@post("/matches/{match:str}/answers", sync_to_thread=True)
def answer(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[OfferForm]
) -> Response[Any]:
    """Answer an offer."""
    said = AnswerOffer(offer=data.offer, seat=data.seat, yes=data.yes)
    return _after(caller, match, data.key, lambda _seen: do(caller, match, said))


@post("/matches/{match:str}/entropy", sync_to_thread=True)
def share_chance(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[ChanceForm]
) -> Response[Any]:
    """Give a share of the chance, or decline."""

    def act(seen: Seen) -> None:
        entropy = "" if data.decline else _typed(data.entropy)
        give_entropy(caller, seen, data.seat, entropy, data.seed_commit)

    return _after(caller, match, data.key, act)


def _typed(text: str) -> str:
    try:
        given = typed_entropy(text)
    except ValueError as error:
        raise Problem(400, "bad-input", str(error)) from error
    if not given:
        raise Problem(400, "bad-input", "Type something, or decline.")
    return given


@post("/matches/{match:str}/entries", sync_to_thread=True)
def hand_in(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[EntryForm]
) -> Response[Any]:
    """Hand in an entry."""

    def act(seen: Seen) -> None:
        text = " ".join(data.text.split())
        if not text:
            raise Problem(400, "bad-input", "Write your entry first.")
        seal_entry(caller, seen, data.seat, text)

    return _after(caller, match, data.key, act, data.text)


@post("/matches/{match:str}/seats", sync_to_thread=True)
def sit(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[SeatForm]
) -> Response[Any]:
    """Take a free seat."""
    take = TakeSeat(seat=data.seat)
    return _after(
        caller, match, data.key, lambda _seen: started_if_ready(caller, do(caller, match, take))
    )


@post("/matches/{match:str}/seats/free", sync_to_thread=True)
def stand_up(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[SeatForm]
) -> Response[Any]:
    """Free a seat again."""
    return _after(
        caller, match, data.key, lambda _seen: do(caller, match, LeaveSeat(seat=data.seat))
    )


@post("/matches/{match:str}/invites", sync_to_thread=True)
def invite(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[SeatForm]
) -> Response[str]:
    """Make an invitation and show its address, once."""
    need_player(caller)
    seen = see(caller, match)
    try:
        token = invite_to(caller, seen, data.seat)
    except Problem as problem:
        return match_page(caller, match, draft=Draft(problem.sentence, problem.status))
    url = f"{str(caller.request.base_url).rstrip('/')}/join/{token}"
    return match_page(caller, match, draft=Draft(invite=url, invited_seat=data.seat))


@post("/matches/{match:str}/cancel", sync_to_thread=True)
def cancel(
    caller: NamedDependency[Caller], match: FromPath[str], data: URLEncodedBody[Form]
) -> Response[Any]:
    """Call the match off before its start."""
    return _after(caller, match, data.key, lambda _seen: do(caller, match, CancelMatch()))


ROUTES = [
    show, play_move, resign, offer, answer, share_chance, hand_in, sit, stand_up, invite, cancel,
]  # fmt: skip
