"""What a match is: the fold of its events (``folding.py``). What is remembered stands here.

``version`` counts the stream's events, ``turn`` the events that changed the position, and the
ply is the place in the line that stands (takebacks shorten the line, never the log).
The fold with a ``Secret`` is the server's and never leaves the process; without one it is the
public fold.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from events import event_kinds as kinds
from services.games.contract import Game, Over, Seat, Terms
from services.games.registry import REGISTRY, Registry
from services.match import shuffle
from services.match.secret import Secret

Status = Literal["none", "open", "running", "ended"]

PLAYER = "player:"
"""How the log names a player as an actor."""
RUN = "run:"
"""How the log names a run as an actor: the host of the matches it opens."""


class Holder(msgspec.Struct, frozen=True):
    """Who has a seat: a player id, or a computer at a level.

    The level of an ``adaptive`` computer is fixed when the match starts.
    """

    player: str = ""
    level: int = 0
    adaptive: bool = False


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


class Round(msgspec.Struct, frozen=True):
    """A use of chance: what was seen of it, its commitment, and its key once it is over (hex)."""

    version: int
    turn: int
    number: int
    commit: str
    facts: tuple[str, ...]
    key: str = ""


class MatchState(msgspec.Struct, frozen=True):
    """A match after ``version`` events.

    ``base`` is the (turn, position) no takeback goes behind: the start, a deal, a resignation.
    ``entropy`` holds the given shares of the chance (hex), ``sealed`` the commitments of entries
    and ``entries`` their texts once they are open; all by seat.
    ``start_version`` is the event that brought ``start``.
    ``asked`` lists the (offer, seat) made since the last turn: one each, so chatter is bounded.
    ``turn_since`` is when the current turn began (µs), ``out`` the seats that gave up.
    ``is_counted``: the result is where it was waited for.
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
    entropy: Mapping[Seat, str] = {}
    sealed: Mapping[Seat, str] = {}
    entries: Mapping[Seat, str] = {}
    rounds: tuple[Round, ...] = ()
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
    is_counted: bool = False

    @property
    def run(self) -> str:
        """The run that opened the match and waits for its result; empty for any other match."""
        return self.host.removeprefix(RUN) if self.host.startswith(RUN) else ""

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
        given = [bytes.fromhex(self.entropy.get(seat, "")) for seat in self.seat_names()]
        return self.secret.match_key(self.match, given)

    def round_key(self, number: int) -> bytes:
        """The key of one deal (fair shuffle §2); the server's fold only."""
        return shuffle.round_key(self.match_key(), number)

    def still_asked(self) -> tuple[Seat, ...]:
        """The people whose entropy (given or declined) or entry the start still waits for."""
        return tuple(
            seat
            for seat in self.people()
            if (self.terms.chance and seat not in self.entropy)
            or (self.terms.sealed_entries and seat not in self.sealed)
        )

    def adaptive(self) -> tuple[Seat, ...]:
        """The seats of adaptive computers."""
        return tuple(s for s in self.seat_names() if (h := self.holder(s)) and h.adaptive)

    def people(self) -> tuple[Seat, ...]:
        """The seats that people hold."""
        return tuple(s for s in self.seat_names() if (h := self.holder(s)) and not h.level)


def initial(match: str, secret: Secret | None = None, games: Registry = REGISTRY) -> MatchState:
    """The match before its first event."""
    return MatchState(match=match, games=games, secret=secret)


def position_at(state: MatchState, turn: int) -> Any:
    """The position after ``turn`` in the line that stands; None if no takeback may reach it."""
    if turn == state.base[0]:
        return state.base[1]
    for ply in reversed(state.line):
        if ply.turn == turn and turn > state.base[0]:
            return ply.position
    return None
