"""The one door of matches: every command is loaded for, decided and recorded here."""

import hashlib
import secrets
from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from events.codec import UnknownKind
from events.log import Appended, CommandId, EventLog, InlineRow, Namespace
from events.log import Secret as SealedSecret
from events.secret_store import Sealer
from services.games.registry import REGISTRY, Registry
from services.levels import Levels
from services.match import commands as cmd
from services.match.decider import decide
from services.match.door import Asked, Judge, newer_log, through
from services.match.folding import evolve, fold
from services.match.ids import ID_BYTES, id_from, id_of
from services.match.refusals import Refusal
from services.match.secret import Secret
from services.match.shuffle import SEED_BYTES
from services.match.state import PLAYER, MatchState, initial
from services.match.state_cache import StateCache

SEED_NAME = "server_seed"
ENTRY_NAME = "entry:"

LevelOfOpponent = Callable[[str, str], int]
"""The level of a player's adaptive opponent in a game; 0 before they first met."""
WrittenRows = Callable[[MatchState, MatchState], tuple[InlineRow, ...]]
"""The inline rows to write when a match goes from one state to a later one."""

_encoder = msgspec.json.Encoder(order="deterministic")


class Done(msgspec.Struct, frozen=True):
    """The command is in the log.

    ``head`` is the stream's hash in hex after it; ``state`` is the server's fold and stays in
    the process.
    """

    match: str
    version: int
    turn: int
    head: str
    position: int
    state: MatchState
    repeated: bool = False


Answer = Done | Refusal


