"""A long stream read and decoded, beside the library's way to an aggregate."""

import statistics
from collections.abc import Callable, Sequence
from functools import partial
from itertools import cycle, islice
from time import perf_counter

from msgspec.structs import replace

from events.codec import decode, encode
from events.event_kinds import MovePlayed
from events.log import Append, EventLog
from ops.dev.bench.alternating import Compared, alternate, lines
from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.places import Place, new_stream
from ops.dev.bench.sizes import Sizes

EVENTS = 200
ANCHORS = {
    "get": ("eventsourcing, repository.get", Target(least=20)),
    "decode": ("eventsourcing, decode only", None),
}

ABOUT = f"""\
A stream of {EVENTS} moves fetched and decoded, one after the other. **Ours** gives typed events,
and fetches what a fold takes of them: kind, bytes and time of receipt. The rest of the envelope
is left where it is; only an audit asks for it. Folding is measured below. The library's
`repository.get` gives the aggregate, whose moves only note the turn; its decoding alone stands
beside."""


def replaying(
    places: Sequence[Place], appends: Sequence[Append], sizes: Sizes, tell: Tell
) -> Section:
    """Both databases."""
    moves = _moves(appends)
    found: list[Line] = []
    for place in places:
        tell(f"replay, {place.name}")
        found += lines(place.name, "events/s", _compared(place, moves, sizes), ANCHORS)
    return Section(f"Replay of {EVENTS} events, decode only", ABOUT, tuple(found))


def _moves(appends: Sequence[Append]) -> list[MovePlayed]:
    """The moves of the match over and over, each with a turn of its own."""
    events = [decode(event.kind, event.data) for each in appends for event in each.events]
    played = [event for event in events if isinstance(event, MovePlayed)]
    return [replace(move, turn=turn) for turn, move in enumerate(islice(cycle(played), EVENTS), 1)]


def _compared(place: Place, moves: Sequence[MovePlayed], sizes: Sizes) -> Compared:
    stream = new_stream()
    events = tuple(encode(move) for move in moves)
    place.bare.append([Append(stream, 0, "server", 0, events)])
    # The library's first event is the match itself.
    match = place.library.save_match(
        [(move.turn, move.seat, move.move, list(move.facts)) for move in moves[1:]]
    )
    read: dict[str, Callable[[], object]] = {
        "ours": partial(_decoded, place.bare, stream),
        "get": partial(place.library.get, match),
        "decode": partial(place.library.decode, match),
    }
    return alternate(
        sizes.rounds,
        {side: partial(_events_per_second, sizes.replays, each) for side, each in read.items()},
    )


def _decoded(log: EventLog, stream: str) -> object:
    return [decode(told.kind, told.data) for told in log.told(stream)]


def _events_per_second(times: int, read: Callable[[], object]) -> float:
    """By the middle time: a read is so short that one pause of the machine would outweigh it."""
    return EVENTS / statistics.median(_seconds(read) for _ in range(times))


def _seconds(read: Callable[[], object]) -> float:
    begun = perf_counter()
    read()
    return perf_counter() - begun
