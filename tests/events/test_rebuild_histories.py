"""Any history of appends, stops and rebuilds ends in the tables that a fold from zero gives."""

import itertools
import tempfile
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from events.event_kinds import Event, SeatLeft, SeatTaken
from events.log import EventLog
from events.migrations import upgrade
from events.projector import Projector
from events.rebuild import rebuild_inline, rebuild_projection
from events.sqlite_store import SqliteStore
from events.store import Store
from events.table_dump import dump
from tests.events.folds import from_zero, visits_from_zero
from tests.events.toys import INLINE, VISITS, append, rows_of_stream
from tests.kit.logs import open_log

SEATS = st.sampled_from("ABC")
EVENTS: st.SearchStrategy[Event] = st.one_of(
    st.builds(SeatTaken, seat=SEATS, player=st.sampled_from(["ann", "bob"])),
    st.builds(SeatLeft, seat=SEATS),
)
APPENDS = st.tuples(st.sampled_from("abcdef"), st.lists(EVENTS, min_size=1, max_size=3))
STEPS = st.one_of(
    APPENDS,
    st.just("catch up"),
    st.tuples(st.sampled_from(["inline", "visits"]), st.lists(APPENDS, max_size=3), st.booleans()),
)
"""An append; or all projections catch up; or a rebuild with appends between its pages, which are
as many as it may take before it is stopped, if the last is true."""


Todo = Any
"""What ``STEPS`` draws."""


class Stopped(Exception):
    """The rebuild's process is gone."""


def step(store: Store, log: EventLog, todo: Todo) -> None:
    """Do one step of a history."""
    match todo:
        case "catch up":
            Projector(store, log, [VISITS]).catch_up()
        case (str() as name, list() as events):
            append(log, f"match/{name}", *events)
        case (what, between, stops):
            rebuild(store, log, what, between, stops=stops)


def rebuild(store: Store, log: EventLog, what: str, between: list[Todo], *, stops: bool) -> None:
    """Rebuild, with appends between the pages."""
    left = list(between)

    def progress(*_: int) -> None:
        if left:
            step(store, log, left.pop())
        elif stops:
            raise Stopped

    with suppress(Stopped):
        if what == "inline":
            rebuild_inline(store, log, INLINE, rows_of_stream, progress)
        else:
            rebuild_projection(store, log, VISITS, progress)


@given(st.lists(STEPS, max_size=12))
@settings(max_examples=25)
def test_any_history_ends_as_a_fold_from_zero(history: list[Todo]) -> None:
    """Inline tables at any time; the one that catches up, once it has."""
    with (
        pytest.MonkeyPatch.context() as patched,
        tempfile.TemporaryDirectory() as folder,
        closing(SqliteStore(Path(folder) / "log.db", "NORMAL")) as store,
    ):
        patched.setattr("events.rebuild.STREAMS_A_WRITE", 2)
        patched.setattr("events.rebuild.TAIL_STREAMS", 1)
        patched.setattr("events.checkpoints.PAGE_EVENTS", 3)
        upgrade(store, INLINE, [VISITS])
        with open_log("sqlite", store, itertools.count().__next__, INLINE) as log:
            for todo in history:
                step(store, log, todo)
            for spec in INLINE:
                assert dump(store, spec.name) == from_zero(log, spec.name)
            Projector(store, log, [VISITS]).catch_up()
            assert dump(store, "visits") == visits_from_zero(log)
