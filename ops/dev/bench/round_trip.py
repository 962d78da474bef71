"""A move over HTTP to a real server, beside a request that the same server refuses unread."""

import asyncio
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from pathlib import Path

from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.http_player import Player
from ops.dev.bench.played import playouts
from ops.dev.bench.sizes import Sizes
from ops.folder_lock import running_server

PLIES_A_ROUND = 8
START_SECONDS = 60
TARGET = Target(most=4)

ABOUT = """\
`plybook serve` as it comes (SQLite, one process with page, dispatcher and relay) in a process of
its own. A player for each match, all at once, each sending the next move of a classic game as
soon as the last was answered. **Empty POST** sends no body to the same address: the server reads,
routes and refuses it. Rounds of both by turns, all times together."""


def round_trip(folder: Path, sizes: Sizes, tell: Tell) -> Section:
    """The middle and the slowest hundredth."""
    tell("moves over HTTP")
    games = islice(playouts(["classic"]), sizes.http_matches)
    players = [Player(number, game) for number, game in enumerate(games)]
    with serving(folder) as url:
        moves, empty = asyncio.run(_rounds(players, url, sizes.http_rounds))
    lines = (
        _line("p50", _hundredth(moves, 50), _hundredth(empty, 50)),
        _line("p99", _hundredth(moves, 99), _hundredth(empty, 99), TARGET),
        Line("moves in all", len(moves) / (sum(moves) / len(players)), "moves/s"),
    )
    return Section(f"Move round trip by HTTP, {len(players)} matches at once", ABOUT, lines)


@contextmanager
def serving(data: Path) -> Iterator[str]:
    """A server of ours, answering, and its address; stopped politely at the end."""
    kept = {name: value for name, value in os.environ.items() if "PLYBOOK_" not in name}
    own = {"PLYBOOK_DATA": str(data), "PLYBOOK_PORT": "0"}
    plybook = Path(sys.executable).with_name("plybook")
    data.mkdir()
    with (data / "lines").open("wb") as lines:
        process = subprocess.Popen(
            [plybook, "serve"], env={**kept, **own}, stdout=lines, stderr=lines
        )
    try:
        end = time.monotonic() + START_SECONDS
        while (server := running_server(data)) is None:
            assert process.poll() is None, (data / "lines").read_text("utf-8")
            assert time.monotonic() < end, "the server does not start"
            time.sleep(0.05)
        yield server.url
    finally:
        process.terminate()
        process.wait()


async def _rounds(
    players: Sequence[Player], url: str, rounds: int
) -> tuple[list[float], list[float]]:
    """The seconds of every move and of every empty request."""
    moves: list[float] = []
    empty: list[float] = []
    for player in players:
        await player.sit_down(url)
    await _at_once(players, 1, Player.play)
    for _ in range(rounds):
        moves += await _at_once(players, PLIES_A_ROUND, Player.play)
        empty += await _at_once(players, PLIES_A_ROUND, Player.post_nothing)
    for player in players:
        await player.leave()
    return moves, empty


async def _at_once(
    players: Sequence[Player], times: int, what: Callable[[Player], Awaitable[float]]
) -> list[float]:
    async def one_after_the_other(player: Player) -> list[float]:
        return [await what(player) for _ in range(times)]

    each = await asyncio.gather(*map(one_after_the_other, players))
    return [seconds for times in each for seconds in times]


def _hundredth(seconds: Sequence[float], number: int) -> float:
    return statistics.quantiles(seconds, n=100)[number - 1]


def _line(what: str, move: float, empty: float, target: Target | None = None) -> Line:
    return Line(what, 1_000 * move, "ms", "empty POST", 1_000 * empty, move / empty, target)
