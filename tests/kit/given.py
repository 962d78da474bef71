"""Given events, when a command, then events or a refusal: how deciders are tested."""

from msgspec.structs import replace

from events import event_kinds as kinds
from services.games.registry import Registry
from services.match import shuffle
from services.match.commands import MatchCommand
from services.match.decider import decide
from services.match.folding import evolve
from services.match.refusals import Refusal
from services.match.secret import Secret
from services.match.state import MatchState, initial
from tests.kit.nim import NIM, NIM_2

SEED = bytes(range(32))
GAMES = Registry([NIM])
BOTH_VERSIONS = Registry([NIM, NIM_2])
HOST = "player:p-ann"
GUEST = "player:p-bob"

CREATED = kinds.MatchCreated(
    game="nim",
    rules_version=1,
    ruleset={"heap": 5, "seats": 2},
    seats=2,
    seed_commit=shuffle.seed_commit(SEED).hex(),
    host=HOST,
)
ANN_AT_A = kinds.SeatTaken(seat="A", player="p-ann")
BOB_AT_B = kinds.SeatTaken(seat="B", player="p-bob")
COMPUTER_AT_B = kinds.SeatTaken(seat="B", level=1)
STARTED = kinds.MatchStarted()
TWO_PEOPLE = (CREATED, ANN_AT_A, BOB_AT_B, STARTED)
WITH_COMPUTER = (CREATED, ANN_AT_A, COMPUTER_AT_B, STARTED)


def played(turn: int, seat: str, move: str, *facts: str) -> kinds.MovePlayed:
    """A move event of the toy game."""
    return kinds.MovePlayed(turn=turn, seat=seat, move=move, facts=facts)


class Given:
    """A match after some events, all received at one moment (µs)."""

    def __init__(self, *events: kinds.Event, at: int = 0, games: Registry = GAMES) -> None:
        state = initial("m-test", Secret(SEED), games)
        for event in events:
            state = evolve(state, event, at)
        self.state: MatchState = state
        self._answer: tuple[kinds.Event, ...] | Refusal | None = None

    def when(self, command: MatchCommand, actor: str = HOST, at: int = 0) -> "Given":
        """Decide one command."""
        self._answer = decide(self.state, command, actor, at)
        return self

    def then(self, *events: kinds.Event) -> None:
        """The decision is exactly these events; the seed a match end opens is not repeated."""
        assert isinstance(self._answer, tuple), self._answer
        shown = tuple(
            replace(event, server_seed="") if isinstance(event, kinds.MatchEnded) else event
            for event in self._answer
        )
        assert shown == events

    def refused(self, code: str) -> Refusal:
        """The decision is a refusal with this code and a whole sentence."""
        assert isinstance(self._answer, Refusal), self._answer
        assert self._answer.code == code
        assert self._answer.sentence.endswith((".", "!", "?"))
        return self._answer
