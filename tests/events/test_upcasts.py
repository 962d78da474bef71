"""Upcasts: old kinds are lifted step by step when read, and every chain ends today."""

from typing import Any

import msgspec
import pytest

from events import event_kinds as kinds
from events.codec import UnknownKind, decode
from events.upcasts import UPCASTS, Upcast
from tests.events.golden_examples import NAMES, golden, kind_of

CURRENT = {each.kind for each in kinds.EVENT_TYPES}


def walk(kind: str, plain: dict[str, Any], upcasts: dict[str, Upcast]) -> list[str]:
    """The kinds an old event passes through, to the one it is read as."""
    path = [kind]
    while path[-1] in upcasts:
        newer, plain = upcasts[path[-1]](plain)
        assert newer not in path, f"a cycle: {' → '.join([*path, newer])}"
        path.append(newer)
    return path


def chair_to_place(old: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A toy step: a field was renamed."""
    return "toy.left.2", {"place": old["chair"]}


def place_to_seat(old: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A toy step: renamed again, and letters instead of numbers."""
    return "match.seat_left.1", {"seat": "ABCD"[old["place"]]}


def back_to_start(old: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """A toy step that goes in a circle."""
    return "toy.left.1", old


TOY: dict[str, Upcast] = {"toy.left.1": chair_to_place, "toy.left.2": place_to_seat}


@pytest.mark.parametrize("name", NAMES)
def test_every_chain_ends_at_a_current_kind(name: str) -> None:
    """Each golden file of each old kind is walked to its end, without meeting a kind twice."""
    plain = msgspec.json.decode(golden(name))
    assert walk(kind_of(name), plain, UPCASTS)[-1] in CURRENT


def test_no_kind_is_both_old_and_current() -> None:
    """A kind has one reader: its struct, or its step to the next kind."""
    assert not CURRENT & set(UPCASTS)


def test_the_walk_sees_a_cycle() -> None:
    """The control: a chain that comes back to its start is found."""
    circle: dict[str, Upcast] = {"toy.left.1": chair_to_place, "toy.left.2": back_to_start}
    with pytest.raises(AssertionError, match=r"cycle: toy.left.1 → toy.left.2 → toy.left.1"):
        walk("toy.left.1", {"chair": 1}, circle)


def test_an_old_event_is_lifted_through_all_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two steps later it is an event of today; from the middle, one step is enough."""
    for kind, step in TOY.items():
        monkeypatch.setitem(UPCASTS, kind, step)
    assert walk("toy.left.1", {"chair": 1}, UPCASTS) == [*TOY, "match.seat_left.1"]
    assert decode("toy.left.1", b'{"chair":1}') == kinds.SeatLeft(seat="B")
    assert decode("toy.left.2", b'{"place":2}') == kinds.SeatLeft(seat="C")


def test_a_kind_from_the_future_is_refused_by_name() -> None:
    """Deciders stop at it, projections skip it; both need to know which kind it was."""
    with pytest.raises(UnknownKind, match=r"match\.started\.9") as caught:
        decode("match.started.9", b"{}")
    assert caught.value.kind == "match.started.9"
