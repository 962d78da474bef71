"""The page of one match: its board at any ply, who plays, and what the visitor can do now."""

from dataclasses import dataclass
from typing import Any

from litestar import Response
from msgspec import to_builtins

from services.api.callers import Caller
from services.api.drawing import board_picture, board_text
from services.api.seen import Seen, people_in, see
from services.formats.exporting import format_names
from services.games.contract import Seat
from services.games.picture import board_area
from services.match.state import MatchState
from services.match.views import MatchView, view_of
from services.web.render import page
from services.web.rulesets import way_words
from services.web.visitor import record_names, shell
from services.web.words import (
    iso_time,
    offer_words,
    seat_words,
    seats_asked,
    status_words,
    time_words,
)

MOVES_OFFERED_MAX = 1_000
"""Legal moves the move box knows for completion without a script."""


@dataclass(frozen=True)
class Draft:
    """What a form brought back to the page: its problem, its text, a fresh invitation."""

    problem: str = ""
    status: int = 200
    text: str = ""
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
    record = record_names(caller, view)
    latest = then is now
    your_move = latest and view.to_move in now.you
    offers = _offers(view, now)
    return page(
        "match.html",
        status=draft.status,
        **shell(caller),
        **_board(then, view, latest=latest),
        **_chance(now.state, view, now.you),
        view=view,
        you=now.you,
        draft=draft,
        latest=latest,
        status_words=status_words(view, names, now.you, record),
        way=way_words(caller.services, view.game, view.ruleset),
        seats=[(seat, seat_words(seat, names, now.you, record)) for seat in view.seats],
        host=view.host == f"player:{caller.player_or_none}",
        deadline=iso_time(view.deadline_at) if view.deadline_at else "",
        deadline_words=time_words(view.deadline_at),
        your_move=your_move,
        calls=your_move or any(offer["asks"] for offer in offers),
        legal=_legal(now) if your_move else (),
        offers=offers,
        hand_in=_hand_in(now.state, view, now.you),
        terms=now.state.terms,
        run=_run(caller, now.state),
        has_record=bool(format_names(now.state)) and view.status != "open",
    )


def _board(then: Seen, view: MatchView, *, latest: bool) -> dict[str, Any]:
    """The picture's address and parts, its words, and the ways to walk through the plies."""
    picture = board_picture(then)
    ply = then.state.ply
    where = f"version={view.version}" if latest else f"ply={ply}"
    seat = f"&seat={then.eyes}" if then.eyes and then.state.terms.hidden else ""
    return {
        "ply": ply,
        "board_url": f"/v1/matches/{view.match}/board.svg?{where}{seat}",
        "board": board_area(picture),
        "picture": picture,
        "spots": to_builtins(picture.spots),
        "board_text": board_text(then),
    }


def _chance(state: MatchState, view: MatchView, you: tuple[Seat, ...]) -> dict[str, Any]:
    """What a browser keeps of a match with chance, and who gave what."""
    given = [(seat, view.entropy.get(seat)) for seat in state.people()]
    receipt = {
        "match": view.match,
        "seed_commit": view.seed_commit,
        "you": you,
        "entropy": view.entropy,
        "rounds": {str(dealt.number): dealt.commit for dealt in view.rounds},
    }
    return {"given": given, "none_given": not any(view.entropy.values()), "receipt": receipt}


def _hand_in(state: MatchState, view: MatchView, you: tuple[Seat, ...]) -> list[dict[str, Any]]:
    """What the visitor's seats still have to hand in before the start."""
    return [
        {
            "seat": seat,
            "chance": state.terms.chance and seat not in state.entropy,
            "entry": state.terms.sealed_entries and seat not in state.sealed,
        }
        for seat in you
        if seat in view.waiting_for
    ]


def _run(caller: Caller, state: MatchState) -> dict[str, Any] | None:
    """The solo run the match belongs to: its id, the match's number in it, and against whom."""
    run = caller.services.campaigns.run(state.run) if state.run else None
    if run is None:
        return None
    match = next(one for one in run.matches if one.match == state.match)
    opponent = run.the_rules.opponent(match.opponent)
    return {"run": run.run, "number": match.number, "opponent": opponent.name}


def _legal(now: Seen) -> tuple[str, ...]:
    state = now.state
    return state.the_game.rules.moves(state.position, MOVES_OFFERED_MAX).texts


def _offers(view: MatchView, now: Seen) -> list[dict[str, Any]]:
    """Open offers, and the visitor's seat that still has to answer each (or none)."""
    return [
        {
            "offer": offer.offer,
            "words": offer_words(offer, now.you),
            "asks": next(iter(seats_asked(offer, view.seats, now.you)), ""),
        }
        for offer in view.offers
    ]
