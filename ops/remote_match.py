"""A match on a server, for the terminal: the public HTTP API and nothing else."""

import time
from collections.abc import Callable
from typing import Any, TypeVar

import httpx
import msgspec

from ops.refused import Refused
from services.api.messages import Account, LegalMoves, MatchAnswer
from services.games.contract import MOVES_LISTED_MAX

POLL_SECONDS = 0.2
"""Well under the server's limit of requests by token."""
REQUEST_SECONDS = 30

T = TypeVar("T")


class Told(Exception):
    """The server said no; ``code`` is for programs, the message is the sentence."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Server:
    """A connection to a server, as one of its players."""

    def __init__(self, url: str) -> None:
        self._http = httpx.Client(base_url=f"{url}/v1", timeout=REQUEST_SECONDS)

    def close(self) -> None:
        """Hang up."""
        self._http.close()

    def sit_down(self, token: str) -> None:
        """Be the player whose token this is."""
        self._http.headers["Authorization"] = f"Bearer {token}"

    def open_account(self, name: str) -> str:
        """The token of a new account."""
        return self.ask("POST", "/players", Account, {"name": name}).token

    def ask(self, method: str, path: str, kind: type[T], body: Any = None, **query: Any) -> T:
        """The answer of the server, or ``Told``; ``Refused`` if there is no server."""
        return msgspec.json.decode(self._send(method, path, body, query).content, type=kind)

    def text(self, path: str) -> str:
        """Plain text."""
        return self._send("GET", path, None, {}).text

    def _send(self, method: str, path: str, body: Any, query: dict[str, Any]) -> httpx.Response:
        try:
            answer = self._http.request(method, path, json=body, params=query)
        except httpx.HTTPError as error:
            raise Refused(f"The server does not answer ({error}).") from None
        if answer.is_error:
            problem = answer.json()
            raise Told(problem["code"], problem["detail"])
        return answer


class RemoteMatch:
    """One match, seen from the player's seats; ``now`` is the newest answer."""

    def __init__(self, server: Server, now: MatchAnswer) -> None:
        self._server = server
        self.now = now
        self._path = f"/matches/{now.match}"

    @classmethod
    def opened(
        cls, server: Server, game: str, ruleset: dict[str, Any], seats: dict[str, Any]
    ) -> "RemoteMatch":
        """A new match; it starts by itself when everybody is seated and has handed in all."""
        asked = {"game": game, "ruleset": ruleset, "seats": seats}
        return cls(server, server.ask("POST", "/matches", MatchAnswer, asked))

    @classmethod
    def found(cls, server: Server, match: str) -> "RemoteMatch":
        """A match that is there already."""
        return cls(server, server.ask("GET", f"/matches/{match}", MatchAnswer))

    @property
    def my_turn(self) -> bool:
        """Whether the match waits for the player."""
        return self.now.view.to_move in self.now.you

    @property
    def waits_for_me(self) -> bool:
        """Whether nothing happens before the player does something."""
        return self.my_turn or bool(self.asked_for)

    @property
    def over(self) -> bool:
        """Whether the match has ended."""
        return self.now.view.status == "ended"

    def board(self) -> str:
        """The board in plain characters."""
        return self._server.text(f"{self._path}/board.txt")

    def legal_moves(self) -> LegalMoves:
        """The moves the player may choose from."""
        limit = MOVES_LISTED_MAX
        return self._server.ask("GET", f"{self._path}/legal-moves", LegalMoves, limit=limit)

    @property
    def asked_for(self) -> str:
        """What the start waits for from the player: ``entropy``, ``entry``, or nothing."""
        view, seat = self.now.view, self._seat()
        if seat not in view.waiting_for:
            return ""
        return "entropy" if view.chance and seat not in view.entropy else "entry"

    def give_entropy(self, entropy: str) -> None:
        """The player's share of the chance (hex), chosen after the server's commitment."""
        quoted = {"entropy": entropy, "seed_commit": self.now.view.seed_commit}
        self._do("entropy", {**quoted, "seat": self._seat()})

    def hand_in(self, text: str) -> None:
        """The player's entry (a deck); nobody sees it before the start."""
        self._do("entries", {"text": text, "seat": self._seat()})

    def play(self, move: str) -> None:
        """Play a move at the position the player saw."""
        self._do("moves", {"move": move, "expected_turn": self.now.turn, "seat": self._seat()})

    def resign(self) -> None:
        """Give up."""
        self._do("resign", {"seat": self._seat()})

    def take_back(self) -> None:
        """Ask for the last own move back; computers agree at once."""
        self._do("offers", {"offer": "takeback", "seat": self._seat()})

    def wait(self, while_waiting: Callable[[], object] = lambda: None) -> None:
        """Return when the match waits for the player, or is over."""
        while not (self.waits_for_me or self.over):
            while_waiting()
            time.sleep(POLL_SECONDS)
            self.now = self._server.ask("GET", self._path, MatchAnswer)

    def _seat(self) -> str:
        """The seat the match waits for, if it is the player's, else the first one."""
        waited_for = (self.now.view.to_move, *self.now.view.waiting_for)
        return next((seat for seat in waited_for if seat in self.now.you), self.now.you[0])

    def _do(self, what: str, body: dict[str, Any]) -> None:
        self.now = self._server.ask("POST", f"{self._path}/{what}", MatchAnswer, body)
