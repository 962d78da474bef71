"""The codec: any event comes back from its bytes, and newer fields do not disturb."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.codec import EVENT_BYTES_MAX, DamagedEvent, decode, encode
from events.event_kinds import EVENT_TYPES, Event, MovePlayed

NUMBERS = st.integers(-(2**63), 2**63 - 1)
PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | NUMBERS
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)
"""What a ruleset may hold: anything JSON can say."""


def of_type(wanted: Any) -> st.SearchStrategy[Any]:
    """Values of a field's type; structs inside events are built field by field."""
    if wanted is int:
        return NUMBERS
    if wanted == dict[str, Any]:
        return st.dictionaries(st.text(), PLAIN, max_size=4)
    if wanted == dict[str, int]:
        return st.dictionaries(st.text(), NUMBERS, max_size=4)
    if isinstance(wanted, type) and issubclass(wanted, msgspec.Struct):
        return structs(wanted)
    if getattr(wanted, "__args__", ()) and type(None) in wanted.__args__:
        return st.one_of(*(of_type(part) for part in wanted.__args__))
    return st.from_type(wanted)


def structs(cls: type[msgspec.Struct]) -> st.SearchStrategy[Any]:
    """Any instance of a struct."""
    fields = {field.name: of_type(field.type) for field in msgspec.structs.fields(cls)}
    return st.builds(cls, **fields)


EVENTS: st.SearchStrategy[Event] = st.one_of(*(structs(cls) for cls in EVENT_TYPES))


@given(EVENTS)
def test_any_event_comes_back_from_its_bytes(event: Event) -> None:
    """Whatever the fields hold, reading gives the same event, and writing it the same bytes."""
    written = encode(event)
    read = decode(written.kind, written.data)
    assert (type(read), read) == (type(event), event)
    assert encode(read) == written


@given(EVENTS, st.text().filter(lambda name: not name.isidentifier()), PLAIN)
def test_a_field_this_program_does_not_know_is_ignored(event: Event, name: str, value: Any) -> None:
    """A newer Plybook may add an optional field to a kind without cutting this one off."""
    written = encode(event)
    newer = msgspec.json.encode({**msgspec.json.decode(written.data), name: value})
    assert decode(written.kind, newer) == event


def test_an_event_beyond_all_measure_is_not_written() -> None:
    """A limit stands before the log, where a bug could otherwise fill it."""
    with pytest.raises(ValueError, match=r"match\.move_played\.1 is \d+ bytes, more than 262144"):
        encode(MovePlayed(turn=1, seat="A", move="x" * EVENT_BYTES_MAX))


@pytest.mark.parametrize(
    "data",
    [b"", b"{", b"null", b"\xff", b'{"seat":5}', b'{"x":"y"}', b'{"x":' + b"[" * 200_000],
    ids=["nothing", "torn", "null", "no text", "a number", "another kind's", "bottomless"],
)
def test_bytes_that_are_no_event_of_their_kind_are_damage(data: bytes) -> None:
    """Readers catch one thing that names the kind, whatever is wrong with the bytes."""
    with pytest.raises(DamagedEvent, match=r"'match\.seat_left\.1' is damaged: ") as damaged:
        decode("match.seat_left.1", data)
    assert damaged.value.kind == "match.seat_left.1"
