"""The chain: what differs is named exactly, and what it cannot show is shown to be so."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events.chain import Fault, beginning, head_after, verify_heads, verify_log, verify_stream
from events.recorded import Recorded
from tests.events.chains import chain, computed_again

A, B = "match/m-a", "match/m-b"


def test_a_whole_chain_has_no_fault() -> None:
    """Also none at all, and one that is read on from a head that is trusted."""
    events = chain(A, 5)
    assert verify_stream(events) == []
    assert verify_stream([]) == []
    assert verify_stream(events[3:], after=head_after(events[2])) == []


@given(
    at=st.integers(0, 4),
    change=st.sampled_from(
        [
            {"kind": "match.started.1"},
            {"actor": "player:p-bob"},
            {"received_at": 17},
            {"at": 10**9},
            {"data": b'{"turn":77}'},
            {"hash": b"\x00" * 32},
        ]
    ),
)
def test_a_change_of_any_hashed_field_is_one_fault_at_its_event(
    at: int, change: dict[str, Any]
) -> None:
    """The event is named with both hashes; those after it are judged by what is stored."""
    events = chain(A, 5)
    events[at] = replace(events[at], **change)
    faults = [fault for fault in verify_stream(events) if fault.what == "hash"]
    if "hash" in change:  # the next event was chained to the right one
        assert {fault.version for fault in faults} <= {at + 1, at + 2}
    else:
        assert [(fault.stream, fault.version) for fault in faults] == [(A, at + 1)]
    assert faults[0].stored == events[at].hash.hex()
    assert faults[0].computed != faults[0].stored


def test_a_flipped_byte_is_said_in_one_sentence() -> None:
    """Stream, version and what differs, with the stored and the computed value."""
    events = chain(A, 3)
    events[1] = replace(events[1], data=b'{"turn":3}')
    [fault] = verify_stream(events)
    assert str(fault) == (
        f"match/m-a version 2: hash differs, stored {fault.stored}, should be {fault.computed}"
    )


def test_a_hole_is_named_by_the_version_that_follows() -> None:
    """Beside a hole no hash can be judged, so there is one fault and not two."""
    events = chain(A, 4)
    del events[1]
    assert verify_stream(events) == [Fault(A, 3, "version", "3", "2")]


def test_a_repeated_version_is_a_fault() -> None:
    """Two events cannot be the second one."""
    events = chain(A, 3)
    faults = verify_stream([*events[:2], events[1], events[2]])
    assert faults == [Fault(A, 2, "version", "2", "3")]


def test_a_missing_beginning_is_a_fault() -> None:
    """A stream begins with version 1 on the genesis hash."""
    assert verify_stream(chain(A, 3)[1:]) == [Fault(A, 2, "version", "2", "1")]


def test_time_does_not_run_backwards() -> None:
    """The chain may be whole: the log would not have written this."""
    events = chain(A, 3)
    events[2] = replace(events[2], at=1)
    assert verify_stream(computed_again(events)) == [Fault(A, 3, "time", "1", "2000 or later")]


def test_streams_that_lie_in_one_another_are_judged_apart() -> None:
    """A log is read in the order of positions; each stream has its own chain."""
    a, b = chain(A, 3), chain(B, 3)
    b[1] = replace(b[1], actor="computer:B")
    mixed = [event for pair in zip(a, b, strict=True) for event in pair]
    assert [(fault.stream, fault.version) for fault in verify_log(mixed, {})] == [(B, 2)]


def test_a_check_of_a_log_goes_on_where_it_stopped() -> None:
    """The heads it arrived at are all it needs to know of what came before."""
    events = chain(A, 6)
    events[4] = replace(events[4], actor="computer:B")
    heads: dict[str, Any] = {}
    assert list(verify_log(events[:3], heads)) == []
    assert [fault.version for fault in verify_log(events[3:], heads)] == [5]
    assert heads == {A: head_after(events[5])}


def test_the_logs_own_heads_show_what_was_added_or_removed() -> None:
    """An event beyond its head, a head beyond its events, a stream without either."""
    a, b = chain(A, 3), chain(B, 2)
    heads = {A: head_after(a[2]), B: head_after(b[1])}
    assert list(verify_heads(heads, heads.values())) == []
    added = verify_heads(heads, [head_after(a[1]), heads[B]])
    assert list(added) == [Fault(A, 3, "version", a[2].hash.hex(), "nothing")]
    removed = verify_heads({A: head_after(a[1]), B: heads[B]}, heads.values())
    assert list(removed) == [Fault(A, 3, "version", "nothing", a[2].hash.hex())]
    unstated = verify_heads(heads, [heads[A]])
    assert list(unstated) == [Fault(B, 2, "version", b[1].hash.hex(), "nothing")]
    other_hash = replace(heads[A], hash=b"\x05" * 32)
    assert [fault.what for fault in verify_heads(heads, [other_hash, heads[B]])] == ["hash"]


@pytest.mark.parametrize(
    "spoil", [lambda e: replace(e, data=b"{}"), lambda e: replace(e, at=2_500)]
)
def test_a_chain_computed_again_looks_whole(spoil: Any) -> None:
    """The limit, said plainly: only heads kept elsewhere can show this (``test_heads``)."""
    events = chain(A, 3)
    events[1] = spoil(events[1])
    assert verify_stream(computed_again(events)) == []


def test_the_beginning_is_the_head_of_no_event() -> None:
    """So a stream that does not exist and one with a head at 0 are the same."""
    assert list(verify_heads({}, [beginning(A)])) == []
    one: list[Recorded] = chain(A, 1)
    assert verify_stream(one, after=beginning(A)) == []
