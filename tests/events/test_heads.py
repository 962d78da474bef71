"""Heads outside the database: what shows a chain that was computed again, or cut off."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from events.chain import Fault, head_after, verify_heads, verify_log
from events.event_kinds import SeatLeft, SeatTaken
from events.heads import (
    NEWEST_MAX,
    HeadsFile,
    HeadsKeeper,
    KeptHead,
    compare,
    newest_heads,
    read_heads,
)
from events.log import EventLog, Head, whole_log
from events.store import Store
from tests.events.chains import chain, computed_again
from tests.events.toys import append
from tests.kit.tampering import add_event, change_data, cut_tail, write_stream

A, B = "match/m-a", "match/m-b"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where the heads go."""
    return tmp_path / "heads.log"


def kept(*heads: Head) -> list[KeptHead]:
    """Heads as a file would hold them."""
    return [KeptHead(each.stream, each.version, each.hash.hex()) for each in heads]


def test_heads_come_back_from_their_file(file: Path) -> None:
    """One JSON object a line, in the order they were noted; a second write adds to the first."""
    first, second = [head_after(event) for event in chain(A, 2)]
    HeadsFile(file).append([first])
    HeadsFile(file).append([second])
    read = read_heads(file)
    assert [head.version for head in read.heads] == [1, 2]
    assert read.heads[0] == KeptHead(A, 1, first.hash.hex(), first.position, first.at)
    assert read.unreadable == ()
    assert msgspec.json.decode(file.read_bytes().splitlines()[0]) == {
        "stream": A,
        "version": 1,
        "hash": first.hash.hex(),
        "position": 1,
        "at": 1_000,
    }


def test_a_heads_file_that_we_make_is_for_its_owner_alone(file: Path) -> None:
    """It names every match there is."""
    HeadsFile(file).append([])
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_start_looks_at_the_newest_heads_alone(file: Path) -> None:
    """However long the file is; a torn line is passed over, as in a whole reading."""
    heads = [head_after(event) for event in chain(A, NEWEST_MAX + 100)]
    HeadsFile(file).append(heads)
    assert newest_heads(file) == read_heads(file).heads[-NEWEST_MAX:]
    file.write_bytes(file.read_bytes()[:-20])
    assert newest_heads(file) == read_heads(file).heads[-NEWEST_MAX + 1 :]
    file.write_bytes(b"")
    assert newest_heads(file) == ()


def test_a_torn_line_is_left_out_and_reported(file: Path) -> None:
    """A crash in the middle of a line costs that line; the next one begins on its own."""
    heads = [head_after(event) for event in chain(A, 3)]
    HeadsFile(file).append(heads[:2])
    file.write_bytes(file.read_bytes()[:-20])
    torn = read_heads(file)
    assert ([head.version for head in torn.heads], torn.unreadable) == ([1], (2,))
    HeadsFile(file).append(heads[2:])
    whole = read_heads(file)
    assert ([head.version for head in whole.heads], whole.unreadable) == ([1, 3], (2,))


@pytest.mark.parametrize(
    "line",
    [
        b'{"stream":"match/m-a","version":0,"hash":"' + b"0" * 64 + b'"}',
        b'{"stream":"match/m-a","version":1,"hash":"0"}',
        b'{"stream":"match/m-a","version":"1"}',
        b"[]",
        b"[" * 200_000,
        b"\xff\xfe",
    ],
)
def test_a_line_that_is_no_head_is_reported(file: Path, line: bytes) -> None:
    """A file from outside is judged, and a wrong line never stands for a head."""
    file.write_bytes(line + b"\n\n" + b'{"stream":"s","version":1,"hash":"' + b"a" * 64 + b'"}')
    read = read_heads(file)
    assert (read.heads, read.unreadable) == ((KeptHead("s", 1, "a" * 64),), (1,))


def test_the_keeper_notes_what_has_grown(store: Store, log: EventLog, file: Path) -> None:
    """Once a stream for each run, and nothing when nothing is new."""
    keeper = HeadsKeeper(store, log, HeadsFile(file))
    assert keeper.catch_up() == 0
    append(log, A, SeatTaken(seat="A"), SeatTaken(seat="B"))
    append(log, B, SeatTaken(seat="A"))
    append(log, A, SeatLeft(seat="A"))
    assert keeper.catch_up() == 2
    assert keeper.catch_up() == 0
    append(log, B, SeatLeft(seat="A"))
    assert HeadsKeeper(store, log, HeadsFile(file)).catch_up() == 1
    noted = [(head.stream, head.version) for head in read_heads(file).heads]
    assert sorted(noted[:2]) == [(A, 3), (B, 1)]
    assert noted[2:] == [(B, 2)]
    assert compare(log, read_heads(file).heads) == []


