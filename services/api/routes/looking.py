"""Reading a match: views at any version, legal moves, boards, and its events."""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from services.api.caching import conditional
from services.api.callers import Caller
from services.api.drawing import SVG, SVG_HEADERS, board_svg, board_text
from services.api.messages import (
    EventPage,
    LegalMoves,
    MatchAnswer,
    MovePreview,
    Preview,
    StepLine,
    Steps,
)
from services.api.previews import dry_run_svg, preview_of
from services.api.problems import Problem
from services.api.public_events import public_events
from services.api.seen import Seen, answer_for, see
from services.api.stored import record_version
from services.games.contract import MOVES_LISTED_MAX
from services.match.commands import MOVE_CHARS_MAX
from services.match.handler import stream_of

Version = Annotated[int | None, QueryParameter(ge=1, le=10_000_000)]
PlyNumber = Annotated[int | None, QueryParameter(ge=0, le=1_000_000)]
SeatAsked = Annotated[str | None, QueryParameter(pattern="^[A-D]$", max_length=1)]
"""One of your own seats to look from; without it, the one to move or your first."""
After = Annotated[int, QueryParameter(ge=0, le=10_000_000)]
EVENTS_MAX = 1_000


@get("/matches/{match:str}", sync_to_thread=True)
def match_view(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    version: Version = None,
    ply: PlyNumber = None,
    seat: SeatAsked = None,
) -> Response[MatchAnswer]:
    """The match as you may see it, now or at a version or ply; with an ETag."""
    answer = answer_for(caller, see(caller, match, version, ply, seat))
    return conditional(caller.request, msgspec.json.encode(answer), "application/json")


@get("/matches/{match:str}/legal-moves", sync_to_thread=True)
def legal_moves(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=MOVES_LISTED_MAX)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=MOVES_LISTED_MAX)] = 1_000,
) -> LegalMoves:
    """What the seat to move may play, in the game's own order, a page at a time."""
    seen = see(caller, match)
    state, to_move = seen.state, _to_move(seen)
    wanted = min(after + limit, MOVES_LISTED_MAX)
    moves = state.the_game.rules.moves(state.position, wanted)
    return LegalMoves(
        turn=state.turn,
        to_move=to_move,
        moves=moves.texts[after:],
        next=len(moves.texts),
        truncated=moves.truncated,
    )


@get("/matches/{match:str}/steps", sync_to_thread=True)
def steps(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    prefix: Annotated[str, QueryParameter(max_length=MOVE_CHARS_MAX)] = "",
) -> Steps:
    """How a move that begins with ``prefix`` can go on; for input by parts."""
    seen = see(caller, match)
    state, to_move = seen.state, _to_move(seen)
    ways = state.the_game.rules.steps(state.position, prefix)
    lines = tuple(StepLine(way.text, way.ends, way.completable) for way in ways)
    return Steps(turn=state.turn, to_move=to_move, prefix=prefix, steps=lines)


@post("/matches/{match:str}/preview", sync_to_thread=True, status_code=200)
def preview(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[MovePreview]
) -> Preview:
    """What a move would do now, and nothing is kept; only where nothing is hidden."""
    seen = see(caller, match)
    return preview_of(seen, _mover_in_the_open(seen), data.move)


@get("/matches/{match:str}/preview.svg", sync_to_thread=True, media_type=SVG)
def preview_picture(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    move: Annotated[str, QueryParameter(max_length=MOVE_CHARS_MAX)] = "",
    seat: SeatAsked = None,
) -> Response[bytes]:
    """The board as it stands with the dry run of a move marked on it, in games that have one."""
    seen = see(caller, match, seat=seat)
    _mover_in_the_open(seen)
    return conditional(caller.request, dry_run_svg(seen, move), SVG, SVG_HEADERS)


def _mover_in_the_open(seen: Seen) -> str:
    """The seat to move, in a game without hidden things: there a move may be tried out."""
    if seen.state.terms.hidden:
        raise Problem(409, "hidden-game", "A game with hidden things has no previews.")
    return _to_move(seen)


def _to_move(seen: Seen) -> str:
    """The seat to move; in a game with hidden things only that seat may ask for its moves."""
    to_move = seen.state.to_move()
    if to_move is None:
        raise Problem(409, "nobody-to-move", "The match waits for no move just now.")
    if seen.state.terms.hidden and to_move not in seen.you:
        raise Problem(403, "not-your-turn", "Only the seat to move may see its moves here.")
    return to_move


@get("/matches/{match:str}/board.svg", sync_to_thread=True, media_type=SVG)
def board_picture(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    version: Version = None,
    ply: PlyNumber = None,
    seat: SeatAsked = None,
) -> Response[bytes]:
    """The board as a picture; light or dark as the reader's screen is."""
    svg = board_svg(see(caller, match, version, ply, seat))
    return conditional(caller.request, svg, SVG, SVG_HEADERS)


@get("/matches/{match:str}/board.txt", sync_to_thread=True, media_type="text/plain")
def board_characters(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    version: Version = None,
    ply: PlyNumber = None,
    seat: SeatAsked = None,
) -> Response[bytes]:
    """The board in plain characters, to be read aloud or in a terminal."""
    text = board_text(see(caller, match, version, ply, seat)).encode()
    return conditional(caller.request, text, "text/plain")


@get("/matches/{match:str}/events", sync_to_thread=True)
def events(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    after: After = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=EVENTS_MAX)] = 200,
) -> EventPage:
    """The match's events after a version, with their hashes: enough to verify the chain."""
    version = record_version(caller, match)
    upto = min(after + limit, version)
    page = public_events(caller.services.log, stream_of(match), after, upto)
    return EventPage(match=match, events=page, next=upto if upto < version else 0)


ROUTES = [
    match_view,
    legal_moves,
    steps,
    preview,
    preview_picture,
    board_picture,
    board_characters,
    events,
]
