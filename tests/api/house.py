"""A whole web house over a SQLite file: services, a client, people, and somebody who plays."""

import random
import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from litestar import Litestar
from litestar.testing import TestClient

from events.event_kinds import Thought
from events.migrations import upgrade
from events.projector import Projector
from events.secret_store import Sealer
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from services.api.app import create_app
from services.api.hub import Hub
from services.api.services import Limits, Services
from services.campaigns import solo_rules
from services.games.registry import REGISTRY, Registry
from services.levels import Levels, LevelSpec
from services.match.commands import PlayMove, Resign
from services.match.handler import Done, Handler
from services.players.accounts import Players
from services.players.invites import Invites
from services.players.tokens import token_hash
from services.projections.catching_up import CATCHING_UP
from services.projections.inline import INLINE_TABLES, written_rows
from services.ratings.handler import Opponents, level_of_opponent
from tests.kit.desk import new_campaigns
from tests.kit.tree import ROOT

KEY = bytes(32)
OPERATOR = "operator_token-of-the-tests"
LEVELS = Levels(
    [LevelSpec("blokus", level, "greedy", 1, 0) for level in (1, 2)]
    + [LevelSpec("caltrop", level, "greedy", 1, 0) for level in solo_rules.LEVELS.values()]
)
OPEN_HOUSE = Limits(
    token_requests_per_minute=0,
    address_requests_per_minute=0,
    accounts_per_hour=0,
    keep_alive_seconds=0.3,
)
"""No limits on rates, so that only the tests about them meet them."""


class Clock:
    """Time that goes on a millisecond at each look, and further when told to."""

    def __init__(self) -> None:
        self.now = 1_700_000_000_000_000
        self._lock = threading.Lock()

    def __call__(self) -> int:
        """Now, in microseconds."""
        with self._lock:
            self.now += 1_000
            return self.now

    def pass_seconds(self, seconds: int) -> None:
        """Let time go by."""
        self.now += seconds * 1_000_000


class House:
    """The services of one test and what it does behind their back."""

    def __init__(self, services: Services, clock: Clock) -> None:
        self.services = services
        self.clock = clock
        self._projector = Projector(services.store, services.log, CATCHING_UP)

    def app(self, **changes: Any) -> Litestar:
        """The application, with some services replaced."""
        return create_app(replaced(self.services, **changes))

    def catch_up(self) -> None:
        """Bring the lists up to date, as the relay does."""
        self._projector.catch_up()

    def computer_plays(self, match: str, seat: str = "B", fallback: str = "") -> Done:
        """The computer's turn: any legal move, through the one door like everybody's."""
        handler = self.services.handler
        state = handler.load(match)
        assert state is not None
        moves = state.the_game.rules.moves(state.position).texts
        answer = handler.handle(
            match,
            PlayMove(
                seat=seat,
                move=random.Random(state.turn).choice(moves),
                expected_turn=state.turn,
                thought=Thought("greedy", 1, level=1, budget=0, fallback=fallback),
            ),
            actor=f"computer:{seat}",
            command_id=None,
            received_at=self.clock(),
        )
        assert isinstance(answer, Done), answer
        return answer

    def resigns(self, match: str, seat: str, actor: str) -> None:
        """A seat gives the match up."""
        answer = self.services.handler.handle(
            match, Resign(seat), actor=actor, command_id=None, received_at=self.clock()
        )
        assert isinstance(answer, Done), answer

    @contextmanager
    def ringing(self) -> Iterator[None]:
        """Ring the hub for every new event, as the bus consumer does."""
        stop = threading.Event()
        thread = threading.Thread(target=self._ring, args=(stop,), daemon=True)
        thread.start()
        try:
            yield
        finally:
            stop.set()
            thread.join()

    def _ring(self, stop: threading.Event) -> None:
        log, after = self.services.log, self.services.log.position()
        while not stop.is_set():
            if log.wait(after, 0.05):
                for event in log.read_all(after):
                    self.services.hub.notify(
                        event.stream, event.version, event.position, event.kind
                    )
                    after = event.position


def replaced(services: Services, **changes: Any) -> Services:
    """The services with some of them others."""
    fields = {name: getattr(services, name) for name in services.__dataclass_fields__}
    return Services(**{**fields, **changes})


@contextmanager
def house(folder: Path, games: Registry = REGISTRY) -> Iterator[House]:
    """A new house in a folder, for these games."""
    clock = Clock()
    with closing(SqliteStore(folder / "log.db", "NORMAL")) as store:
        upgrade(store, INLINE_TABLES, CATCHING_UP)
        with closing(SqliteLog(store, INLINE_TABLES, clock)) as log:
            handler = Handler(
                log,
                sealer=Sealer(KEY),
                levels=LEVELS,
                id_key=KEY,
                written_rows=written_rows,
                level_of_opponent=partial(level_of_opponent, log),
                games=games,
            )
            services = Services(
                handler=handler,
                campaigns=new_campaigns(log, handler),
                opponents=Opponents(log, handler, LEVELS),
                log=log,
                store=store,
                players=Players(store, clock),
                invites=Invites(store, clock),
                levels=LEVELS,
                hub=Hub(),
                clock=clock,
                key=KEY,
                operator_hash=token_hash(OPERATOR),
                games=games,
                limits=OPEN_HOUSE,
                seeds=ROOT / "seeds",
            )
            yield House(services, clock)


class Person:
    """Somebody with a token, and what they do over HTTP."""

    def __init__(self, client: TestClient[Litestar] | httpx.Client, name: str) -> None:
        self.client = client
        account = client.post("/v1/players", json={"name": name}).json()
        self.player: str = account["player"]
        self.token: str = account["token"]
        self.headers = {"Authorization": f"Bearer {self.token}"}

    def get(self, path: str, **headers: str) -> httpx.Response:
        """Read something."""
        return self.client.get(f"/v1{path}", headers={**self.headers, **headers})

    def post(
        self, path: str, body: Mapping[str, Any] | None = None, **headers: str
    ) -> httpx.Response:
        """Do something; ``key`` becomes the idempotency key."""
        if "key" in headers:
            headers["Idempotency-Key"] = headers.pop("key")
        return self.client.post(f"/v1{path}", json=body or {}, headers={**self.headers, **headers})

    def opens(self, **match: Any) -> dict[str, Any]:
        """A Blokus duo match, one seat the person's own."""
        wanted = {"game": "blokus", "ruleset": {"variant": "duo"}, "seats": {"A": "me"}, **match}
        answer = self.post("/matches", wanted)
        assert answer.status_code == 201, answer.text
        opened: dict[str, Any] = answer.json()
        return opened

    def plays(self, match: str, turn: int, move: str, **headers: str) -> httpx.Response:
        """A move at a turn."""
        return self.post(
            f"/matches/{match}/moves", {"move": move, "expected_turn": turn}, **headers
        )

    def first_moves(self, match: str, count: int = 2) -> list[str]:
        """Some legal moves now."""
        moves: list[str] = self.get(f"/matches/{match}/legal-moves?limit={count}").json()["moves"]
        return moves
