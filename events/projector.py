"""Projections that catch up: each follows the log with a checkpoint of its own.

A page of events is applied and the checkpoint moved in one transaction, so every event takes
effect exactly once, whatever crashes. Two runners of one projection are safe: the slower one
finds the checkpoint moved and writes nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Protocol

from msgspec.structs import replace
from sqlalchemy import Connection, MetaData, Table

from events.checkpoints import (
    Checkpoint,
    LogRewound,
    checkpoint_of,
    move_checkpoint,
    page_after,
)
from events.codec import DamagedEvent, UnknownKind
from events.log import EventLog
from events.pointers import Shaped, pointer
from events.recorded import Recorded
from events.store import Store


class Projection(Shaped, Protocol):
    """A table that follows from the log alone, and may lag behind it."""

    def apply(self, connection: Connection, table: Table, recorded: Recorded) -> None:
        """Change rows as the event says, without a clock or chance.

        Decodes before it writes, so that what ``decode`` refuses leaves nothing behind.
        """
        ...


class NeedsRebuild(Exception):
    """A projection cannot go on from where it stands; the message says why, and the way out."""

    def __init__(self, projection: str, why: str, flags: str = "") -> None:
        super().__init__(
            f"projection {projection}: {why}; run `plybook rebuild {projection}{flags}`"
        )
        self.projection = projection


class Projector:
    """Brings projections up to the log's head. One a thread; any number of processes."""

    def __init__(self, store: Store, log: EventLog, projections: Iterable[Projection]) -> None:
        self._store = store
        self._log = log
        self._followers = [Follower(store, log, projection) for projection in projections]

    def catch_up(self) -> int:
        """Apply all that is new to every projection; the number of events applied.

        One projection that needs a rebuild does not stop the others: ``NeedsRebuild`` is
        raised at the end.
        """
        applied, refusal = 0, None
        for follower in self._followers:
            try:
                applied += follower.catch_up()
            except NeedsRebuild as needs:
                refusal = refusal or needs
        if refusal:
            raise refusal
        return applied

    def lag(self) -> dict[str, int]:
        """How many positions each projection is behind the head (at most so many events)."""
        head = self._log.position()
        return {name: max(head - at.position, 0) for name, at in self._checkpoints().items()}

    def needs_rebuild(self) -> dict[str, tuple[str, ...]]:
        """The projections that skipped events, with the kinds they did not know."""
        return {name: at.skipped for name, at in self._checkpoints().items() if at.skipped}

    def _checkpoints(self) -> dict[str, Checkpoint]:
        names = [follower.subscriber for follower in self._followers]
        return self._store.read(lambda c: {name: checkpoint_of(c, name) for name in names})


class Follower:
    """One projection on its way, in the table that stands for it."""

    def __init__(self, store: Store, log: EventLog, projection: Projection) -> None:
        self._store = store
        self._log = log
        self.projection = projection
        self._tables: dict[str, Table] = {}

    @property
    def subscriber(self) -> str:
        """The name of its checkpoint."""
        return self.projection.name

    def table_name(self, connection: Connection) -> str:
        """Its physical table now, asked in every transaction because a rebuild may flip it.

        Raises ``NeedsRebuild`` where none of our shape stands, also when there is nothing to do.
        """
        to = pointer(connection, self.projection.name)
        if to is None or to.shape != self.projection.shape:
            stands = "no table" if to is None else f"a table of shape {to.shape}"
            raise self.refusal(f"has {stands}, this program writes shape {self.projection.shape}")
        return to.table_name

    def checkpoint(self, connection: Connection) -> Checkpoint:
        """How far it is, in the table that stands."""
        self.table_name(connection)
        return checkpoint_of(connection, self.subscriber)

    def refusal(self, why: str) -> NeedsRebuild:
        """How it says that it cannot go on."""
        return NeedsRebuild(self.projection.name, why)

    def catch_up(self) -> int:
        """Apply page after page until the head is reached or another runner is met."""
        applied = 0
        while page := self.apply_page():
            applied += page
        return applied

    def apply_page(self) -> int:
        """Apply the next page in one transaction; how many events, 0 at the head."""
        at = self._store.read(self.checkpoint)
        try:
            page = page_after(self._log, at)
        except LogRewound as rewound:
            raise self.refusal(f"the log was restored or rewound ({rewound})") from rewound
        return self._store.write(lambda c: self._take(c, at, page)) if page else 0

    def _take(self, connection: Connection, at: Checkpoint, page: Sequence[Recorded]) -> int:
        reached = replace(at, position=page[-1].position, hash=page[-1].hash)
        if not move_checkpoint(connection, self.subscriber, at, reached):
            return 0
        skipped = self._apply(connection, page)
        if not skipped <= set(at.skipped):
            marked = replace(reached, skipped=tuple(sorted(skipped | set(at.skipped))))
            move_checkpoint(connection, self.subscriber, reached, marked)
        return len(page)

    def _apply(self, connection: Connection, page: Sequence[Recorded]) -> set[str]:
        """Apply the events in order; the kinds that had to be skipped."""
        table, skipped = self._table(self.table_name(connection)), set()
        for recorded in page:
            try:
                self.projection.apply(connection, table, recorded)
            except (UnknownKind, DamagedEvent) as unread:
                skipped.add(unread.kind)
        return skipped

    def _table(self, name: str) -> Table:
        if name not in self._tables:
            self._tables = {name: self.projection.table(MetaData(), name)}
        return self._tables[name]
