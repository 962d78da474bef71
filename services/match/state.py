"""What a match is: the fold of its events. Start here to learn what is remembered.

``version`` counts the stream's events, ``turn`` the events that changed the position, and the
ply is the place in the line that stands (takebacks shorten the line, never the log).
The fold with a ``Secret`` is the server's and never leaves the process; without one it is the
public fold.
"""

from collections.abc import Iterable
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from events import event_kinds as kinds
from events.codec import decode
from events.recorded import Recorded
from services.games.contract import Game, Over, Seat, Terms
from services.games.registry import REGISTRY, Registry
from services.match import shuffle

Status = Literal["none", "open", "running", "ended"]


class Secret:
    """The server seed of a match. Prints blank, and no encoder takes it."""

    __slots__ = ("seed",)

    def __init__(self, seed: bytes) -> None:
        self.seed = seed

    def __repr__(self) -> str:
        return "Secret(…)"


class Holder(msgspec.Struct, frozen=True):
    """Who has a seat: a player id, or a computer at a level (1 to 8)."""

    player: str = ""
    level: int = 0


class Ply(msgspec.Struct, frozen=True):
    """A move of the line that stands, the version that recorded it, and the position after it."""

    version: int
    turn: int
    seat: Seat
    move: str
    facts: tuple[str, ...]
    thought: kinds.Thought | None
    position: Any


class Offer(msgspec.Struct, frozen=True):
    """An open proposal and the seats that agree so far (the proposer first)."""

    offer: str
    seat: Seat
    to_turn: int
    agreed: tuple[Seat, ...]


class MatchState(msgspec.Struct, frozen=True):
    """A match after ``version`` events.

    ``base`` is the (turn, position) no takeback goes behind: the start, or a resignation.
    ``start_version`` is the event that brought ``start``.
    ``asked`` lists the (offer, seat) made since the last turn: one each, so chatter is bounded.
    ``turn_since`` is when the current turn began (µs), ``out`` the seats that gave up.
    """

    match: str
    games: Registry
    secret: Secret | None = None
    version: int = 0
    turn: int = 0
    status: Status = "none"
    game: Game | None = None
    ruleset: Any = None
    terms: Terms = Terms(seats=0, plies_max=0)
    host: str = ""
    visibility: str = "link"
    rated: bool = False
    imported: bool = False
    per_move_s: int = 0
    seats: tuple[Holder | None, ...] = ()
    seed_commit: str = ""
    start: Any = None
    start_version: int = 0
    position: Any = None
    base: tuple[int, Any] = (0, None)
    line: tuple[Ply, ...] = ()
    out: tuple[Seat, ...] = ()
    offers: tuple[Offer, ...] = ()
    asked: tuple[tuple[str, Seat], ...] = ()
    turn_since: int = 0
    ended: kinds.MatchEnded | None = None

    @property
    def ply(self) -> int:
        """Moves in the line that stands."""
        return len(self.line)

    @property
    def the_game(self) -> Game:
        """The game; only before the first event there is none."""
        assert self.game is not None, "a match without events has no game"
        return self.game

    def seat_names(self) -> tuple[Seat, ...]:
        """The seats of this match, A first."""
        return tuple("ABCD"[: len(self.seats)])

    def holder(self, seat: Seat) -> Holder | None:
        """Who has the seat; None if it is free or does not exist."""
        index = ord(seat) - ord("A")
        return self.seats[index] if index < len(self.seats) else None

    def to_move(self) -> Seat | None:
        """The seat whose move the running match waits for."""
        if self.status != "running":
            return None
        awaited = self.the_game.rules.awaiting(self.position)
        return awaited if isinstance(awaited, str) else None

    def over(self) -> bool:
        """Whether the rules say that play is over."""
        return isinstance(self.the_game.rules.awaiting(self.position), Over)

    def match_key(self) -> bytes:
        """The secret key all chance of the match follows from; the server's fold only."""
        assert self.secret is not None, "only the server's fold knows the match key"
        return shuffle.match_key(self.secret.seed, self.match, [b""] * len(self.seats))


def initial(match: str, secret: Secret | None = None, games: Registry = REGISTRY) -> MatchState:
    """The match before its first event."""
    return MatchState(match=match, games=games, secret=secret)


def fold(state: MatchState, events: Iterable[Recorded]) -> MatchState:
    """The match after more stored events; ``events.codec.UnknownKind`` on kinds of the future."""
    for recorded in events:
        state = evolve(state, decode(recorded.kind, recorded.data), recorded.received_at)
    return state


def evolve(state: MatchState, event: kinds.Event, received_at: int = 0) -> MatchState:
    """The match after one more event; ``received_at`` (µs) is the envelope's."""
    after: MatchState = _STEPS[type(event)](state, event, received_at)
    return after


def _created(state: MatchState, event: kinds.MatchCreated, received_at: int) -> MatchState:
    game, ruleset = _game_of(state, event)
    return replace(
        state,
        version=state.version + 1,
        status="open",
        game=game,
        ruleset=ruleset,
        terms=game.rules.terms(ruleset),
        host=event.host,
        visibility=event.visibility,
        rated=event.rated,
        per_move_s=event.per_move_s,
        seats=(None,) * event.seats,
        seed_commit=event.seed_commit,
        turn_since=received_at,
    )


