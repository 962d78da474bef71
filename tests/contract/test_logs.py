"""The laws of the log: one suite, held by every store, alone and in groups."""

import threading
from functools import partial

import pytest
from msgspec.structs import replace
from sqlalchemy import Connection, text

from events.log import (
    Append,
    Appended,
    CommandId,
    CommandReused,
    Expected,
    Head,
    LogFailure,
    Namespace,
    OldCode,
    VersionConflict,
    whole_log,
)
from events.recorded import GENESIS, NewEvent, Told, link_hash
from tests.kit.logs import (
    Opened,
    append,
    append_of,
    open_log,
)
from tests.kit.machine import PATIENCE_SECONDS

# Versions


def test_a_new_stream_begins_once(opened: Opened) -> None:
    """NEW writes version 1; to a stream that is there it is a conflict that names its version."""
    log, stream = opened.log, opened.stream
    assert append(log, stream, Expected.NEW).version == 1
    assert log.append([append_of(stream, Expected.NEW)]) == [VersionConflict(stream, 0, 1)]


def test_an_exact_version_is_met_or_nothing_is_written(opened: Opened) -> None:
    """The right version extends the stream; any other is a conflict and leaves no trace."""
    log, stream = opened.log, opened.stream
    append(log, stream, Expected.NEW, b"1", b"2")
    answer = append(log, stream, 2, b"3", b"4")
    assert (answer.first_version, answer.version) == (3, 4)
    before = log.position()
    for stale in (2, 3, 5):
        rows = {"k": ("x", 1, b"")}
        refused = append_of(stream, stale, key=f"k{stale}", rows=rows, secrets={"s": b"x"})
        assert log.append([refused]) == [VersionConflict(stream, stale, 4)]
    assert (log.position(), log.rows("places", stream), log.secrets(stream)) == (before, {}, {})


def test_any_version_will_do_when_none_is_expected(opened: Opened) -> None:
    """ANY extends whatever is there, also nothing."""
    versions = [append(opened.log, opened.stream, Expected.ANY).version for _ in range(3)]
    assert versions == [1, 2, 3]


def test_an_answer_tells_the_head(opened: Opened) -> None:
    """What an append answers is what the stream's head says afterwards."""
    log, stream = opened.log, opened.stream
    assert log.head(stream) == Head(stream, 0, GENESIS, 0, 0)
    answer = append(log, stream, Expected.NEW, b"1", b"2", b"3")
    told = Head(stream, answer.version, answer.hash, answer.at, answer.position)
    assert log.head(stream) == told
    assert log.position() == answer.position


# What is kept


def test_events_are_kept_as_they_came(opened: Opened) -> None:
    """Kinds nobody knows, bytes that are no JSON and texts in any script come back unchanged."""
    log, stream = opened.log, opened.stream + "/שלום-🎲"
    sent = Append(
        stream=stream,
        expected=0,
        actor="player:Ω",
        received_at=-7,
        events=(NewEvent("kind.of.tomorrow.9", bytes(range(256))), NewEvent("k.1", b"")),
        cause="weil\n'quoted' \\ \"text\"",
    )
    log.append([sent])
    kept = log.read(stream)
    assert [NewEvent(each.kind, each.data) for each in kept] == [*sent.events]
    assert [each.version for each in kept] == [1, 2]
    for each in kept:
        assert (each.stream, each.actor, each.received_at) == (stream, sent.actor, -7)
        assert (each.at, each.cause) == (log.head(stream).at, sent.cause)


def test_each_event_carries_the_hash_of_those_before_it(opened: Opened) -> None:
    """The chain of a stream can be recomputed from what is stored, from GENESIS on."""
    log, stream = opened.log, opened.stream
    for number in range(3):
        opened.clock.now += 10
        append(log, stream, Expected.ANY, b"a%d" % number, b"b")
    link = GENESIS
    for e in log.read(stream):
        link = link_hash(link, stream, e.version, e.kind, e.actor, e.received_at, e.at, e.data)
        assert e.hash == link
    assert log.head(stream).hash == link


def test_positions_rise_in_the_order_of_appends(opened: Opened) -> None:
    """Pages of any size, put together, are every event once and in the order of writing."""
    log, stream = opened.log, opened.stream
    before = log.position()
    answers = [append(log, f"{stream}{n % 3}", Expected.ANY, b"1", b"2") for n in range(7)]
    events = log.read_all(before)
    positions = [each.position for each in events]
    assert positions == sorted(set(positions))
    assert [each.position for each in events[1::2]] == [each.position for each in answers]
    paged, after = [], before
    while page := log.read_all(after, limit=3):
        paged += page
        after = page[-1].position
    assert paged == events
    assert [*whole_log(log, before)] == events


