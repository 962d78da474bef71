"""``kill -9`` of the whole service in the middle of a computer's turn loses nothing."""

import sqlite3
from contextlib import closing
from pathlib import Path

from tests.kit.client import Client
from tests.kit.machine import Machine, until
from tests.kit.processes import children_of, held, is_engine, is_there


def leases(machine: Machine) -> int:
    """How many turns a worker is at, as the database has it."""
    with closing(sqlite3.connect(f"file:{machine.data}/plybook.sqlite?mode=ro", uri=True)) as log:
        (count,) = log.execute("SELECT count(*) FROM claim WHERE lease_until > 0").fetchone()
        return int(count)


def test_a_turn_under_way_when_the_server_is_killed_is_played_once(tmp_path: Path) -> None:
    """The engine is held in mid-thought, the server killed; the next start finishes the turn.

    The move that got its answer before is in the log, with the very head of that answer.
    """
    machine = Machine(tmp_path / "data")
    with machine.serving() as server, Client(machine.url) as ann:
        match = ann.open_match({"A": "me", "B": {"level": 1}})
        ann.play_first_legal(match)
        ann.await_turn(match, 2)  # the engine process is there and warm
        engines = [pid for pid in children_of(server.pid) if is_engine(pid)]
        assert engines
        with held(engines):
            answer = ann.play_first_legal(match)
            assert until(lambda: leases(machine) == 1)
            server.kill()
        assert until(lambda: not any(map(is_there, engines))), "an engine outlived its server"
    assert answer["view"]["turn"] == 3

    with machine.serving(), Client(machine.url, "Ben") as ben:
        ben.await_turn(match, 4)
        events = ben.events(match)
        assert events[answer["version"] - 1]["hash"] == answer["head"]
        moves = [event for event in events if event["kind"] == "match.move_played.1"]
        assert [event["data"]["turn"] for event in moves] == [1, 2, 3, 4]
        assert moves[-1]["actor"] == "computer:B"
    assert "chain only" in machine.run("audit", match).stdout


def test_a_server_told_to_stop_waits_for_no_engine_and_gives_its_turn_back(tmp_path: Path) -> None:
    """SIGTERM while the engine is held in mid-thought: it ends all the same, and no lease stays."""
    machine = Machine(tmp_path / "data")
    with machine.serving() as server, Client(machine.url) as ann:
        match = ann.open_match({"A": "me", "B": {"level": 1}})
        ann.play_first_legal(match)
        ann.await_turn(match, 2)
        with held([pid for pid in children_of(server.pid) if is_engine(pid)]):
            ann.play_first_legal(match)
            assert until(lambda: leases(machine) == 1)
            assert server.stop() == 0, server.lines()
    assert leases(machine) == 0
    assert '"given-back"' in server.lines()
    with machine.serving(), Client(machine.url, "Ben") as ben:
        ben.await_turn(match, 4)
