"""Nothing hidden ever leaves: every route, every kind of caller, during seeded random matches.

Two nets. The names of what is hidden are looked for in every answer (a toy game, whose fruits
occur nowhere else, and the secret keys of every game). And each answer is compared with that
of a twin world in which all the caller may not see is different (``twins.py``): they have to be
the same to the byte, headers and all, so no trace is told either.

A route without a rule in ``asked_routes.py`` fails: a new one is thought about first.
"""

import asyncio
import random
import re
import zlib
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import Any, Literal

import httpx
import msgspec
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from services.api.hub import Hub, Subscription
from services.games.contract import SEATS, Game, Seat
from services.games.registry import REGISTRY
from services.match import shuffle
from services.match.state import MatchState
from tests.api.asked_routes import ASKED_FRUIT, ELSEWHERE, routes_of, rules_of
from tests.api.house import OPERATOR, House, Person, house
from tests.api.twins import twin_services
from tests.kit.fruit import FRUIT, FRUIT_GAME, FruitRules, Stall
from tests.kit.playouts import seeded_rulesets

GAMES = REGISTRY.plus(FRUIT_GAME)


def hidden_games() -> list[Any]:
    """Every game with hidden things, once for each number of seats; by being registered."""
    found = {
        (game.rules.slug, terms.seats): pytest.param(game, data, id=f"{game.rules.slug}-{name}")
        for game in GAMES.games()
        for name, data in (seeded_rulesets(game.rules.slug) or {"plain": {}}).items()
        if (terms := game.rules.terms(game.rules.ruleset(data))).hidden
    }
    return list(found.values())


Client = TestClient[Litestar]


class EndedBell(Subscription):
    """A subscription that ends at once, so that a stream is an answer like any other."""

    async def wait(self, *_: object) -> Literal["closed"]:
        """Nothing more comes."""
        return "closed"


class ShortHub(Hub):
    """A hub whose streams tell all there is and end."""

    @contextmanager
    def subscribe(self, *_: object) -> Iterator[Subscription]:
        """Listen to nothing."""
        yield EndedBell(1)


class Watch:
    """A match in one world and its twins, and everybody who looks at it."""

    def __init__(self, home: House, game: Game, data: dict[str, Any], client: Client) -> None:
        self.home = home
        self.answers = self.walks = 0
        seats = SEATS[: game.rules.terms(game.rules.ruleset(data)).seats]
        host = Person(client, "Host")
        self.people = {seat: Person(client, f"Seat {seat}") for seat in seats}
        self.headers = {
            "nobody": {},
            "stranger": Person(client, "Stranger").headers,
            "host": host.headers,
            "operator": {"Authorization": f"Bearer {OPERATOR}"},
            **{seat: person.headers for seat, person in self.people.items()},
        }
        self.app = home.app(hub=ShortHub())
        self.twins = {
            eyes: home.app(hub=ShortHub(), **twin_services(home, eyes)) for eyes in (None, *seats)
        }
        wanted = {"game": game.rules.slug, "ruleset": data, "visibility": "public", "seats": {}}
        self.match: str = host.post("/matches", wanted).json()["match"]

    @property
    def state(self) -> MatchState:
        """The server's fold."""
        state = self.home.services.handler.load(self.match)
        assert state is not None
        return state

    def begins(self) -> None:
        """Everybody sits down and gives entropy; the last one's starts it."""
        for seat, person in self.people.items():
            taken = person.post(f"/matches/{self.match}/seats/{seat}")
            assert taken.status_code == 201, taken.text
        self.look_around()
        given = {"entropy": "0badcafe", "seed_commit": self.state.seed_commit}
        for person in self.people.values():
            answer = person.post(f"/matches/{self.match}/entropy", given)
            assert answer.status_code == 201, answer.text
        assert self.state.status == "running"

    def plays_on(self, dice: random.Random) -> None:
        """One random move of whoever is to move; its answer is looked at too."""
        state = self.state
        seat = state.to_move()
        assert seat is not None
        move = dice.choice(state.the_game.rules.moves(state.position).texts)
        body = {"move": move, "expected_turn": state.turn}
        answer = self.people[seat].post(f"/matches/{self.match}/moves", body)
        assert answer.status_code == 201, answer.text
        self.look_at(seat, answer, f"the answer to {move}")

    def ends(self) -> None:
        """Somebody gives up, which opens the seed, unless it is over already."""
        if self.state.status == "running":
            answer = self.people["A"].post(f"/matches/{self.match}/resign")
            assert answer.status_code == 201, answer.text
            self.look_at("A", answer, "the answer to a resignation")

    def look_around(self) -> None:
        """Every route, as every caller, in this world and in the caller's twin."""
        self.home.catch_up()
        asyncio.run(self.walk())

    async def walk(self) -> None:
        """The walk itself, straight into the applications: quicker than through a thread."""
        async with AsyncExitStack() as stack:
            here = await stack.enter_async_context(straight_to(self.app))
            twins = {
                eyes: await stack.enter_async_context(straight_to(app))
                for eyes, app in self.twins.items()
            }
            once = ELSEWHERE if not self.walks else dict.fromkeys(ELSEWHERE, ())
            rules = {**rules_of(self.state), **once}
            self.walks += 1
            for method, path in routes_of(self.app):
                assert (method, path) in rules, f"{method} {path} has no rule: who may know what?"
                for ask in rules[method, path]:
                    request = ask.filled(method, path, self.match)
                    for caller in self.headers:
                        twin = twins[caller if caller in self.people else None]
                        await self.ask(here, twin, caller, request)

    async def ask(
        self,
        here: httpx.AsyncClient,
        twin: httpx.AsyncClient,
        caller: str,
        request: dict[str, Any],
    ) -> None:
        """One request in both worlds."""
        headers = {**request["headers"], **self.headers[caller]}
        answer, other = [
            await client.request(**{**request, "headers": headers}) for client in (here, twin)
        ]
        where = f"{request} as {caller}"
        assert answer.status_code < 500, f"{where}: {answer.text}"
        self.look_at(caller, answer, where)
        assert told(answer) == told(other), f"{where} tells two worlds apart"

    def look_at(self, caller: str, answer: httpx.Response, where: str) -> None:
        """No secret key, and no fruit the caller has not seen, anywhere in an answer."""
        self.answers += 1
        text = everything(answer)
        for secret in (*self.keys(), *self.unseen_fruits(caller)):
            assert secret not in text, f"{where} tells {secret}"

    def keys(self) -> tuple[str, ...]:
        """The seed and what follows from it, as long as they are secret."""
        state = self.state
        if state.status == "ended" or state.secret is None:
            return ()
        key = state.match_key()
        last = state.rounds[-1].number if state.rounds else 0
        hidden = [state.secret.seed, key, shuffle.round_key(key, last + 1)]
        if state.rounds and not state.rounds[-1].key:
            hidden.append(shuffle.round_key(key, last))
        return tuple(secret.hex() for secret in hidden)

    def unseen_fruits(self, caller: str) -> tuple[str, ...]:
        """The fruits of the toy game that this caller has not seen (nor asked for)."""
        position = self.state.position
        if not isinstance(position, Stall):
            return ()
        own = position.hands["AB".index(caller)] if caller in self.people else ()
        seen = {*position.played, *own, ASKED_FRUIT}
        return tuple(fruit for fruit in FRUIT if fruit not in seen)