def test_a_stream_is_read_between_two_versions(opened: Opened) -> None:
    """``after`` is not part of what is read, ``upto`` is."""
    log, stream = opened.log, opened.stream
    append(log, stream, Expected.NEW, *(b"%d" % n for n in range(1, 6)))
    read = [
        [each.version for each in log.read(stream, after, upto)]
        for after, upto in ((0, None), (2, None), (1, 3), (0, 1), (5, None), (3, 2))
    ]
    assert read == [[1, 2, 3, 4, 5], [3, 4, 5], [2, 3], [1], [], []]
    assert log.read(stream + "-unknown") == []


def test_a_fold_is_told_what_is_read(opened: Opened) -> None:
    """``told`` gives the same events as ``read``, between the same versions, without envelopes."""
    log, stream = opened.log, opened.stream
    append(log, stream, Expected.NEW, b"", bytes(range(256)), b"3")
    log.append([replace(append_of(stream, 3, b"4"), received_at=-7)])
    for after, upto in ((0, None), (2, None), (1, 3), (0, 1), (4, None), (3, 2)):
        read = log.read(stream, after, upto)
        told = [Told(each.kind, each.data, each.received_at) for each in read]
        assert log.told(stream, after, upto) == told
    assert log.told(stream, 3) == [Told("toy.happened.1", b"4", -7)]
    assert log.told(stream + "-unknown") == []


def test_streams_are_listed_by_name(opened: Opened) -> None:
    """Names are ordered byte by byte, taken by prefix, and paged by the last one seen."""
    log, stream = opened.log, opened.stream
    names = [f"{stream}/{name}" for name in ("b", "a", "ä", "Z", "a-1", "a/1", "10", "9")]
    heads = {name: append(log, name, Expected.NEW) for name in names}
    append(log, stream.upper(), Expected.NEW)
    listed = log.streams(prefix=f"{stream}/")
    assert [head.stream for head in listed] == sorted(names)
    assert {head.stream: head.hash for head in listed} == {n: a.hash for n, a in heads.items()}
    page = log.streams(prefix=f"{stream}/", after=listed[2].stream, limit=3)
    assert page == listed[3:6]
    assert [head.stream for head in log.streams(prefix=f"{stream}/a-")] == [f"{stream}/a-1"]


# Commands


def test_a_repeated_command_gets_its_first_answer(opened: Opened) -> None:
    """However far the stream has gone on, and whatever version the retry expects."""
    log, stream = opened.log, opened.stream
    first = append_of(stream, Expected.NEW, b"1", b"2", key="k-1")
    [answer] = log.append([first])
    append(log, stream, 2)
    position = log.position()
    for retry in (first, replace(first, expected=3), replace(first, events=first.events[:1])):
        assert log.append([retry]) == [replace(answer, repeated=True)]
    assert log.position() == position


def test_a_command_id_stands_for_one_command(opened: Opened) -> None:
    """Another fingerprint under the same id is refused, and nothing is written."""
    log, stream = opened.log, opened.stream
    log.append([append_of(stream, key="k-1")])
    other = append_of(stream, key="k-1", fingerprint=b"asked that")
    assert log.append([other]) == [CommandReused(stream, "k-1")]
    assert log.head(stream).version == 1


def test_command_ids_of_others_are_others(opened: Opened) -> None:
    """The same key from inside, from another actor or for another stream is another command."""
    log, stream = opened.log, opened.stream
    appends = [
        append_of(stream, key="k-1"),
        append_of(stream, key="k-1", namespace=Namespace.INSIDE),
        append_of(stream, key="k-1", actor="player:p-bob"),
        append_of(stream + "2", key="k-1"),
        append_of(stream, key="k-2"),
    ]
    answers = log.append(appends)
    assert all(isinstance(each, Appended) and not each.repeated for each in answers)
    retried = log.append(appends)
    assert [replace(each, repeated=True) for each in answers] == retried


