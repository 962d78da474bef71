"""Conformance runs: what is not understood fails with a sentence, and nothing is passed over."""

import json
from pathlib import Path
from typing import Any

import pytest

from ops.check_vectors import BYTES_MAX, run_file

PLACE = {
    "id": "1",
    "kind": "place",
    "setup": [],
    "color": "blue",
    "move": "a20",
    "expect": {"legal": True},
}


def report_on(tmp_path: Path, document: Any) -> list[str]:
    """The messages on a file with this content."""
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return [verdict.message for verdict in run_file(path).failures]


def blokus(*cases: dict[str, Any]) -> dict[str, Any]:
    """A Blokus file with these cases."""
    return {"format": "plybook-blokus-vectors/1", "defaults": {}, "cases": list(cases)}


def test_a_sound_case_holds(tmp_path: Path) -> None:
    """The control: the case that is spoiled below holds as it is."""
    assert report_on(tmp_path, blokus(PLACE)) == []


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "plays"}, "unknown kind of case 'plays'"),
        ({"kind": None}, "unknown kind of case 'None'"),
        ({"weather": "fine"}, "unknown in this kind of case: weather"),
        ({"color": "pink"}, "'pink' is no colour here"),
        ({"expect": {"legal": False}}, "legal: expected False, found True"),
        ({"expect": {"legal": True, "mood": 1}}, "mood: expected 1, which this kind cannot tell"),
        ({"setup": [["blue", "j10"]]}, "setup: blue j10: first-move-start-square"),
        ({"options": {"corners": "none"}}, "corners is any or fixed"),
        ({"setup": 7}, "the case cannot be understood"),
        ({"move": None}, "the case cannot be understood"),
    ],
)
def test_a_spoiled_case_fails_and_says_why(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    """Unknown kinds, parts and expectations count as failures, as wrong answers do."""
    (found,) = report_on(tmp_path, blokus({**PLACE, **change}))
    assert message in found


@pytest.mark.parametrize(
    ("document", "message"),
    [
        ({"format": "plybook-chess-vectors/1"}, "unknown format 'plybook-chess-vectors/1'; known:"),
        ({}, "unknown format ''"),
        ([], "unknown format ''"),
        (blokus(), "holds no case"),
        ({"format": "plybook-blokus-vectors/1"}, "is no whole plybook-blokus-vectors/1 file"),
        ({"format": "plybook-legal-counts/1", "positions": 3}, "is no whole"),
        ({"format": "plybook-final-scores/1", "count": 2, "games": []}, "expected 2, found 0"),
    ],
)
def test_an_unknown_or_empty_file_fails(tmp_path: Path, document: Any, message: str) -> None:
    """No file is good for lack of cases."""
    (found,) = report_on(tmp_path, document)
    assert message in found


def test_an_unreadable_file_fails(tmp_path: Path) -> None:
    """A missing file and one that is no JSON."""
    (tmp_path / "broken.json").write_text("{", encoding="utf-8")
    for name in ("missing.json", "broken.json"):
        (verdict,) = run_file(tmp_path / name).verdicts
        assert not verdict.ok
        assert "cannot be read as JSON" in verdict.message


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"[" * 200_000, "holds lists or objects inside each other more deeply"),
        (b'{"a":' * 200_000, "holds lists or objects inside each other more deeply"),
        (b" " * (BYTES_MAX + 1), f"is too large: at most {BYTES_MAX} bytes are read"),
    ],
)
def test_a_file_made_to_break_its_reader_fails_with_a_sentence(
    tmp_path: Path, data: bytes, sentence: str
) -> None:
    """Whoever checks a stranger's file is told, whatever is in it."""
    path = tmp_path / "vectors.json"
    path.write_bytes(data)
    (verdict,) = run_file(path).verdicts
    assert not verdict.ok
    assert sentence in verdict.message


def test_a_changed_shuffle_is_seen(tmp_path: Path) -> None:
    """The fair shuffle's file is compared in every part: one byte of a key, one tile of a deck."""
    source = Path(__file__).parent / "vectors" / "fair_shuffle_vectors.json"
    document = json.loads(source.read_text(encoding="utf-8"))
    document["cases"][0]["deck"][3] = "555"
    document["cases"][1]["round_key"] = "00" * 32
    document["purposes"][0]["permutation"] = [0, 1, 2, 3]
    document["uniform"][0]["consumed"] = 1
    found = sorted(message.split(":")[0] for message in report_on(tmp_path, document))
    assert found == ["consumed", "deck", "permutation", "round_key"]
