"""Golden bytes: every kind ever shipped reads for ever, and is written the same for ever.

``golden/`` is add-only. A new file gets a line in ``golden/SHA256SUMS`` (the form that
``sha256sum`` writes) and an example beside it; no line is ever changed.
"""

import hashlib

import msgspec
import pytest

from events.codec import decode, encode
from events.event_kinds import EVENT_TYPES
from events.upcasts import UPCASTS
from tests.events.golden_examples import EXAMPLES, FOLDER, NAMES, golden, kind_of


def test_golden_files_are_those_that_were_listed() -> None:
    """A changed, removed or unlisted file is a change of history."""
    listed = {}
    for line in (FOLDER / "SHA256SUMS").read_text(encoding="ascii").splitlines():
        digest, name = line.split("  ")
        listed[name] = digest
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.json")
    }
    assert found == listed


def test_every_kind_has_golden_bytes() -> None:
    """Also the kinds that are only read any more, through their upcasts."""
    kinds = {each.kind for each in EVENT_TYPES} | set(UPCASTS)
    assert {kind_of(name) for name in NAMES} == kinds


def test_every_example_has_its_file() -> None:
    """The examples say what the files mean, one to one."""
    assert sorted(EXAMPLES) == NAMES


def test_examples_set_every_field_of_their_kind() -> None:
    """A field that no golden file has could change its wire form unseen."""
    for each in EVENT_TYPES:
        examples = [EXAMPLES[name] for name in NAMES if kind_of(name) == each.kind]
        written = [field for example in examples for field in msgspec.to_builtins(example)]
        assert set(written) == set(each.__struct_fields__), each.kind


@pytest.mark.parametrize("name", NAMES)
def test_golden_bytes_still_mean_the_same(name: str) -> None:
    """Old bytes decode to the event they always were (a newer kind's, after an upcast)."""
    assert decode(kind_of(name), golden(name)) == EXAMPLES[name]


@pytest.mark.parametrize("name", [name for name in NAMES if kind_of(name) not in UPCASTS])
def test_events_are_still_written_as_the_golden_bytes(name: str) -> None:
    """The chain hashes exact bytes, so a writer that spells them anew is a change too."""
    written = encode(EXAMPLES[name])
    assert (written.kind, written.data) == (kind_of(name), golden(name))