def _imported(state: MatchState, event: kinds.MatchImported, received_at: int) -> MatchState:
    game, ruleset = _game_of(state, event)
    start = (
        game.notation.parse_position(event.start) if event.start else game.rules.setup(ruleset, {})
    )
    return replace(
        state,
        version=state.version + 1,
        status="running",
        game=game,
        ruleset=ruleset,
        terms=game.rules.terms(ruleset),
        visibility="public",
        imported=True,
        seats=(None,) * event.seats,
        start=start,
        start_version=state.version + 1,
        position=start,
        base=(0, start),
        turn_since=received_at,
    )


def _game_of(
    state: MatchState, event: kinds.MatchCreated | kinds.MatchImported
) -> tuple[Game, Any]:
    game = state.games.game(event.game, event.rules_version)
    return game, game.rules.ruleset(event.ruleset)


def _seat_taken(state: MatchState, event: kinds.SeatTaken, _received_at: int) -> MatchState:
    holder = Holder(player=event.player, level=event.level)
    return _with_holder(state, event.seat, holder)


def _seat_left(state: MatchState, event: kinds.SeatLeft, _received_at: int) -> MatchState:
    return _with_holder(state, event.seat, None)


def _with_holder(state: MatchState, seat: Seat, holder: Holder | None) -> MatchState:
    index = ord(seat) - ord("A")
    seats = (*state.seats[:index], holder, *state.seats[index + 1 :])
    return replace(state, version=state.version + 1, seats=seats)


def _started(state: MatchState, _event: kinds.MatchStarted, received_at: int) -> MatchState:
    start = state.the_game.rules.setup(state.ruleset, {})
    return replace(
        state,
        version=state.version + 1,
        status="running",
        start=start,
        start_version=state.version + 1,
        position=start,
        base=(0, start),
        turn_since=received_at,
    )


def _move_played(state: MatchState, event: kinds.MovePlayed, received_at: int) -> MatchState:
    step = state.the_game.rules.apply(state.position, event.move, event.facts)
    ply = Ply(
        version=state.version + 1,
        turn=event.turn,
        seat=event.seat,
        move=event.move,
        facts=event.facts,
        thought=event.thought,
        position=step.position,
    )
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=step.position,
        line=(*state.line, ply),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _withdrawn(
    state: MatchState, event: kinds.SeatResigned | kinds.SeatTimedOut, received_at: int
) -> MatchState:
    step = state.the_game.rules.withdraw(state.position, event.seat, event.facts)
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=step.position,
        base=(event.turn, step.position),
        out=(*state.out, event.seat),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _offer_made(state: MatchState, event: kinds.OfferMade, _received_at: int) -> MatchState:
    offer = Offer(event.offer, event.seat, event.to_turn, (event.seat,))
    return replace(
        state,
        version=state.version + 1,
        offers=(*state.offers, offer),
        asked=(*state.asked, (event.offer, event.seat)),
    )


def _offer_answered(state: MatchState, event: kinds.OfferAnswered, _received_at: int) -> MatchState:
    kept = tuple(
        replace(offer, agreed=(*offer.agreed, event.seat)) if offer.offer == event.offer else offer
        for offer in state.offers
        if event.yes or offer.offer != event.offer
    )
    return replace(state, version=state.version + 1, offers=kept)


def _taken_back(state: MatchState, event: kinds.TakenBack, received_at: int) -> MatchState:
    return replace(
        state,
        version=state.version + 1,
        turn=event.turn,
        position=position_at(state, event.to_turn),
        line=tuple(ply for ply in state.line if ply.turn <= event.to_turn),
        offers=(),
        asked=(),
        turn_since=received_at,
    )


def _ended(state: MatchState, event: kinds.MatchEnded, _received_at: int) -> MatchState:
    return replace(
        state, version=state.version + 1, status="ended", offers=(), asked=(), ended=event
    )


def position_at(state: MatchState, turn: int) -> Any:
    """The position after ``turn`` in the line that stands; None if no takeback may reach it."""
    if turn == state.base[0]:
        return state.base[1]
    for ply in reversed(state.line):
        if ply.turn == turn and turn > state.base[0]:
            return ply.position
    return None


_STEPS: dict[type[kinds.Event], Any] = {
    kinds.MatchCreated: _created,
    kinds.MatchImported: _imported,
    kinds.SeatTaken: _seat_taken,
    kinds.SeatLeft: _seat_left,
    kinds.MatchStarted: _started,
    kinds.MovePlayed: _move_played,
    kinds.SeatResigned: _withdrawn,
    kinds.SeatTimedOut: _withdrawn,
    kinds.OfferMade: _offer_made,
    kinds.OfferAnswered: _offer_answered,
    kinds.TakenBack: _taken_back,
    kinds.MatchEnded: _ended,
}