def test_heads_are_noted_again_after_the_log_was_rewound(
    store: Store, log: EventLog, file: Path
) -> None:
    """The file then says two things of one version, and a comparison names it."""
    append(log, A, SeatTaken(seat="A"), SeatTaken(seat="B"))
    keeper = HeadsKeeper(store, log, HeadsFile(file))
    keeper.catch_up()
    events = log.read(A)
    write_stream(store, computed_again([events[0], replace(events[1], data=b'{"seat":"C"}')]))
    assert keeper.catch_up() == 1
    [fault] = compare(log, read_heads(file).heads)
    assert (fault.stream, fault.version, fault.what) == (A, 2, "hash")


def faults_inside(log: EventLog) -> list[Fault]:
    """All that the database shows by itself: every chain, and the log's own heads."""
    found: dict[str, Head] = {}
    faults = list(verify_log(whole_log(log), found))
    return faults + list(verify_heads(found, log.streams()))


class TestTampering:
    """Somebody can write SQL. What is found, by what."""

    @pytest.fixture(autouse=True)
    def _three_seats(self, log: EventLog) -> None:
        append(log, A, SeatTaken(seat="A"))
        append(log, B, SeatTaken(seat="A"), SeatTaken(seat="B"))
        append(log, A, SeatTaken(seat="B"))
        append(log, A, SeatTaken(seat="C"))

    def test_an_untouched_log_has_no_fault(self, log: EventLog) -> None:
        """The control."""
        assert faults_inside(log) == []
        assert compare(log, kept(*log.streams())) == []

    def test_a_changed_byte_is_named(self, store: Store, log: EventLog) -> None:
        """Stream, version, and that the hash is not the one of what is stored."""
        [before] = log.read(A, after=1, upto=2)
        change_data(store, A, 2, before.data.replace(b"B", b"D"))
        [fault] = faults_inside(log)
        assert (fault.stream, fault.version, fault.what) == (A, 2, "hash")
        assert fault.stored == before.hash.hex()
        assert fault.computed != fault.stored

    def test_an_event_added_without_its_hash_is_named(self, store: Store, log: EventLog) -> None:
        """Its own hash is wrong, and the log's head does not know of it."""
        newest = log.read(A)[-1]
        add_event(store, replace(newest, version=4, position=99))
        assert [(fault.version, fault.what) for fault in faults_inside(log)] == [
            (4, "hash"),
            (4, "version"),
        ]

    def test_a_stream_computed_again_is_found_by_kept_heads_only(
        self, store: Store, log: EventLog
    ) -> None:
        """An event was put in between and every hash after it made right."""
        one, two, three = log.read(A)
        heads = kept(*map(head_after, (one, two, three)))
        inserted = replace(two, data=b'{"seat":"D"}')
        moved = [replace(two, version=3), replace(three, version=4, position=99)]
        moved[0] = replace(moved[0], position=three.position)
        write_stream(store, computed_again([one, inserted, *moved]))
        assert faults_inside(log) == []
        assert [(fault.version, fault.what) for fault in compare(log, heads)] == [
            (2, "hash"),
            (3, "hash"),
        ]

    def test_a_cut_tail_is_found_by_kept_heads_only(self, store: Store, log: EventLog) -> None:
        """The newest events are gone, and the log's head with them."""
        events = log.read(A)
        cut_tail(store, events, keep=1)
        assert faults_inside(log) == []
        assert compare(log, kept(head_after(events[0]))) == []
        [fault] = compare(log, kept(head_after(events[2])))
        assert fault == Fault(A, 3, "version", "nothing", events[2].hash.hex())

    def test_a_client_needs_to_keep_no_more_than_it_was_told(
        self, store: Store, log: EventLog, file: Path
    ) -> None:
        """A line with stream, version and hash is a proof as good as the server's own."""
        events = log.read(A)
        line = {"stream": A, "version": 3, "hash": events[2].hash.hex()}
        file.write_bytes(msgspec.json.encode(line))
        cut_tail(store, events, keep=2)
        [fault] = compare(log, read_heads(file).heads)
        assert (fault.version, fault.stored) == (3, "nothing")

    def test_a_vanished_stream_is_found(self, log: EventLog) -> None:
        """A head of a stream of which nothing is left."""
        gone = chain("match/m-gone", 2)
        [fault] = compare(log, kept(head_after(gone[1])))
        assert (fault.stream, fault.version, fault.stored) == ("match/m-gone", 2, "nothing")
