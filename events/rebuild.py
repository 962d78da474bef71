"""Rebuilds: a projection's table made again from the log alone, while the service runs.

A shadow table is filled in short transactions; a stopped rebuild goes on where it was. At the
end the pointer is flipped and the old table dropped. When and how often it was stopped, and
what was appended meanwhile, leaves no trace in the result: ``events/table_dump.py`` shows that
byte by byte.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, select

from events.checkpoints import (
    checkpoint_of,
    forget_checkpoint,
    move_checkpoint,
    set_checkpoint,
)
from events.codec import DamagedEvent
from events.inline_tables import InlineShape
from events.log import EventLog, InlineTable, Value
from events.log_lock import lock_log
from events.pointers import Shaped, drop_strays, lock_shapes
from events.projector import Follower, NeedsRebuild, Projection
from events.recorded import Told
from events.schema import event, stream
from events.shadows import (
    Place,
    RebuildLost,
    Shadow,
    flip_shadows,
    is_open,
    move_shadows,
    open_shadows,
)
from events.store import Store

STREAMS_A_WRITE = 100
"""Streams whose rows go into one transaction; on SQLite appends wait for it."""
TAIL_STREAMS = 10
"""Streams few enough to be folded while nobody may append."""
TAIL_ROUNDS = 20
"""Rounds after which the log is locked, however busy it is."""

Progress = Callable[[int, int, int], None]
"""Told after each write: done and total (streams, or positions), and events read."""

RowsOfStream = Callable[[str, Iterable[Told]], Mapping[str, Mapping[str, tuple[Value, ...]]]]
"""A stream and its events → projection → key → values, in column order."""


class Rebuilt(NamedTuple):
    """How much this run of a rebuild folded (less than all if it went on from a stop).

    ``damaged`` says of each stream that could not be folded why; those have no rows.
    """

    streams: int
    events: int
    damaged: tuple[str, ...] = ()


def no_progress(_done: int, _total: int, _events: int) -> None:
    """Tell nobody."""


def rebuild_inline(
    store: Store,
    log: EventLog,
    inline_tables: Sequence[InlineTable],
    rows_of_stream: RowsOfStream,
    progress: Progress = no_progress,
    *,
    anew: bool = False,
) -> Rebuilt:
    """Make inline projections anew; appends go on meanwhile and wait for the flip alone.

    Rows carry their stream's version, as if its newest append had written all of them. A stream
    that was changed behind our back is left out and told of. ``anew`` forgets a stopped rebuild.
    Raises ``RebuildLost``, or ``UnknownKind`` where newer code wrote the log: then the old tables
    stand.
    """
    shapes = [InlineShape(spec) for spec in inline_tables]
    shadows = store.write(lambda connection: open_shadows(connection, shapes, anew=anew))
    run = _InlineRun(store, log, shadows, rows_of_stream, progress)
    run.fold_streams()
    run.follow_tail()
    run.flip()
    _drop_replaced(store, shapes)
    return Rebuilt(run.streams, run.events, tuple(run.damaged.values()))


def rebuild_projection(
    store: Store,
    log: EventLog,
    projection: Projection,
    progress: Progress = no_progress,
    *,
    anew: bool = False,
) -> Rebuilt:
    """Make a projection that catches up anew; its checkpoint moves with the pointer.

    ``anew`` forgets a stopped rebuild. Raises ``RebuildLost``, or ``NeedsRebuild`` where the log
    was rewound since a stopped rebuild: then only ``anew`` helps.
    """
    [shadow] = store.write(lambda connection: open_shadows(connection, [projection], anew=anew))
    follower = _ShadowFollower(store, log, projection, shadow)
    head, events = log.position(), 0
    while page := follower.apply_page():
        events += page
        progress(follower.position(), head, events)
    store.write(lambda connection: _flip_following(connection, shadow))
    _drop_replaced(store, [projection])
    return Rebuilt(0, events)


class _Touched(NamedTuple):
    """A stream and the position of its newest event."""

    stream: str
    position: int


class _Folded(NamedTuple):
    """The inline rows of one stream at a version."""

    stream: str
    version: int
    rows: Mapping[str, Mapping[str, tuple[Value, ...]]]


class _InlineRun:
    """One run of a rebuild of inline projections."""

    def __init__(
        self,
        store: Store,
        log: EventLog,
        shadows: list[Shadow],
        rows_of_stream: RowsOfStream,
        progress: Progress,
    ) -> None:
        self._store = store
        self._log = log
        self._shadows = shadows
        self._rows_of_stream = rows_of_stream
        self._progress = progress
        self.streams = 0
        self.events = 0
        self.damaged: dict[str, str] = {}

    @property
    def _place(self) -> Place:
        return self._shadows[0].place

    def fold_streams(self) -> None:
        """Fold every stream once, by name."""
        total = self._store.read(self._streams_left)
        while heads := self._log.streams(after=self._place.after_stream, limit=STREAMS_A_WRITE):
            names = [head.stream for head in heads]
            self._fold_and_write(names, self._place._replace(after_stream=names[-1]))
            self._progress(self.streams, max(total, self.streams), self.events)

    def follow_tail(self) -> None:
        """Fold again what was appended to meanwhile, until little is left."""
        for _ in range(TAIL_ROUNDS):
            touched = self._store.read(self._touched)
            if len(touched) <= TAIL_STREAMS:
                return
            for first in range(0, len(touched), STREAMS_A_WRITE):
                page = touched[first : first + STREAMS_A_WRITE]
                reached = self._place._replace(from_position=page[-1].position)
                self._fold_and_write([each.stream for each in page], reached)

    def flip(self) -> None:
        """Fold the rest while nobody may append, and let the new tables stand."""
        self._store.write(self._flip)

    def _flip(self, connection: Connection) -> None:
        # All reads go through this connection: the others may all be waiting for the lock.
        lock_log(connection)
        flip_shadows(connection, self._shadows)
        touched = self._touched(connection)
        self._put(
            connection,
            [self._fold(each.stream, _told(connection, each.stream)) for each in touched],
        )

    def _fold_and_write(self, names: Sequence[str], reached: Place) -> None:
        """Fold streams outside of any transaction, then write their rows with the place."""
        folded = [self._fold(name, self._log.told(name)) for name in names]

        def work(connection: Connection) -> list[Shadow]:
            # The place first: it always moves, so only one of two rebuilds gets further.
            moved = move_shadows(connection, self._shadows, reached)
            self._put(connection, folded)
            return moved

        self._shadows = self._store.write(work)
        self.streams += len(names)

    def _fold(self, name: str, events: list[Told]) -> _Folded:
        self.events += len(events)
        try:
            rows = self._rows_of_stream(name, events)
        except DamagedEvent as damaged:
            self.damaged[name] = f"{name}: {damaged}"
            rows = {}
        return _Folded(name, len(events), rows)

    def _put(self, connection: Connection, folded: Sequence[_Folded]) -> None:
        """Replace all rows of these streams."""
        names = [each.stream for each in folded]
        for shadow in self._shadows:
            table = shadow.table
            connection.execute(delete(table).where(table.c.stream.in_(names)))
            if rows := [row for each in folded for row in _rows(shadow, each)]:
                connection.execute(insert(table), rows)

    def _streams_left(self, connection: Connection) -> int:
        left = stream.c.stream > self._place.after_stream
        return connection.scalar(select(func.count()).where(left)) or 0

    def _touched(self, connection: Connection) -> list[_Touched]:
        """The streams that grew since our position, in the order of their newest events.

        So a place can be noted after any of them: those left are newer and will be found again.
        """
        newest = func.max(event.c.position).label("newest")
        query = (
            select(event.c.stream, newest)
            .where(event.c.position > self._place.from_position)
            .group_by(event.c.stream)
            .order_by(newest)
        )
        return [_Touched(*row) for row in connection.execute(query)]


class _ShadowFollower(Follower):
    """A projection on its way in its shadow table, with the shadow's own checkpoint."""

    def __init__(self, store: Store, log: EventLog, projection: Projection, shadow: Shadow) -> None:
        super().__init__(store, log, projection)
        self._shadow = shadow

    @property
    def subscriber(self) -> str:
        return self._shadow.subscriber

    def table_name(self, connection: Connection) -> str:
        """The shadow, unless somebody else has finished the rebuild or begun it anew."""
        if not is_open(connection, self._shadow):
            raise RebuildLost
        return self._shadow.table.name

    def refusal(self, why: str) -> NeedsRebuild:
        return NeedsRebuild(self.projection.name, why, " --anew")

    def position(self) -> int:
        """How far the shadow is."""
        return self._store.read(self.checkpoint).position


