"""Bare events without projections, beside the raw driver and the library of the design."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import cycle, islice

from msgspec.structs import replace

from events.log import Append
from ops.dev.bench.alternating import Compared, Step, alternate, lines, per_second
from ops.dev.bench.appending import append_step
from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.places import Place, new_stream
from ops.dev.bench.raw_drivers import Grouped, Writes, planned
from ops.dev.bench.sizes import Sizes

TARGETS = {"SQLite": Target(least=4), "PostgreSQL": Target(least=10)}

ABOUT = """\
One move event an append, durable when it returns; a stream for each client. **Ours** still keeps
the head and the hash chain, but no projection rows, commands or secrets. The **raw driver**
writes the event's row and nothing else. **eventsourcing** 9.5 is as it comes, in the mode in
which a reader who follows its log misses nothing; its recorder is given ready bytes, as our log
is."""


def bare_events(
    places: Sequence[Place], appends: Sequence[Append], sizes: Sizes, tell: Tell
) -> Section:
    """One client and many, on each database."""
    found: list[Line] = []
    for place in places:
        tell(f"bare events, {place.name}")
        for clients, compared, target in (
            ("1 client", _alone(place, appends, sizes), None),
            (f"{sizes.clients} clients", _crowd(place, appends, sizes), TARGETS[place.name]),
        ):
            anchors = {"raw": ("raw driver, event row", None), "library": ("eventsourcing", target)}
            found += lines(f"{place.name}, {clients}", "events/s", compared, anchors)
    return Section("Append of bare events", ABOUT, tuple(found))


def _alone(place: Place, appends: Sequence[Append], sizes: Sizes) -> Compared:
    moves = list(islice(_bare(appends), sizes.bare_alone))
    return _compared(sizes.rounds, 1, _sides(place, place.raw.write, moves, moves))


def _crowd(place: Place, appends: Sequence[Append], sizes: Sizes) -> Compared:
    moves = list(islice(_bare(appends), sizes.bare_events))
    few = moves[: sizes.bare_events_library]
    with closing(Grouped(place.raw)) as grouped:
        sides = _sides(place, grouped.write, moves, few)
        return _compared(sizes.rounds, sizes.clients, sides)


def _bare(appends: Sequence[Append]) -> Iterator[Append]:
    """A stream of one move after the other, without end."""
    moves = [each for each in appends if each.events[0].kind.startswith("match.move_played.")]
    for version, move in enumerate(cycle(moves)):
        yield Append("", version, move.actor, move.received_at, move.events[:1])


def _sides(
    place: Place, write: Callable[[Writes], None], moves: Sequence[Append], few: Sequence[Append]
) -> dict[str, Callable[[], list[Step]]]:
    """The steps of one client on each side; the library takes ``few`` of the moves."""

    def ours() -> list[Step]:
        stream = new_stream()
        return [append_step(place.bare, replace(move, stream=stream)) for move in moves]

    def raw() -> list[Step]:
        plans = planned(moves, new_stream(), place.positions, bare=True)
        return [partial(write, writes) for writes in plans]

    def library() -> list[Step]:
        return place.library.appends([move.events[0].data for move in few])

    return {"ours": ours, "raw": raw, "library": library}


def _compared(rounds: int, clients: int, sides: dict[str, Callable[[], list[Step]]]) -> Compared:
    def measured(steps: Callable[[], list[Step]]) -> float:
        return per_second([steps() for _ in range(clients)])

    return alternate(rounds, {side: partial(measured, steps) for side, steps in sides.items()})