class Handler:
    """Takes commands for matches. Thread-safe; holds nothing that the log does not."""

    def __init__(
        self,
        log: EventLog,
        *,
        sealer: Sealer,
        levels: Levels,
        id_key: bytes,
        written_rows: WrittenRows,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
        level_of_opponent: LevelOfOpponent = lambda _player, _game: 0,
        games: Registry = REGISTRY,
    ) -> None:
        self._log = log
        self._sealer = sealer
        self._levels = levels
        self._id_key = id_key
        self._written_rows = written_rows
        self._new_seed = new_seed
        self._level_of_opponent = level_of_opponent
        self._games = games
        self._states = StateCache()

    def create(
        self,
        command: cmd.CreateMatch,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
        request: bytes = b"",
    ) -> Answer:
        """Open a match under a new id; the same idempotency key always means the same match.

        ``request`` is whatever else was asked for under that key: it has to be the same as well.
        """
        return self.handle(
            self._new_match_id(actor, command_id),
            command,
            actor=actor,
            command_id=command_id,
            received_at=received_at,
            request=request,
        )

    def note_counted(self, state: MatchState, received_at: int) -> None:
        """Note in a match that is over that its result is counted where somebody waited for it."""
        self.handle(
            state.match,
            cmd.CountMatch(),
            actor=state.host,
            command_id=CommandId(Namespace.INSIDE, f"count:{state.match}"),
            received_at=received_at,
        )

    def handle(
        self,
        match: str,
        command: cmd.MatchCommand,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
        cause: str = "",
        request: bytes = b"",
    ) -> Answer:
        """Decide and record one command; ``received_at`` (µs) was stamped at the edge."""
        passed = through(
            self._log,
            Asked(
                stream=stream_of(match),
                actor=actor,
                command_id=command_id,
                fingerprint=fingerprint_of(command, request),
                received_at=received_at,
                cause=cause,
            ),
            Judge(
                before=lambda: self._before(match, command),
                decide=lambda state: decide(
                    state, self._with_levels(state, command), actor, received_at
                ),
                evolve=lambda state, event: evolve(state, event, received_at),
                rows=self._written_rows,
                secrets=lambda before: self._new_secrets(before, command),
            ),
        )
        if isinstance(passed, Refusal):
            return passed
        if passed.after is None:
            return self._first_answer(match, passed.appended)
        after = self._with_new_entries(passed.after)
        self._states.put(after)
        return _done(passed.appended, after)

    def load(self, match: str) -> MatchState | None:
        """The server's fold as it is now; None if there is no such match."""
        state = self._states.get(match)
        if state is None:
            state = initial(match, self._secret(match), self._games)
        tail = self._log.told(stream_of(match), after=state.version)
        if tail:
            state = self._with_new_entries(fold(state, tail))
            self._states.put(state)
        return state if state.version else None

    def at(
        self, match: str, *, version: int | None = None, ply: int | None = None
    ) -> MatchState | None:
        """The match as it was at a version, or at a ply of the line that stands.

        None if there is no such match, version or ply.
        """
        state = self.load(match)
        if state is None or (version is None and ply is None):
            return state
        if version is None:
            version = _version_of_ply(state, ply or 0)
        if not 1 <= version <= state.version:
            return None
        if version == state.version:
            return state
        events = self._log.told(stream_of(match), upto=version)
        return fold(initial(match, state.secret, self._games), events)

    def _with_levels(self, state: MatchState, command: cmd.MatchCommand) -> cmd.MatchCommand:
        """A start with the levels that adaptive computers have by now.

        A result that is counted in this very moment may come too late for them.
        """
        if not isinstance(command, cmd.StartMatch):
            return command
        levels = {}
        for seat in state.adaptive():
            holder = state.holder(seat)
            assert holder is not None, "an adaptive seat is held"
            player = state.host.removeprefix(PLAYER)
            now = self._level_of_opponent(player, state.the_game.rules.slug)
            levels[seat] = now or holder.level
        return replace(command, levels=levels)

    def _with_new_entries(self, state: MatchState) -> MatchState:
        """The fold knows that an entry was sealed; its text has to come from the secret store."""
        if state.secret is None or state.sealed.keys() <= state.secret.entries.keys():
            return state
        return replace(state, secret=self._secret(state.match))

    def _before(self, match: str, command: cmd.MatchCommand) -> MatchState | Refusal:
        """The state a command is judged against; a new match gets its secret seed here."""
        state = self.load(match)
        if state is None:
            if isinstance(command, cmd.CreateMatch):
                return initial(match, Secret(self._new_seed()), self._games)
            if isinstance(command, cmd.ImportMatch):
                return initial(match, games=self._games)
            return Refusal("no-such-match", f"There is no match {match}.")
        if isinstance(command, cmd.TakeSeat) and command.level:
            game = state.the_game.rules.slug
            levels = self._levels.own(game) if command.adaptive else self._levels.known(game)
            if command.level not in levels:
                sentence = f"{state.the_game.title} has no level {command.level}."
                return Refusal("no-such-level", sentence, {"levels": levels})
        return state

    def _first_answer(self, match: str, known: Appended) -> Answer:
        try:
            state = self.at(match, version=known.version)
        except UnknownKind as error:
            return newer_log(error)
        assert state is not None, "an append that was answered is in the log"
        return _done(replace(known, repeated=True), state)

    def _new_secrets(
        self, before: MatchState, command: cmd.MatchCommand
    ) -> tuple[SealedSecret, ...]:
        """What the append adds to the secret store: a new match's seed, a sealed entry."""
        if isinstance(command, cmd.SealEntry):
            return (
                self._sealed(before.match, f"{ENTRY_NAME}{command.seat}", command.text.encode()),
            )
        if before.version or before.secret is None:
            return ()
        return (self._sealed(before.match, SEED_NAME, before.secret.seed),)

    def _sealed(self, match: str, name: str, plain: bytes) -> SealedSecret:
        return SealedSecret(name, self._sealer.seal(stream_of(match), name, plain))

    def _secret(self, match: str) -> Secret | None:
        stream = stream_of(match)
        plain = {
            name: self._sealer.unseal(stream, name, sealed)
            for name, sealed in self._log.secrets(stream).items()
        }
        if SEED_NAME not in plain:
            return None
        entries = {
            name.removeprefix(ENTRY_NAME): text.decode()
            for name, text in plain.items()
            if name.startswith(ENTRY_NAME)
        }
        return Secret(plain[SEED_NAME], entries)

    def _new_match_id(self, actor: str, command_id: CommandId | None) -> str:
        """Unguessable; from the idempotency key if there is one, so a retry finds its match."""
        if command_id is None:
            return id_of("m", secrets.token_bytes(ID_BYTES))
        return id_from(self._id_key, "m", [command_id.namespace.value, actor, command_id.key])


def stream_of(match: str) -> str:
    """The stream that holds a match."""
    return f"match/{match}"


def fingerprint_of(command: cmd.Command, request: bytes = b"") -> bytes:
    """What makes two commands the same: what was asked, never the evidence or the result.

    ``request`` is the rest of a request that is made of several commands.
    """
    if isinstance(command, cmd.PlayMove):
        command = replace(command, thought=None)
    return hashlib.sha256(_encoder.encode(command) + request).digest()


def _done(answer: Appended, state: MatchState) -> Done:
    return Done(
        match=state.match,
        version=answer.version,
        turn=state.turn,
        head=answer.hash.hex(),
        position=answer.position,
        state=state,
        repeated=answer.repeated,
    )


def _version_of_ply(state: MatchState, ply: int) -> int:
    if ply == 0:
        return state.start_version
    return state.line[ply - 1].version if 1 <= ply <= len(state.line) else 0
