"""Audits, exports and imports over HTTP."""

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import OPERATOR, House, Person
from tests.kit.tree import ROOT

AS_OPERATOR = {"Authorization": f"Bearer {OPERATOR}"}
RECORD = ROOT / "seeds" / "blokus" / "matches" / "duo-engine-level-4.record"


def test_a_finished_match_is_proved(home: House, ada: Person) -> None:
    """The audit decides every move again and opens the seed."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, ada.first_moves(match)[0])
    home.computer_plays(match)
    running = ada.get(f"/matches/{match}/audit").json()
    assert (running["good"], running["plies"], running["thoughts"]) == (True, 2, 1)
    assert running["verdict"].startswith("chain only")
    ada.post(f"/matches/{match}/resign")
    assert ada.get(f"/matches/{match}/audit").json()["differences"] == []


def test_a_match_is_exported_as_a_record_and_comes_in_again(
    client: TestClient[Litestar], ada: Person
) -> None:
    """By format or by Accept; what is exported is read back as a record of its own."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, "e10")
    record = ada.get(f"/matches/{match}/export")
    assert record.text.startswith("plybook-blokus 1\n")
    assert "seat A Ada" in record.text
    assert match in record.headers["content-disposition"]
    sgf = ada.get(f"/matches/{match}/export?format=blksgf")
    assert "GM[Blokus Duo]" in sgf.text
    by_accept = ada.get(f"/matches/{match}/export", Accept="application/x-blokus-sgf")
    assert (by_accept.text, by_accept.headers["content-type"]) == (
        sgf.text,
        "application/x-blokus-sgf",
    )
    taken = client.post("/v1/imports?file=mine.txt", content=record.text, headers=AS_OPERATOR)
    line = taken.json()["lines"][0]
    assert (taken.json()["refused"], line["fate"]) == (False, "imported")
    assert client.get(f"/v1/matches/{line['match']}").json()["view"]["imported"]


def test_what_cannot_be_exported_says_so(ada: Person) -> None:
    """An unknown format is bad input; a match without a start has nothing to write."""
    match = ada.opens()["match"]
    unknown = ada.get(f"/matches/{match}/export?format=pgn").json()
    assert (unknown["code"], unknown["details"]["fields"][0]["field"]) == ("bad-input", "format")
    problem = ada.get(f"/matches/{match}/export").json()
    assert (problem["status"], problem["code"]) == (409, "cannot-export")


def test_an_import_is_taken_once(home: House, client: TestClient[Litestar]) -> None:
    """A second time it is already here; both answers name the match."""
    for fate in ("imported", "already here"):
        answer = client.post("/v1/imports", content=RECORD.read_bytes(), headers=AS_OPERATOR)
        assert answer.status_code == 200
        assert [line["fate"] for line in answer.json()["lines"]] == [fate]
    home.catch_up()
    line = client.get("/v1/matches").json()["matches"][0]
    assert (line["imported"], line["status"]) == (True, "ended")
    assert client.get(f"/v1/matches/{line['match']}/audit").json()["good"]
    assert client.get(f"/matches/{line['match']}").status_code == 200


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"(;GM[Go])", b"plybook-blokus 1\nnonsense\n"])
def test_a_refused_file_leaves_nothing(
    home: House, client: TestClient[Litestar], body: bytes
) -> None:
    """Each line says what is wrong, by code and sentence."""
    answer = client.post("/v1/imports?file=bad", content=body, headers=AS_OPERATOR).json()
    assert answer["refused"]
    assert all(line["code"] and not line["match"] for line in answer["lines"])
    assert home.services.log.position() == 0


def test_imports_may_be_larger_than_other_bodies_but_not_endless(
    client: TestClient[Litestar],
) -> None:
    """1 MiB for files, 64 KiB for everything else: 413 beyond."""
    large = client.post("/v1/imports", content=b" " * 100_000, headers=AS_OPERATOR)
    assert large.json()["refused"]
    endless = client.post("/v1/imports", content=b" " * 1_048_577, headers=AS_OPERATOR)
    assert (endless.status_code, endless.json()["code"]) == (413, "too-large")
    name = {"name": "x" * 70_000}
    assert client.post("/v1/players", json=name).json()["code"] == "too-large"
