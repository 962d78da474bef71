"""The embedded server as a process: one a folder, found by commands, stopped politely."""

import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from sqlalchemy import text

from events.secret_store import Sealer
from ops.secret_key import secret_key_of
from ops.settings import settings_from
from ops.wiring import SEEDS, derived, record
from services.match.handler import SEED_NAME, stream_of
from tests.kit.client import Client
from tests.kit.machine import Machine, until
from tests.kit.processes import children_of, is_there
from tests.kit.tampering import change_data

RECORDS = sorted(SEEDS.glob("*/matches/*"))


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A new installation whose server runs."""
    machine = Machine(tmp_path_factory.mktemp("home") / "data")
    with machine.serving():
        yield machine


def test_a_second_server_in_the_same_folder_is_refused(machine: Machine) -> None:
    """It names the first one, and leaves it alone."""
    refused = machine.run("serve", check=False)
    assert refused.returncode == 1
    assert f"is in use by the server at {machine.url} (process " in refused.stderr
    assert httpx.get(f"{machine.url}/health/ready").is_success


def test_commands_that_write_go_through_the_running_server(machine: Machine) -> None:
    """The server judges the files, keeps the games, and shows them at once."""
    said = machine.run("import", *map(str, RECORDS)).stdout
    assert said.count(", imported") == len(RECORDS)
    assert machine.run("seed").stdout.count(", already here") == len(RECORDS)
    match = next(word for word in said.replace(",", " ").split() if word.startswith("m-"))
    assert httpx.get(f"{machine.url}/v1/matches/{match}").is_success
    assert "boards, work_due: " in machine.run("rebuild").stdout
    refused = machine.run("rebuild", "boards", check=False)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)


def test_only_the_operator_may_import(machine: Machine) -> None:
    """A player's token opens no door of the operator's, and neither does none."""
    with Client(machine.url) as ann:
        account = ann.post("/v1/players", {"name": "Ben"})
    for headers in ({}, {"Authorization": f"Bearer {account['token']}"}):
        answer = httpx.post(f"{machine.url}/v1/imports", content=b"(;)", headers=headers)
        assert answer.status_code in {401, 403}


def test_a_taken_port_is_a_sentence(tmp_path: Path) -> None:
    """Nothing is left running, and the folder is free again."""
    machine = Machine(tmp_path / "data")
    with socket.create_server(("127.0.0.1", machine.port)):
        refused = machine.run("serve", check=False)
    assert refused.returncode == 1
    assert f"Cannot listen on 127.0.0.1 port {machine.port}" in refused.stderr
    assert "Traceback" not in refused.stderr
    machine.run("heads")


def test_a_heads_file_that_cannot_be_written_stops_the_start(tmp_path: Path) -> None:
    """Otherwise its absence would be found on the day it is needed."""
    refused = Machine(tmp_path / "data", PLYBOOK_HEADS=str(tmp_path)).run("serve", check=False)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert (
        refused.stderr == f"PLYBOOK_HEADS is '{tmp_path}': it cannot be written (Is a directory).\n"
    )


def test_a_stopped_server_ends_live_streams_and_leaves_nobody_behind(tmp_path: Path) -> None:
    """SIGTERM with a stream open and an engine awake: exit code 0, no child, no announcement."""
    machine = Machine(tmp_path / "data")
    with machine.serving() as server, Client(machine.url) as ann:
        match = ann.open_match({"A": "me", "B": {"level": 1}})
        ann.play_first_legal(match)
        ann.await_turn(match, 2)
        children = children_of(server.pid)
        stream = f"{machine.url}/v1/matches/{match}/events/stream"
        with httpx.stream("GET", stream, timeout=30) as answer:
            lines = answer.iter_lines()
            assert next(lines)
            assert server.stop() == 0, server.lines()
            assert '"closed"' in "".join(lines)
        assert children
        assert until(lambda: not any(map(is_there, children)))
    assert not (machine.data / "server.json").exists()


def test_no_secret_is_in_any_line_of_a_chatty_server(tmp_path: Path) -> None:
    """Neither a player's token, nor the operator's, nor the key, nor the seed of a match."""
    machine = Machine(tmp_path / "data", PLYBOOK_LOG_LEVEL="debug")
    with machine.serving() as server, Client(machine.url) as ann:
        account = ann.post("/v1/players", {"name": "Ben"})
        match = ann.open_match({"A": "me", "B": {"level": 1}})
        ann.play_first_legal(match)
        ann.await_turn(match, 2)
        httpx.get(f"{machine.url}/v1/me", headers={"Authorization": f"Bearer {account['token']}x"})
        operator = (machine.data / "server.json").read_text()
    settings = settings_from({"PLYBOOK_DATA": str(machine.data)})
    key = secret_key_of(settings)
    with record(settings, read_only=True) as opened:
        sealed = opened.log.secrets(stream_of(match))[SEED_NAME]
    seed = Sealer(derived(key, "seal")).unseal(stream_of(match), SEED_NAME, sealed)
    lines = server.lines()
    assert '"match": "' + match in lines
    for secret in (account["token"], key.raw.hex(), seed.hex(), repr(seed)):
        assert secret not in lines
    assert operator.partition('"token":"')[2].partition('"')[0] not in lines


def test_what_opens_doors_is_for_the_owner_alone(machine: Machine) -> None:
    """Other accounts of the machine read neither the key nor the operator's token."""
    for name in ("server.json", "secret.key", "plybook.sqlite", "plybook.sqlite-wal", "heads.log"):
        assert (machine.data / name).stat().st_mode & 0o077 == 0


def test_a_restored_older_log_stops_the_start_until_the_operator_says_so(tmp_path: Path) -> None:
    """Else new moves would be played over those that only the heads file still knows."""
    machine = Machine(tmp_path / "data")
    copy = tmp_path / "copy.sqlite"
    machine.run("import", str(RECORDS[0]))
    machine.run("backup", str(copy))
    with machine.serving():
        machine.run("import", str(RECORDS[1]))
        heads = machine.data / "heads.log"
        assert until(lambda: len(heads.read_bytes().splitlines()) >= 2)
    for file in machine.data.glob("plybook.sqlite*"):
        file.unlink()
    copy.rename(machine.data / "plybook.sqlite")
    refused = machine.run("serve", check=False)
    assert (refused.returncode, refused.stderr.count("\n")) == (1, 1)
    assert f"The log is not the one that {heads} saw (match/m-" in refused.stderr
    assert "after a deliberate restore move that file away and start again." in refused.stderr
    heads.rename(tmp_path / "heads.before")
    with machine.serving():
        assert until(heads.exists)


def test_a_damaged_match_does_not_keep_the_server_from_starting(tmp_path: Path) -> None:
    """An upgrade makes the tables anew without it, and says so."""
    machine = Machine(tmp_path / "data")
    machine.run("import", *map(str, RECORDS[:2]))
    settings = settings_from({"PLYBOOK_DATA": str(machine.data)})
    with record(settings) as opened:
        [damaged, other] = [head.stream for head in opened.log.streams()]
        change_data(opened.store, damaged, 5, b"{")
        opened.store.write(lambda c: c.execute(text("UPDATE projection_pointer SET shape = 0")))
    with machine.serving() as server:
        assert "left out of the rebuild" in server.lines()
        assert httpx.get(f"{machine.url}/v1/matches/{other.removeprefix('match/')}").is_success
        refused = machine.run("rebuild", check=False)
    assert refused.returncode == 1
    assert f"Left out: {damaged}: event 5 of " in refused.stderr