def test_a_command_can_be_looked_up(opened: Opened) -> None:
    """``repeated`` answers as the append would, and None for what was never recorded."""
    log, stream = opened.log, opened.stream
    [answer] = log.append([append_of(stream, Expected.NEW, b"1", b"2", key="k-1")])
    name, actor = CommandId(Namespace.OUTSIDE, "k-1"), "player:p-ann"
    assert log.repeated(stream, actor, name, b"asked this") == replace(answer, repeated=True)
    assert log.repeated(stream, actor, name, b"that") == CommandReused(stream, "k-1")
    assert log.repeated(stream, "server", name, b"asked this") is None
    assert log.repeated(stream, actor, CommandId(Namespace.INSIDE, "k-1"), b"asked this") is None
    log.append([append_of(stream, 7, key="refused")])
    refused = CommandId(Namespace.OUTSIDE, "refused")
    assert log.repeated(stream, actor, refused, b"asked this") is None


# What is written with an append


def test_inline_rows_follow_the_append(opened: Opened) -> None:
    """Rows are put in place by key, carry the version, and belong to the append's stream."""
    log, stream = opened.log, opened.stream
    kept = ("kept", -(2**62), b"\0\xff")
    log.append([append_of(stream, rows={"a": ("one", 1, b"1"), "b": kept, "c": ("", 0, b"")})])
    log.append([append_of(stream + "2", rows={"a": ("of another stream", None, None)})])
    log.append([append_of(stream, 1, b"", b"", rows={"a": (None, 3, None), "c": None})])
    assert log.rows("places", stream) == {"a": (None, 3, None), "b": kept}
    assert log.rows("places", stream + "2") == {"a": ("of another stream", None, None)}
    query = text("SELECT key, version FROM places_1 WHERE stream = :stream ORDER BY key")
    found = opened.store.read(lambda c: c.execute(query, {"stream": stream}).all())
    assert [tuple(row) for row in found] == [("a", 3), ("b", 1)]


def test_the_last_of_a_batch_has_the_row(opened: Opened) -> None:
    """Rows of one stream that several appends of a batch write are as the last one says."""
    log, stream = opened.log, opened.stream
    log.append(
        [
            append_of(stream, rows={"a": ("first", 1, None), "b": ("first", 1, None), "c": None}),
            append_of(stream, rows={"a": ("second", 2, None), "b": None}),
            append_of(stream, rows={"b": ("third", 3, None), "c": ("third", 3, None)}),
        ]
    )
    rows = {"a": ("second", 2, None), "b": ("third", 3, None), "c": ("third", 3, None)}
    assert log.rows("places", stream) == rows


def test_an_append_that_fails_leaves_nothing(opened: Opened) -> None:
    """A secret of that name is there: no event, row, secret or command of the append is kept."""
    log, stream = opened.log, opened.stream
    log.append([append_of(stream, Expected.NEW, secrets={"seed": b"sealed"})])
    assert log.secrets(stream) == {"seed": b"sealed"}
    before = log.position()
    spoilt = append_of(
        stream, 1, key="k-1", rows={"a": ("x", 1, None)}, secrets={"new": b"", "seed": b"other"}
    )
    with pytest.raises(LogFailure, match=r"the log could not be written: .*(secret|unique)"):
        log.append([append_of(stream + "2"), spoilt])
    assert (log.position(), log.head(stream).version) == (before, 1)
    assert (log.rows("places", stream), log.secrets(stream)) == ({}, {"seed": b"sealed"})
    assert log.append([replace(spoilt, secrets=())])[0].first_version == 2  # type: ignore[union-attr]  # an Appended
    assert append(log, stream + "2", Expected.NEW).version == 1


# Batches


def test_each_append_of_a_batch_gets_its_own_answer(opened: Opened) -> None:
    """Good ones are written, others refused, and the order of answers is that of the batch."""
    log, stream = opened.log, opened.stream
    [first] = log.append([append_of(stream, Expected.NEW, key="k-1")])
    answers = log.append(
        [
            append_of(stream, Expected.NEW),
            append_of(stream, Expected.NEW, key="k-1"),
            append_of(stream + "2", Expected.NEW),
            append_of(stream, key="k-1", fingerprint=b"that"),
            append_of(stream, 1),
        ]
    )
    assert isinstance(first, Appended)
    second, third = answers[2], answers[4]
    assert answers[0] == VersionConflict(stream, 0, 1)
    assert answers[1] == replace(first, repeated=True)
    assert answers[3] == CommandReused(stream, "k-1")
    assert isinstance(second, Appended)
    assert isinstance(third, Appended)
    assert first.position < second.position < third.position
    assert (second.version, third.version) == (1, 2)


