"""A program that speaks GTP takes a seat in a match of the real server."""

import shlex
import sys
from pathlib import Path

from tests.kit import gtp_player
from tests.kit.client import Client
from tests.kit.machine import Machine

LEVELS = """
[[level]]
game = "blokus"
level = 42
engine = "gtp-scripted"
engine_version = 7
budget = 2
queue = "ai.gtp"
"""


def test_an_outside_program_plays_a_seat_and_its_failure_is_public(tmp_path: Path) -> None:
    """It is opened like any level, its moves are told as its own, and where it fails that too.

    An audit that would play them again says that it cannot.
    """
    levels = tmp_path / "levels.toml"
    levels.write_text(LEVELS)
    program = shlex.join([sys.executable, gtp_player.__file__])
    machine = Machine(
        tmp_path / "data",
        PLYBOOK_LEVELS=str(levels),
        PLYBOOK_GTP=f"{program} crash@{{budget}}",
    )
    with machine.serving(), Client(machine.url) as ann:
        match = ann.open_match({"A": {"level": 42}, "B": "me"})
        assert ann.await_turn(match, 1)["moves"][0]["seat"] == "A"
        ann.play_first_legal(match)
        ann.await_turn(match, 3)
        events = ann.get(f"/v1/matches/{match}/events")["events"]
        thoughts = [event["data"]["thought"] for event in events if "thought" in event["data"]]
        ann.post(f"/v1/matches/{match}/resign", {})
    assert [(thought["engine"], thought.get("fallback", "")) for thought in thoughts] == [
        ("gtp-scripted", ""),
        ("blokus-greedy", "crash"),
    ]
    audited = machine.run("audit", match, "--engines").stdout
    assert "not checkable (engine gtp-scripted" in audited
