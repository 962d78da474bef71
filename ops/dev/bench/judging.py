"""Matches folded with their recorded facts, and judged again: the cost of looking back."""

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from time import process_time

from events.event_kinds import MovePlayed
from events.recorded import Recorded
from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.places import new_house
from ops.dev.bench.played import VARIANTS, play, playouts
from ops.dev.bench.sizes import Sizes
from ops.wiring import clock
from services.match.folding import fold
from services.match.handler import stream_of
from services.match.state import initial
from services.proofs.audit import audit_match
from services.proofs.report import PROVED

ABOUT = """\
Random playouts of the four variants, played through the handler by people; each match is read
once and then worked on in one thread, by its CPU time. **Fold** decodes the events and takes
forced passes from the record. **Audit** checks the hash chain and decides every command again by
the rules."""


def judging(folder: Path, sizes: Sizes, tell: Tell) -> Section:
    """Plies a second, folded and audited."""
    tell("fold and audit")
    with new_house(folder) as house:
        games = islice(playouts(), sizes.judged * len(VARIANTS))
        matches = [play(house.handler, game, clock()) for game in games]
        stored = {match: house.record.log.read(stream_of(match)) for match in matches}
    plies = sum(each.kind == MovePlayed.kind for events in stored.values() for each in events)

    def rate(work: Callable[[str, Sequence[Recorded]], None]) -> float:
        measure = partial(_plies_per_second, plies, stored, work)
        return statistics.median(measure() for _ in range(sizes.rounds))

    def line(what: str, work: Callable[[str, Sequence[Recorded]], None], least: int) -> Line:
        target = Target(least=least, of="number")
        return Line(what, rate(work), "plies/s", target=target)

    return Section(
        "Fold and audit of Blokus, one core",
        ABOUT,
        (line("fold", _fold, 20_000), line("audit", _audit, 5_000)),
    )


def _plies_per_second(
    plies: int,
    stored: dict[str, list[Recorded]],
    work: Callable[[str, Sequence[Recorded]], None],
) -> float:
    begun = process_time()
    for match, events in stored.items():
        work(match, events)
    return plies / (process_time() - begun)


def _fold(match: str, events: Sequence[Recorded]) -> None:
    assert fold(initial(match), events).status == "ended"


def _audit(_match: str, events: Sequence[Recorded]) -> None:
    assert audit_match(events).verdict == PROVED
