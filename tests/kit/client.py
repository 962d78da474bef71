"""A player who knows nothing but HTTP: what somebody with curl could do, and no more."""

from typing import Any, Self

import httpx

from tests.kit.machine import PATIENCE_SECONDS, until

REQUEST_SECONDS = 30


class Client:
    """A registered player of a server, with any number of matches."""

    def __init__(self, url: str, name: str = "Ann") -> None:
        self._http = httpx.Client(base_url=url, timeout=REQUEST_SECONDS)
        account = self.post("/v1/players", {"name": name})
        self.player = account["player"]
        self._http.headers["Authorization"] = f"Bearer {account['token']}"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()

    def get(self, path: str, **query: Any) -> Any:
        """The JSON at a path."""
        return self._http.get(path, params=query).raise_for_status().json()

    def text(self, path: str, **query: Any) -> str:
        """The text at a path."""
        return self._http.get(path, params=query).raise_for_status().text

    def post(self, path: str, body: Any, key: str | None = None) -> Any:
        """The answer to a request, sent under an idempotency key if there is one."""
        headers = {"Idempotency-Key": key} if key else {}
        answer = self._http.post(path, json=body, headers=headers)
        assert answer.is_success, f"{path}: {answer.text}"
        return answer.json()

    def open_match(self, seats: dict[str, Any], variant: str = "duo") -> str:
        """A new match of Blokus; it starts by itself when every seat is taken."""
        asked = {"game": "blokus", "ruleset": {"variant": variant}, "seats": seats}
        match: str = self.post("/v1/matches", asked)["match"]
        return match

    def see(self, match: str, **query: Any) -> Any:
        """The match as the player sees it, now or at a ``version`` or ``ply``."""
        return self.get(f"/v1/matches/{match}", **query)["view"]

    def await_turn(self, match: str, turn: int) -> Any:
        """The match when it has come to a turn, or to its end."""
        assert until(lambda: self._is_at(match, turn), PATIENCE_SECONDS), self.see(match)
        return self.see(match)

    def play_first_legal(self, match: str, number: int = 0) -> Any:
        """Play a legal move by its number in the game's own order; the whole answer."""
        legal = self.get(f"/v1/matches/{match}/legal-moves")
        move = legal["moves"][number % len(legal["moves"])]
        return self.post(
            f"/v1/matches/{match}/moves", {"move": move, "expected_turn": legal["turn"]}
        )

    def events(self, match: str) -> list[Any]:
        """Every public event of the match."""
        found, after = [], 0
        while True:
            page = self.get(f"/v1/matches/{match}/events", after=after)
            found += page["events"]
            after = page["next"]
            if not after:
                return found

    def _is_at(self, match: str, turn: int) -> bool:
        view = self.see(match)
        return bool(view["turn"] >= turn or view["status"] == "ended")
