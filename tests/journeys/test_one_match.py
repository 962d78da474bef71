"""From the first move to the audit: a match against the computer on the real server."""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import msgspec
import pytest

from events.recorded import Recorded
from services.api.messages import EventPage
from services.proofs.audit import audit_match
from tests.kit.client import Client
from tests.kit.machine import Machine

ME, COMPUTER = "A", "B"


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A new installation whose server runs."""
    machine = Machine(tmp_path_factory.mktemp("home") / "data")
    with machine.serving():
        yield machine


@pytest.fixture(scope="module")
def ann(machine: Machine) -> Iterator[Client]:
    """A player who has come to it."""
    with Client(machine.url) as client:
        yield client


@pytest.fixture(scope="module")
def match(ann: Client) -> str:
    """A match that Ann has played to its end against the computer."""
    match = ann.open_match({ME: "me", COMPUTER: {"level": 1}})
    while (view := ann.see(match))["status"] != "ended":
        if view["to_move"] == ME:
            ann.play_first_legal(match, number=7)
        else:
            ann.await_turn(match, view["turn"] + 1)
    return match


def taken_home(ann: Client, match: str) -> list[Recorded]:
    """The public events with the exact bytes that were hashed, as anybody can keep them."""
    page = msgspec.json.decode(
        ann.text(f"/v1/matches/{match}/events", limit=1_000).encode(), type=EventPage
    )
    assert page.next == 0
    return [
        Recorded(
            stream=f"match/{match}",
            version=event.version,
            kind=event.kind,
            actor=event.actor,
            received_at=event.received_at,
            at=event.at,
            data=bytes(event.data),
            cause="",
            hash=bytes.fromhex(event.hash),
            position=event.version,
        )
        for event in page.events
    ]


def test_a_match_is_played_to_its_end(ann: Client, match: str) -> None:
    """Both sides have moved, the points are told, and somebody has won (or both)."""
    view = ann.see(match)
    assert view["status"] == "ended"
    assert view["how"] == "points"
    assert {move["seat"] for move in view["moves"]} == {ME, COMPUTER}
    assert set(view["points"]) == {ME, COMPUTER}
    assert view["winners"]


def test_the_board_can_be_read_at_ply_ten(machine: Machine, ann: Client, match: str) -> None:
    """Any ply, later, as text, as data and as a picture; the terminal shows the same board."""
    then = ann.see(match, ply=10)
    assert then["ply"] == 10
    assert [move["move"] for move in then["moves"]] == [
        move["move"] for move in ann.see(match)["moves"][:10]
    ]
    board = ann.text(f"/v1/matches/{match}/board.txt", ply=10)
    assert board.rstrip("\n") in machine.run("replay", match, "--ply", "10").stdout
    assert ann.text(f"/v1/matches/{match}/board.svg", ply=10).startswith("<svg ")
    assert ann.text(f"/v1/matches/{match}/board.txt") != board


def test_who_trusts_nobody_can_audit_it_from_the_api_alone(ann: Client, match: str) -> None:
    """The public events, taken home, prove the match: chain, moves, passes, points, seed."""
    report = audit_match(taken_home(ann, match))
    assert report.verdict == "proved", report.differences
    assert report.plies == ann.see(match)["ply"]


def test_the_terminal_audits_it_too_and_the_engine_plays_its_moves_again(
    machine: Machine, match: str
) -> None:
    """Beside the running server; the seed that the end revealed gives the same answers."""
    said = machine.run("audit", match, "--engines", "--json").stdout
    report = json.loads(said)
    assert report["verdict"] == "proved"
    assert report["rerun"] == report["thoughts"] > 0
    everything = machine.run("audit", "--all").stdout
    assert f"{match}: proved" in everything


def test_its_record_can_be_taken_elsewhere(machine: Machine, match: str, tmp_path: Path) -> None:
    """Exported here, imported on another machine, exported again: the same text."""
    text = machine.run("export", match).stdout
    record = tmp_path / "match.record"
    record.write_text(text)
    elsewhere = Machine(tmp_path / "elsewhere")
    line = elsewhere.run("import", str(record)).stdout
    assert "imported" in line
    imported = next(word for word in line.replace(",", " ").split() if word.startswith("m-"))
    assert elsewhere.run("export", imported).stdout.splitlines()[2:] == text.splitlines()[2:]


def test_the_head_a_client_kept_is_in_the_heads_file(
    machine: Machine, ann: Client, match: str
) -> None:
    """The hash that came with the last move left the database, and `heads` prints it."""
    head = ann.events(match)[-1]["hash"]
    assert head in (machine.data / "heads.log").read_text()
    heads = [json.loads(line) for line in machine.run("heads").stdout.splitlines()]
    assert head in {each["hash"] for each in heads}


def test_its_turns_are_counted(machine: Machine, match: str) -> None:
    """The page of numbers tells of computer turns, appends and requests, and names nobody."""
    numbers = httpx.get(f"{machine.url}/metrics").text
    assert 'plybook_ai_turns_total{outcome="played"}' in numbers
    assert 'plybook_engine_seconds_count{engine="' in numbers
    assert "plybook_append_seconds_count" in numbers
    assert 'route="/v1/matches/{match}/moves"' in numbers
    assert match not in numbers