def test_appends_of_one_stream_in_a_batch_see_each_other(opened: Opened) -> None:
    """They happen in their order: the second meets the head, and the commands, of the first."""
    log, stream = opened.log, opened.stream
    answers = log.append(
        [
            append_of(stream, Expected.NEW, b"1", b"2", key="k-1"),
            append_of(stream, 2, b"3"),
            append_of(stream, 2, b"too late"),
            append_of(stream, Expected.ANY, b"again", key="k-1"),
            append_of(stream, Expected.ANY, b"other", key="k-1", fingerprint=b"that"),
            append_of(stream, Expected.ANY, b"4"),
        ]
    )
    first = answers[0]
    assert isinstance(first, Appended)
    assert answers[2:5] == [
        VersionConflict(stream, 2, 3),
        replace(first, repeated=True),
        CommandReused(stream, "k-1"),
    ]
    assert [each.data for each in log.read(stream)] == [b"1", b"2", b"3", b"4"]
    assert log.head(stream).hash == log.read(stream)[-1].hash


def test_an_empty_batch_is_no_append(opened: Opened) -> None:
    """It has no answers and writes nothing."""
    before = opened.log.position()
    assert opened.log.append([]) == []
    assert opened.log.position() == before


def test_a_large_batch_is_written_whole(opened: Opened) -> None:
    """Hundreds of appends and a megabyte go through one call."""
    log, stream = opened.log, opened.stream
    rows = {"a": ("x" * 500, 1, None)}
    batch = [append_of(f"{stream}{n}", 0, b"x" * 4_000, key="k", rows=rows) for n in range(300)]
    assert all(isinstance(answer, Appended) for answer in log.append(batch))
    heads = log.streams(prefix=stream, limit=1_000)
    assert len(heads) == len(batch)
    assert log.rows("places", f"{stream}299") == rows


# Time


def test_time_never_runs_backwards(opened: Opened) -> None:
    """A clock that jumps back leaves ``at`` where it was, in all streams, until it has passed."""
    log, stream, times = opened.log, opened.stream, []
    start = max((each.at for each in log.read_all()), default=0)
    for step, name in ((5_000, "a"), (-900_000, "a"), (10, "b"), (5_001, "b"), (4_000, "c")):
        opened.clock.now = start + step
        times.append(append(log, stream + name, Expected.ANY).at - start)
    assert times == [5_000, 5_000, 5_000, 5_001, 5_001]


# Others


def test_an_append_sees_what_others_have_written_since_the_last(opened: Opened) -> None:
    """Two logs over one database write one order of positions and times, and see a flip at once."""
    log, stream = opened.log, opened.stream
    start = max((each.at for each in log.read_all()), default=0)
    flip = text("UPDATE projection_pointer SET shape = :shape WHERE projection = 'places'")
    with open_log(opened.sort, opened.store, opened.clock) as other:
        answers = []
        for step, writer in ((9, log), (5, other), (7, log), (8, log), (20, other), (1, log)):
            opened.clock.now = start + step
            answers.append(append(writer, stream))
        assert [each.at - start for each in answers] == [9, 9, 9, 9, 20, 20]
        assert [each.version for each in answers] == [1, 2, 3, 4, 5, 6]
        positions = [each.position for each in answers]
        assert positions == sorted(set(positions))
        for shape, refusals in ((2, [OldCode("places", 1, 2)] * 2), (1, [])):
            values = {"shape": shape}
            opened.store.write(partial(Connection.execute, statement=flip, parameters=values))
            told = [writer.append([append_of(stream)])[0] for writer in (log, other)]
            assert [each for each in told if isinstance(each, OldCode)] == refusals


def test_waiting_ends_when_there_is_more(opened: Opened) -> None:
    """At once for what is there, at the commit for what comes, and in vain after the time."""
    log, stream = opened.log, opened.stream
    append(log, stream)
    position = log.position()
    assert log.wait(position - 1, PATIENCE_SECONDS)
    assert not log.wait(position, 0.01)
    later = threading.Timer(0.1, append, (log, stream))
    later.start()
    assert log.wait(position, PATIENCE_SECONDS)
    later.join()


def test_a_reader_elsewhere_sees_and_hears_of_appends(opened: Opened) -> None:
    """A second log over the same database reads what the first wrote, and is woken by it."""
    log, stream = opened.log, opened.stream
    with open_log(opened.sort, opened.store, opened.clock) as elsewhere:
        position = elsewhere.position()
        heard = []
        wait = lambda: heard.append(elsewhere.wait(position, PATIENCE_SECONDS))  # noqa: E731
        waiting = threading.Thread(target=wait)
        waiting.start()
        answer = append(log, stream)
        waiting.join()
        assert heard == [True]
        assert elsewhere.read(stream)[-1].hash == answer.hash
