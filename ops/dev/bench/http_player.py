"""A player who writes requests and reads answers by hand.

On a small machine a comfortable HTTP client takes more computing time than the server, and would
hide what is measured.
"""

import asyncio
from collections.abc import Iterator
from time import perf_counter
from typing import Any
from urllib.parse import urlsplit

import msgspec

from services.match.commands import ImportMatch

SEATS = "ABCD"


class Player:
    """Somebody who holds the four seats of one match, and plays a known game in it.

    Limits count by address, so each player (``number`` 0, 1, …) comes from one of their own.
    """

    def __init__(self, number: int, game: ImportMatch) -> None:
        self._address = f"127.0.0.{number + 2}"
        self._game = game
        self._moves: Iterator[str] = iter(game.moves)
        self._token = ""
        self._now: dict[str, Any] = {}

    async def sit_down(self, url: str) -> None:
        """Connect, open an account and a match."""
        place = urlsplit(url)
        self._host = place.netloc
        self._reader, self._writer = await asyncio.open_connection(
            place.hostname, place.port, local_addr=(self._address, 0)
        )
        account = await self._ask("/v1/players", {"name": "Ada"})
        self._token = account["token"]
        wanted = {
            "game": self._game.game,
            "ruleset": self._game.ruleset,
            "seats": dict.fromkeys(SEATS, "me"),
        }
        self._now = await self._ask("/v1/matches", wanted)

    async def play(self) -> float:
        """Play the next move; the seconds until its answer was read."""
        body = {
            "move": next(self._moves),
            "expected_turn": self._now["turn"],
            "seat": self._now["view"]["to_move"],
        }
        request = self._request(self._moves_path(), msgspec.json.encode(body))
        seconds, status, answer = await self._timed(request)
        assert status == 201, answer  # noqa: PLR2004 - created
        self._now = msgspec.json.decode(answer)
        return seconds

    async def post_nothing(self) -> float:
        """Send an empty body to the same address, which is refused unread; the seconds."""
        seconds, status, answer = await self._timed(self._request(self._moves_path(), b""))
        assert status == 400, answer  # noqa: PLR2004 - bad request
        return seconds

    async def leave(self) -> None:
        """Hang up."""
        self._writer.close()
        await self._writer.wait_closed()

    def _moves_path(self) -> str:
        return f"/v1/matches/{self._now['match']}/moves"

    async def _ask(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        _, status, answer = await self._timed(self._request(path, msgspec.json.encode(body)))
        assert status == 201, answer  # noqa: PLR2004 - created
        decoded: dict[str, Any] = msgspec.json.decode(answer)
        return decoded

    def _request(self, path: str, body: bytes) -> bytes:
        head = (
            f"POST {path} HTTP/1.1\r\nHost: {self._host}\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(body)}\r\n"
        )
        if self._token:
            head += f"Authorization: Bearer {self._token}\r\n"
        return head.encode() + b"\r\n" + body

    async def _timed(self, request: bytes) -> tuple[float, int, bytes]:
        """Send a request; seconds, status and body of its answer."""
        begun = perf_counter()
        self._writer.write(request)
        head = await self._reader.readuntil(b"\r\n\r\n")
        body = await self._reader.readexactly(_length(head))
        return perf_counter() - begun, int(head.split(b" ", 2)[1]), body


def _length(head: bytes) -> int:
    r"""The length of the body that follows.

    >>> _length(b"HTTP/1.1 200 OK\r\ncontent-length: 12\r\n\r\n")
    12
    """
    fields = (line.partition(b":") for line in head.lower().split(b"\r\n"))
    return next(int(value) for name, _, value in fields if name == b"content-length")
