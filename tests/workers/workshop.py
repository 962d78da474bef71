"""A worker process's parts over a real log, with a clock to turn and toy engines to ask."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from events.codec import decode
from events.event_kinds import MovePlayed
from events.log import EventLog
from events.migrations import upgrade
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.secret_store import Sealer
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from events.store import Store
from services.games.registry import Registry
from services.levels import Levels
from services.match import commands as cmd
from services.match.handler import Done, Handler, stream_of
from services.projections.inline import INLINE_TABLES, written_rows
from services.ratings.handler import Opponents, level_of_opponent
from tests.kit.desk import new_campaigns
from tests.kit.nim import NIM
from tests.workers.toy_engines import LEVELS, think
from workers.celery_app import QUEUES
from workers.dispatcher import Dispatcher
from workers.election import Election
from workers.engine_pool import EnginePool
from workers.engines.contract import Answer, Question
from workers.lanes import lanes
from workers.offers import Due
from workers.toolbox import Report, Toolbox

ANN = "player:p-ann"
KEY = bytes(32)
SECOND = 1_000_000
TOYS = Registry([NIM])


class Clock:
    """A clock that stands still until it is turned (µs)."""

    def __init__(self) -> None:
        self.now = 1_000 * SECOND

    def __call__(self) -> int:
        """What it shows."""
        return self.now

    def turn(self, seconds: float) -> None:
        """Let time pass."""
        self.now += int(seconds * SECOND)


class InlineEngines(EnginePool):
    """Engines asked in this process, for tests in which they behave, or are any function."""

    def ask(
        self,
        question: Question,
        seconds: float,  # noqa: ARG002 - never too slow
        begins: Callable[[], None] = lambda: None,
    ) -> Answer:
        """The engine's answer."""
        begins()
        return self._think(question)


@dataclass
class Workshop:
    """All that a test of workers needs; ``published`` and ``reports`` note what happened."""

    store: Store
    log: EventLog
    handler: Handler
    clock: Clock
    engines: EnginePool
    levels: Levels = LEVELS
    published: list[Due] = field(default_factory=list)
    reports: list[Report] = field(default_factory=list)

    def tools(self, worker: str = "w1", engine_seconds: float = 10.0) -> Toolbox:
        """The toolbox of one worker process."""
        return Toolbox(
            store=self.store,
            handler=self.handler,
            campaigns=new_campaigns(self.log, self.handler),
            opponents=Opponents(self.log, self.handler, LEVELS),
            levels=self.levels,
            engines=self.engines,
            clock=self.clock,
            worker=worker,
            observe=self.reports.append,
            engine_seconds=engine_seconds,
        )

    def dispatcher(
        self, holder: str = "d1", *, window: int = 4, publish: Callable[[Due], None] | None = None
    ) -> Dispatcher:
        """A candidate for the office; what it publishes is noted, or given to ``publish``."""
        note = publish or self.published.append
        return Dispatcher(
            self.log,
            self.store,
            lambda due, _seconds: note(due),
            lanes=lanes(self.levels.specs()),
            windows=dict.fromkeys(QUEUES, window),
            election=Election(self.store, "dispatcher", holder, self.clock),
            clock=self.clock,
            on_error=raise_it,
        )

    def match(self, *levels: int, heap: int = 5, per_move_s: int = 0, hidden: bool = False) -> str:
        """A running match of the toy game: Ann at A, computers of these levels after her."""
        ruleset = {"heap": heap, "seats": 1 + len(levels)} | ({"hidden": 1} if hidden else {})
        created = self.done(cmd.CreateMatch("nim", ruleset, per_move_s=per_move_s))
        self.done(cmd.TakeSeat("A"), created)
        for level in levels:
            self.done(cmd.TakeSeat(level=level), created)
        self.done(cmd.StartMatch(), created)
        return created

    def adaptive_match(self, level: int = 1, heap: int = 5) -> str:
        """A running match of Ann's against the computer that follows her."""
        created = self.done(cmd.CreateMatch("nim", {"heap": heap}))
        self.done(cmd.TakeSeat("A"), created)
        self.done(cmd.TakeSeat("B", level=level, adaptive=True), created)
        self.done(cmd.StartMatch(), created)
        return created

    def waiting_match(self, level: int = 1, heap: int = 5) -> str:
        """A match in which Ann has taken one, and the computer is to move after turn 1."""
        match = self.match(level, heap=heap)
        self.ann_takes_one(match)
        return match

    def ann_takes_one(self, match: str) -> None:
        """Ann's move, whenever it is her turn."""
        state = self.handler.load(match)
        assert state is not None
        self.done(cmd.PlayMove("A", "1", state.turn), match)

    def done(self, command: cmd.MatchCommand, match: str = "") -> str:
        """A command of Ann's that succeeds; the match's id."""
        at = self.clock()
        if isinstance(command, cmd.CreateMatch):
            answer = self.handler.create(command, actor=ANN, command_id=None, received_at=at)
        else:
            answer = self.handler.handle(match, command, actor=ANN, command_id=None, received_at=at)
        assert isinstance(answer, Done), answer
        return answer.match

    def moves(self, match: str) -> list[MovePlayed]:
        """The moves in a match's log, in order."""
        events = [decode(e.kind, e.data) for e in self.log.read(stream_of(match))]
        return [event for event in events if isinstance(event, MovePlayed)]


def raise_it(_name: str, error: Exception) -> None:
    """No loop of a test may fail in silence."""
    raise error


@contextmanager
def workshop(
    database: Path | str,
    engines: EnginePool | None = None,
    levels: Levels = LEVELS,
    games: Registry = TOYS,
) -> Iterator[Workshop]:
    """A workshop over a new SQLite file, or over the empty database of a PostgreSQL URL."""
    clock = Clock()
    with ExitStack() as stack:
        store: Store
        log: EventLog
        if isinstance(database, Path):
            store = stack.enter_context(closing(SqliteStore(database, "NORMAL")))
            upgrade(store, INLINE_TABLES)
            log = stack.enter_context(closing(SqliteLog(store, INLINE_TABLES, clock)))
        else:
            store = stack.enter_context(closing(PostgresStore(database)))
            upgrade(store, INLINE_TABLES)
            log = stack.enter_context(closing(PostgresLog(store, INLINE_TABLES, clock)))
        handler = Handler(
            log,
            sealer=Sealer(KEY),
            levels=levels,
            id_key=KEY,
            written_rows=written_rows,
            level_of_opponent=partial(level_of_opponent, log),
            games=games,
        )
        engines = stack.enter_context(closing(engines or InlineEngines(think)))
        yield Workshop(store, log, handler, clock, engines, levels)
