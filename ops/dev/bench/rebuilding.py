"""Projections made anew from a log of imported matches, and whether they are the same bytes."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from msgspec.structs import replace

from events.projector import Projector
from events.table_dump import digest, dump
from ops.dev.bench.findings import Line, Section, Tell
from ops.dev.bench.places import new_house
from ops.dev.bench.played import VARIANTS, bring_in, play, playouts
from ops.dev.bench.sizes import Sizes
from ops.rebuilding import NAMES, rebuild_all
from ops.wiring import House, clock
from services.projections.catching_up import CATCHING_UP

ABOUT = """\
`plybook rebuild` over different random playouts of the four variants, imported through the
handler into a SQLite log, and a few that people play, half of them to the end; making all these
is not timed. Every stream is folded into a shadow table that then takes the old one's place.
Dumps of the tables before and after are compared by SHA-256."""


def rebuilding(folder: Path, sizes: Sizes, tell: Tell) -> Section:
    """Events a second for each rebuild."""
    with new_house(folder) as house:
        tell(f"rebuild, importing {sizes.imported:,} matches")
        for game in islice(playouts(), sizes.imported):
            bring_in(house.handler, game, clock())
        for game in islice(playouts(), len(VARIANTS)):
            play(house.handler, game, clock())
            half = game.moves[: len(game.moves) // 2]
            play(house.handler, replace(game, moves=half), clock())
        opened = house.record
        Projector(opened.store, opened.log, CATCHING_UP).catch_up()
        before = _digests(house)
        tell("rebuild")
        made = list(rebuild_all(opened))
        after = _digests(house)
    lines = tuple(
        Line(", ".join(each.projections), each.events / each.seconds, "events/s") for each in made
    )
    title = f"Rebuild over {sizes.imported:,} imported matches ({made[0].events:,} events)"
    return Section(title, ABOUT, lines, tuple(_verdicts(before, after)))


def _digests(house: House) -> dict[str, str]:
    return {name: digest(dump(house.record.store, name)) for name in NAMES}


def _verdicts(before: dict[str, str], after: dict[str, str]) -> Iterator[str]:
    """What became of each table's bytes; a difference is a fault, not a number."""
    assert before == after, f"a rebuild changed what it made anew: {before} {after}"
    for name, sha in after.items():
        yield f"`{name}`: byte-identical, SHA-256 `{sha}` before and after"
