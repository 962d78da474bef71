"""What anybody, or one seat, may see of a match: plain data, ready for JSON."""

from typing import Any

import msgspec

from services.games.contract import Seat
from services.match.clock import deadline_at
from services.match.state import MatchState, Ply


class SeatView(msgspec.Struct, frozen=True):
    """A seat: ``kind`` is ``person``, ``computer`` or ``free``; ``out`` if it gave up.

    The level of an ``adaptive`` computer is where it begins, and from the start what it plays at.
    """

    seat: Seat
    kind: str
    player: str = ""
    level: int = 0
    out: bool = False
    adaptive: bool = False


class MoveView(msgspec.Struct, frozen=True):
    """A move of the line that stands; ``facts`` are what the rules added.

    ``fallback`` says why a computer's move is not by its level but by a weaker engine (empty: it
    is by its level, or a person's).
    """

    ply: int
    turn: int
    seat: Seat
    move: str
    facts: tuple[str, ...]
    fallback: str = ""


class OfferView(msgspec.Struct, frozen=True):
    """An open offer and the seats that agree so far."""

    offer: str
    seat: Seat
    to_turn: int
    agreed: tuple[Seat, ...]


class RoundView(msgspec.Struct, frozen=True):
    """A use of chance: its commitment, what everybody saw of it, its key once it is over (hex)."""

    number: int
    turn: int
    commit: str
    facts: tuple[str, ...]
    key: str


class MatchView(msgspec.Struct, frozen=True):
    """A match as one caller may see it; ``points`` stand as they are now or at the end.

    ``to_move`` is empty unless the match runs; ``deadline_at`` (µs) is 0 without a clock.
    ``entropy`` (hex by seat) is empty in a game without chance and where nobody gave any: then
    the deal is the server's alone. ``waiting_for`` lists the people whose entropy (given or
    declined) or entry the start still waits for.
    """

    match: str
    game: str
    title: str
    rules_version: int
    ruleset: dict[str, Any]
    status: str
    visibility: str
    rated: bool
    imported: bool
    host: str
    seats: tuple[SeatView, ...]
    version: int
    turn: int
    ply: int
    to_move: str
    deadline_at: int
    per_move_s: int
    position: str
    points: dict[Seat, int]
    parts: dict[str, int]
    winners: tuple[Seat, ...]
    how: str
    offers: tuple[OfferView, ...]
    moves: tuple[MoveView, ...]
    seed_commit: str
    chance: bool
    entropy: dict[Seat, str]
    entries: dict[Seat, str]
    waiting_for: tuple[Seat, ...]
    rounds: tuple[RoundView, ...]


def view_of(state: MatchState, seat: Seat | None = None) -> MatchView:
    """The match as ``seat`` sees it, or as anybody does."""
    game = state.the_game
    points, parts, winners, how = _result(state, seat)
    return MatchView(
        match=state.match,
        game=game.rules.slug,
        title=game.title,
        rules_version=game.rules.version,
        ruleset=game.rules.ruleset_data(state.ruleset),
        status=state.status,
        visibility=state.visibility,
        rated=state.rated,
        imported=state.imported,
        host=state.host,
        seats=tuple(_seat_view(state, name) for name in state.seat_names()),
        version=state.version,
        turn=state.turn,
        ply=state.ply,
        to_move=state.to_move() or "",
        deadline_at=deadline_at(state) or 0,
        per_move_s=state.per_move_s,
        position=position_text(state, seat),
        points=points,
        parts=parts,
        winners=winners,
        how=how,
        offers=tuple(OfferView(o.offer, o.seat, o.to_turn, o.agreed) for o in state.offers),
        moves=tuple(
            MoveView(number, ply.turn, ply.seat, ply.move, ply.facts, _fallback(ply))
            for number, ply in enumerate(state.line, start=1)
        ),
        seed_commit=state.seed_commit,
        chance=state.terms.chance,
        entropy=dict(state.entropy),
        entries=dict(state.entries),
        waiting_for=state.still_asked() if state.status == "open" else (),
        rounds=tuple(RoundView(r.number, r.turn, r.commit, r.facts, r.key) for r in state.rounds),
    )


def position_text(state: MatchState, seat: Seat | None = None) -> str:
    """The position as ``seat`` (None: anybody) may see it, as one line; empty before the start."""
    if state.position is None:
        return ""
    game = state.the_game
    return game.notation.format_position(game.rules.view(state.position, seat))


def _fallback(ply: Ply) -> str:
    return ply.thought.fallback if ply.thought else ""


def _result(
    state: MatchState, seat: Seat | None
) -> tuple[dict[Seat, int], dict[str, int], tuple[Seat, ...], str]:
    if state.ended is not None:
        ended = state.ended
        return ended.points, ended.parts, ended.winners, ended.how
    if state.position is None:
        return {}, {}, (), ""
    rules = state.the_game.rules
    standing = rules.standing(rules.view(state.position, seat))
    return dict(standing.points), dict(standing.parts), (), ""


def _seat_view(state: MatchState, seat: Seat) -> SeatView:
    holder = state.holder(seat)
    if holder is None:
        return SeatView(seat, "free")
    kind = "computer" if holder.level else "person"
    out = seat in state.out
    return SeatView(seat, kind, holder.player, holder.level, out, holder.adaptive)
