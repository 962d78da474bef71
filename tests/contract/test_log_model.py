"""Whatever is appended, in whatever order: every log keeps what a dictionary would keep."""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from events.log import Answer, Append, Appended, CommandId, Expected, Head, Namespace
from events.migrations import upgrade
from events.recorded import Recorded
from tests.kit.databases import fresh_database
from tests.kit.logs import (
    INLINE,
    LOGS,
    AnyStore,
    DictLog,
    SetClock,
    append_of,
    open_log,
    open_store,
)

STREAMS = ("a", "b")
KEYS = ("k-1", "k-2")
ACTORS = ("player:p-ann", "server")
FINGERPRINTS = (b"this", b"that")
VALUES = st.tuples(st.text("xyZ€", max_size=3), st.integers(-3, 3), st.binary(max_size=2))
ROWS = st.dictionaries(st.sampled_from("rst"), st.none() | VALUES, max_size=2)

APPENDS = st.builds(
    lambda stream, expected, data, key, namespace, actor, fingerprint, rows: append_of(
        stream, expected, *data, key=key, namespace=namespace, actor=actor,
        fingerprint=fingerprint, rows=rows,
    ),
    st.sampled_from(STREAMS),
    st.sampled_from([Expected.NEW, Expected.ANY, Expected.ANY, 1, 2, 3, 5]),
    st.lists(st.binary(max_size=3), min_size=1, max_size=3),
    st.sampled_from(["", *KEYS]),
    st.sampled_from(Namespace),
    st.sampled_from(ACTORS),
    st.sampled_from(FINGERPRINTS),
    ROWS,
)  # fmt: skip


class LogMachine(RuleBasedStateMachine):
    """Drives a log and the dictionary side by side; streams are new for each run."""

    sort: str
    store: AnyStore
    runs = 0

    @initialize()
    def begin(self) -> None:
        """Open the log again, and put streams of a new name into it."""
        type(self).runs += 1
        self.prefix = f"run-{self.runs}/"
        self.clock = SetClock()
        self.stack = ExitStack()
        self.log = self.stack.enter_context(open_log(self.sort, self.store, self.clock))
        self.start = self.log.position()
        earlier = self.log.read_all(self.start - 1)
        self.model = DictLog(self.clock, max((each.at for each in earlier), default=0))

    @rule(batch=st.lists(APPENDS, min_size=1, max_size=4))
    def append(self, batch: list[Append]) -> None:
        """The same batch gets the same answers."""
        named = [replace(each, stream=self.prefix + each.stream) for each in batch]
        assert plain(self.log.append(named)) == plain(self.model.append(named))

    @rule(by=st.integers(-1_000, 1_000))
    def let_time_pass(self, by: int) -> None:
        """Or jump back."""
        self.clock.now += by

    @rule()
    def open_again(self) -> None:
        """A log that is opened again goes on where it stood."""
        self.stack.close()
        self.log = self.stack.enter_context(open_log(self.sort, self.store, self.clock))

    @invariant()
    def keeps_the_same(self) -> None:
        """Streams, heads, rows and the order of the whole log are the model's."""
        if not hasattr(self, "log"):
            return
        for stream in (self.prefix + name for name in STREAMS):
            assert plain(self.log.read(stream)) == plain(self.model.read(stream))
            assert self.log.told(stream) == self.model.told(stream)
            assert plain([self.log.head(stream)]) == plain([self.model.head(stream)])
            assert self.log.rows("places", stream) == self.model.rows("places", stream)
        assert plain(self.log.read_all(self.start)) == plain(self.model.read_all())
        assert plain(self.log.streams(self.prefix)) == plain(self.model.streams(self.prefix))

    @invariant()
    def remembers_the_same(self) -> None:
        """Each command that there can be stands for the same."""
        if not hasattr(self, "log"):
            return
        for stream in (self.prefix + name for name in STREAMS):
            for name in (CommandId(space, key) for space in Namespace for key in KEYS):
                ours = self.log.repeated(stream, ACTORS[0], name, FINGERPRINTS[0])
                theirs = self.model.repeated(stream, ACTORS[0], name, FINGERPRINTS[0])
                assert plain([ours] if ours else []) == plain([theirs] if theirs else [])

    def teardown(self) -> None:
        """Close what the run has opened."""
        if hasattr(self, "stack"):
            self.stack.close()


def plain(things: Sequence[Answer | Recorded | Head]) -> list[object]:
    """Answers, events and heads without positions, which may have gaps; their order stays."""
    return [
        replace(each, position=0) if isinstance(each, Appended | Recorded | Head) else each
        for each in things
    ]


@pytest.mark.parametrize(
    "sort", [pytest.param(s, marks=pytest.mark.postgres) if "postgres" in s else s for s in LOGS]
)
def test_every_log_does_what_a_dictionary_would_do(
    sort: str, request: pytest.FixtureRequest
) -> None:
    """No sequence of appends, retries, clock jumps and reopenings tells a log from the model."""
    runs = 12 if "postgres" in sort else 40
    with ExitStack() as stack:

        def url() -> str:
            server = request.getfixturevalue("postgres_server")
            return stack.enter_context(fresh_database(server))

        folder = stack.enter_context(tempfile.TemporaryDirectory())
        opened = stack.enter_context(open_store(sort, Path(folder), url))
        upgrade(opened, INLINE)

        class Machine(LogMachine):
            pass

        Machine.sort, Machine.store = sort, opened
        case = Machine.TestCase
        case.settings = settings(
            max_examples=runs,
            stateful_step_count=12,
            suppress_health_check=[HealthCheck.too_slow],
        )
        case("runTest").runTest()
        assert Machine.runs >= runs
