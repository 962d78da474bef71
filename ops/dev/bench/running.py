"""The whole run, subject after subject, in a folder of its own that is gone afterwards."""

import tempfile
from pathlib import Path

from ops.dev.bench.appending import appending, noted_appends
from ops.dev.bench.bare_events import bare_events
from ops.dev.bench.blokus_playouts import blokus_playouts
from ops.dev.bench.caltrop_ends import caltrop_ends
from ops.dev.bench.every_game import every_game
from ops.dev.bench.findings import Section, Tell
from ops.dev.bench.judging import judging
from ops.dev.bench.places import postgres_place, sqlite_place
from ops.dev.bench.playing import playing
from ops.dev.bench.rebuilding import rebuilding
from ops.dev.bench.replaying import replaying
from ops.dev.bench.round_trip import round_trip
from ops.dev.bench.sizes import Sizes
from ops.logs import configure_logs


def measure(postgres: str, data: Path, sizes: Sizes, tell: Tell) -> list[Section]:
    """Every subject; ``postgres`` is a server that lets us create databases.

    Files lie in the data folder for a while: its disk is the one that counts, and the system's
    temporary folder may be no disk at all.
    """
    data.mkdir(parents=True, exist_ok=True)
    configure_logs("console", "warning")  # a line a command would be measured too
    with tempfile.TemporaryDirectory(prefix="bench-", dir=data) as name:
        folder = Path(name)
        appends = noted_appends(folder / "noted")
        with (
            sqlite_place(folder / "sqlite") as sqlite,
            postgres_place(folder / "postgres", postgres) as postgresql,
        ):
            places = (sqlite, postgresql)
            logs = [
                subject(places, appends, sizes, tell)
                for subject in (appending, bare_events, replaying)
            ]
        return [
            *logs,
            judging(folder / "judging", sizes, tell),
            rebuilding(folder / "rebuilding", sizes, tell),
            round_trip(folder / "round-trip", sizes, tell),
            every_game(sizes, tell),
            playing(sizes, tell),
            blokus_playouts(sizes, tell),
            caltrop_ends(sizes, tell),
        ]
