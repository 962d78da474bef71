"""The page of one match: its board at any ply, who plays, and what the visitor can do now."""

from dataclasses import dataclass
from typing import Any

from litestar import Response

from services.api.callers import Caller
from services.api.drawing import board_picture, board_text
from services.api.seen import Seen, people_in, see
from services.games.contract import Seat
from services.match.views import MatchView, view_of
from services.web.render import page
from services.web.visitor import shell
from services.web.words import iso_time, ruleset_words, seat_words, status_words

MOVES_OFFERED_MAX = 1_000
"""Legal moves the move box knows for completion."""


@dataclass(frozen=True)
class Draft:
    """What a form brought back to the page: its problem, its move, a fresh invitation."""

    problem: str = ""
    status: int = 200
    move: str = ""
    invite: str = ""
    invited_seat: Seat = ""


def match_page(
    caller: Caller, match: str, ply: int | None = None, draft: Draft | None = None
) -> Response[str]:
    """The page; the board at ``ply``, everything else as it is now."""
    draft = draft or Draft()
    now = see(caller, match)
    then = now if ply is None or ply == now.state.ply else see(caller, match, ply=ply)
    view = view_of(now.state, now.eyes)
    names = caller.services.players.names(people_in(view))
    latest = then is now
    return page(
        "match.html",
        status=draft.status,
        **shell(caller),
        **_board(then, view, latest=latest),
        view=view,
        you=now.you,
        draft=draft,
        latest=latest,
        status_words=status_words(view, names, now.you),
        ruleset=ruleset_words(view.ruleset),
        seats=[(seat, seat_words(seat, names, now.you)) for seat in view.seats],
        host=view.host == f"player:{caller.player_or_none}",
        deadline=iso_time(view.deadline_at) if view.deadline_at else "",
        your_move=latest and view.to_move in now.you,
        legal=_legal(now) if latest and view.to_move in now.you else (),
        offers=_offers(view, now),
    )


def _board(then: Seen, view: MatchView, *, latest: bool) -> dict[str, Any]:
    """The picture's address and size, its words, and the ways to walk through the plies."""
    picture = board_picture(then)
    ply = then.state.ply
    where = f"version={view.version}" if latest else f"ply={ply}"
    return {
        "ply": ply,
        "board_url": f"/v1/matches/{view.match}/board.svg?{where}",
        "side": min(picture.width, picture.height),
        "width": picture.width,
        "height": picture.height,
        "description": picture.description,
        "board_text": board_text(then),
    }


def _legal(now: Seen) -> tuple[str, ...]:
    state = now.state
    return state.the_game.rules.moves(state.position, MOVES_OFFERED_MAX).texts


def _offers(view: MatchView, now: Seen) -> list[dict[str, Any]]:
    """Open offers, and the visitor's seat that still has to answer each (or none)."""
    out = [seat.seat for seat in view.seats if seat.out]
    return [
        {
            "offer": offer.offer,
            "seat": offer.seat,
            "to_turn": offer.to_turn,
            "asks": next((s for s in now.you if s not in offer.agreed and s not in out), ""),
        }
        for offer in view.offers
    ]
