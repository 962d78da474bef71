"""Appends as the service does them, beside a raw driver that writes the same rows."""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path

from msgspec.structs import replace

from events.log import Append, Appended, EventLog
from ops.dev.bench.alternating import Compared, Step, alternate, lines, per_second
from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.places import Place, new_house, new_stream
from ops.dev.bench.played import NotedLog, demo_game, play
from ops.dev.bench.raw_drivers import Grouped, Writes, planned, together
from ops.dev.bench.sizes import Sizes
from ops.wiring import Record, clock, furnished

ANCHORS = {
    "raw": ("raw driver, same rows", Target(least=0.8)),
    "ceiling": ("ceiling", None),
}

ABOUT = """\
The appends of a demo match that people play (Duo, a day for each move), as the handler hands
them to the log: the event, the head of the stream, the command id, the rows of `boards` and
`work_due`, and the sealed seed with the first. **Ours** goes through the service's own layers,
metrics and group commit included: take the log lock, look at head and command, hash, write,
commit. The **raw driver** writes the very same rows, planned beforehand, in a transaction that
takes the same lock and is as durable, but looks at nothing and checks nothing: `sqlite3`, and
psycopg in its pipeline mode. For many clients, its threads hand their rows to one that writes
whatever is waiting; 64 connections that queue for the lock are several times slower. The
**ceiling** is a writer nobody could use: no clients, full batches, and on PostgreSQL everything
encoded beforehand and sent in one trip. What a single client pays us on SQLite beyond the driver
is 0.08 ms of Python, spread over checking, looking, planning and counting: there the ratio rises
and falls with the time the disk takes."""


def noted_appends(folder: Path) -> tuple[Append, ...]:
    """The appends of the demo match, from its creation to its end."""
    with new_house(folder) as house:
        noted = NotedLog(house.record.log)
        handler = furnished(house.settings, Record(house.record.store, noted)).handler
        play(handler, demo_game(), clock())
    return tuple(noted.appends)


def appending(
    places: Sequence[Place], appends: Sequence[Append], sizes: Sizes, tell: Tell
) -> Section:
    """One client and many, on each database."""
    found: list[Line] = []
    for place in places:
        tell(f"appends, {place.name}")
        for clients, compared in (
            ("1 client", _alone(place, appends, sizes)),
            (f"{sizes.clients} clients", _crowd(place, appends, sizes)),
        ):
            found += lines(f"{place.name}, {clients}", "appends/s", compared, ANCHORS)
    return Section("Append as the service does it", ABOUT, tuple(found))


def append_step(log: EventLog, append: Append) -> Step:
    """A client's step: append, and see that it was taken."""

    def step() -> None:
        answer = log.append([append])[0]
        assert isinstance(answer, Appended), answer

    return step


def _alone(place: Place, appends: Sequence[Append], sizes: Sizes) -> Compared:
    def measured(steps_of: Callable[[str], list[Step]]) -> float:
        streams = [new_stream() for _ in range(sizes.matches_alone)]
        return per_second([[step for stream in streams for step in steps_of(stream)]])

    def raw(stream: str) -> list[Step]:
        return [partial(place.raw.write, each) for each in _planned(place, appends, stream)]

    def ceiling(stream: str) -> list[Step]:
        return [place.raw.ready(each) for each in _planned(place, appends, stream)]

    sides = {"ours": _ours(place, appends), "raw": raw, "ceiling": ceiling}
    return alternate(
        3 * sizes.rounds, {side: partial(measured, steps) for side, steps in sides.items()}
    )


def _crowd(place: Place, appends: Sequence[Append], sizes: Sizes) -> Compared:
    def measured(steps_of: Callable[[str], list[Step]]) -> float:
        return per_second([steps_of(new_stream()) for _ in range(sizes.clients)])

    def ceiling() -> float:
        plans = [_planned(place, appends, new_stream()) for _ in range(sizes.clients)]
        steps = [place.raw.ready(together(each)) for each in zip(*plans, strict=True)]
        return sizes.clients * per_second([steps])

    with closing(Grouped(place.raw)) as grouped:

        def raw(stream: str) -> list[Step]:
            return [partial(grouped.write, each) for each in _planned(place, appends, stream)]

        return alternate(
            sizes.rounds,
            {
                "ours": partial(measured, _ours(place, appends)),
                "raw": partial(measured, raw),
                "ceiling": ceiling,
            },
        )


def _ours(place: Place, appends: Sequence[Append]) -> Callable[[str], list[Step]]:
    return lambda stream: [
        append_step(place.service, replace(append, stream=stream)) for append in appends
    ]


def _planned(place: Place, appends: Sequence[Append], stream: str) -> list[Writes]:
    return planned(appends, stream, place.positions)