def straight_to(app: Any) -> httpx.AsyncClient:
    """A client without a network before an application."""
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://house")


def everything(answer: httpx.Response) -> str:
    """All that came over the wire."""
    return f"{answer.status_code} {dict(answer.headers)} {answer.text}"


def told(answer: httpx.Response) -> str:
    """The same without what is drawn anew for every answer: the keys of forms."""
    plain = re.sub(r'name="key" value="[0-9a-f]{32}"', 'name="key"', everything(answer))
    return re.sub(r"'content-length': '\d+'", "", plain)


def watched(folder: Path, game: Game, data: dict[str, Any], seed: int) -> Watch:
    """A match from its opening to its end, the whole house walked a few times on the way."""
    games = REGISTRY if game in REGISTRY.games() else REGISTRY.plus(game)
    dice = random.Random(seed)
    with house(folder, games) as home, TestClient(home.app()) as client:
        watch = Watch(home, game, data, client)
        watch.begins()
        watch.look_around()
        for _ in range(dice.randrange(2, 7)):
            watch.plays_on(dice)
        watch.look_around()
        watch.ends()
        watch.look_around()
    return watch


@pytest.mark.parametrize(("game", "data"), hidden_games())
def test_nothing_hidden_ever_leaves(tmp_path: Path, game: Game, data: dict[str, Any]) -> None:
    """Every route, every caller, before the start, on the way and after the end."""
    watch = watched(tmp_path, game, data, seed=len(str(data)))
    assert watch.answers > 500


class OpenHands(FruitRules):
    """A leak by name: everybody sees the hands."""

    def view(self, position: Stall, seat: Seat | None) -> Stall:
        """Only the market is hidden."""
        return super().view(position, seat) if seat is None else position


class TellingObjection(FruitRules):
    """A leak without a name: an objection that follows from the other hand."""

    def objection(self, position: Stall, move: str) -> Any:
        """Its sentence bears a mark of what nobody may see."""
        found = super().objection(position, move)
        mark = zlib.crc32(repr(position.market).encode())
        return found and msgspec.structs.replace(found, sentence=f"No ({mark}).")


@pytest.mark.parametrize("leaky", [OpenHands, TellingObjection])
def test_the_nets_hold_what_leaks(tmp_path: Path, leaky: Callable[[], FruitRules]) -> None:
    """A control that must fail: games that tell too much are caught."""
    game = msgspec.structs.replace(FRUIT_GAME, rules=leaky())
    with pytest.raises(AssertionError, match="tells"):
        watched(tmp_path, game, {}, seed=1)
