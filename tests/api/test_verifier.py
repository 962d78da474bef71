"""The one-file verifier as a stranger gets it: from the server, beside the record it checks."""

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import Person

ENTROPY = "5a" * 16


@pytest.fixture
def finished(ada: Person, bob: Person) -> dict[str, Any]:
    """A match of Triangles, played to its end over HTTP by two people."""
    opened = ada.opens(game="triangles", ruleset={"target": 200}, seats={"A": "me"})
    match, commit = opened["match"], opened["view"]["seed_commit"]
    bob.post(f"/matches/{match}/seats/B")
    for person, entropy in ((ada, ENTROPY), (bob, "")):
        person.post(f"/matches/{match}/entropy", {"entropy": entropy, "seed_commit": commit})
    ada.post(f"/matches/{match}/start")
    dice = random.Random(1)
    while (seen := ada.get(f"/matches/{match}").json())["view"]["status"] == "running":
        mover = {"A": ada, "B": bob}[seen["view"]["to_move"]]
        move = dice.choice(mover.first_moves(match, 100))
        assert mover.plays(match, seen["turn"], move).status_code == 201
    assert seen["view"]["how"] == "points"
    return dict(seen)


def test_the_file_comes_as_an_attachment_and_once(client: TestClient[Litestar]) -> None:
    """Saved under its own name; whoever holds it already is told so."""
    answer = client.get("/v1/verifier")
    assert answer.headers["content-type"].startswith("text/x-python")
    assert answer.headers["content-disposition"] == 'attachment; filename="verify_match.py"'
    assert answer.text.startswith('"""Check a match of Plybook and trust nobody')
    held = {"If-None-Match": answer.headers["etag"]}
    assert client.get("/v1/verifier", headers=held).status_code == 304


def test_a_finished_match_is_proved_from_its_export_and_from_its_stream(
    client: TestClient[Litestar], finished: dict[str, Any], tmp_path: Path
) -> None:
    """With files from the server and a receipt; nothing else is asked."""
    match, verifier = finished["match"], tmp_path / "verify_match.py"
    verifier.write_bytes(client.get("/v1/verifier").content)
    kept = {
        "seed_commit": finished["view"]["seed_commit"],
        "own": {"A": ENTROPY},
        "heads": {finished["version"]: finished["head"]},
    }
    receipt, record = tmp_path / "receipt.json", tmp_path / "match.json"
    receipt.write_text(json.dumps(kept), encoding="utf-8")
    for path in ("events?limit=1000", "events/stream"):
        record.write_bytes(client.get(f"/v1/matches/{match}/{path}").content)
        words = [sys.executable, "-I", "-S", str(verifier), str(record), str(receipt)]
        run = subprocess.run(words, capture_output=True, text=True, check=False)
        assert (run.returncode, run.stdout.splitlines()[-1]) == (0, "proved"), path


def test_the_page_of_a_match_leads_to_it(
    client: TestClient[Litestar], finished: dict[str, Any]
) -> None:
    """Beside the server's own audit."""
    page = client.get(f"/matches/{finished['match']}", headers={"Accept": "text/html"}).text
    assert 'Audit</a>\n      <a href="/v1/verifier">Verifier</a>' in page
