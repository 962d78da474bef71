"""Projections made anew from the log: all of them, or those that are named."""

import time
from collections.abc import Collection, Iterator

import msgspec

from events.rebuild import Progress, no_progress, rebuild_inline, rebuild_projection
from ops.refused import Refused
from ops.wiring import Record
from services.projections.catching_up import CATCHING_UP
from services.projections.inline import INLINE_TABLES, rows_of_stream

NAMES = (*(table.name for table in INLINE_TABLES), *(each.name for each in CATCHING_UP))
"""Every projection there is."""


class Remade(msgspec.Struct, frozen=True):
    """One step of a rebuild: which projections, how many events were folded, how long (s).

    ``damaged`` says of each stream that was left out why.
    """

    projections: tuple[str, ...]
    events: int
    seconds: float
    damaged: tuple[str, ...] = ()

    @property
    def events_per_second(self) -> int:
        """The rate, rounded."""
        return round(self.events / self.seconds) if self.seconds else 0


class AllRemade(msgspec.Struct, frozen=True):
    """What a server's rebuild did: events folded, by projections, and the streams left out."""

    rebuilt: dict[str, int]
    damaged: tuple[str, ...]


def rebuild_all(
    opened: Record,
    names: Collection[str] = NAMES,
    progress: Progress = no_progress,
    *,
    anew: bool = False,
) -> Iterator[Remade]:
    """Rebuild these projections, the inline ones together; tells after each step.

    ``anew`` forgets a rebuild that was stopped, instead of going on with it.
    """
    if unknown := set(names) - set(NAMES):
        raise Refused(f"There is no projection {min(unknown)}; there are: {', '.join(NAMES)}.")
    inline = [table for table in INLINE_TABLES if table.name in names]
    if inline:
        begun = time.perf_counter()
        done = rebuild_inline(opened.store, opened.log, inline, rows_of_stream, progress, anew=anew)
        named = tuple(table.name for table in inline)
        yield Remade(named, done.events, time.perf_counter() - begun, done.damaged)
    for projection in CATCHING_UP:
        if projection.name in names:
            begun = time.perf_counter()
            done = rebuild_projection(opened.store, opened.log, projection, progress, anew=anew)
            yield Remade((projection.name,), done.events, time.perf_counter() - begun)