def _flip_following(connection: Connection, shadow: Shadow) -> None:
    # Its own checkpoint first, which another rebuild would move; then the live one, whose row
    # a live runner holds while it writes the old table.
    reached = checkpoint_of(connection, shadow.subscriber)
    if not move_checkpoint(connection, shadow.subscriber, reached, reached):
        raise RebuildLost
    set_checkpoint(connection, shadow.shaped.name, reached)
    forget_checkpoint(connection, shadow.subscriber)
    flip_shadows(connection, [shadow])


def _drop_replaced(store: Store, shapes: Iterable[Shaped]) -> None:
    """Drop what the flip replaced, after its commit: a slow reader must not hold up appends."""

    def work(connection: Connection) -> None:
        lock_shapes(connection)
        for shaped in shapes:
            drop_strays(connection, shaped.name)

    store.write(work)


def _told(connection: Connection, name: str) -> list[Told]:
    query = (
        select(event.c.kind, event.c.data, event.c.received_at)
        .where(event.c.stream == name)
        .order_by(event.c.version)
    )
    return [Told(*row) for row in connection.execute(query)]


def _rows(shadow: Shadow, folded: _Folded) -> list[dict[str, Value]]:
    names = [column.name for column in shadow.table.columns]
    lead = (folded.stream,)
    return [
        dict(zip(names, (*lead, key, folded.version, *values), strict=True))
        for key, values in folded.rows.get(shadow.shaped.name, {}).items()
    ]
