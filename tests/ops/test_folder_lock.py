"""The data folder has one writer at a time, and the others learn who it is."""

import subprocess
import sys
from pathlib import Path

import pytest

from ops.folder_lock import (
    SERVER_FILE,
    FolderBusy,
    RunningServer,
    announced,
    locked,
    running_server,
)

SERVER = RunningServer(url="http://127.0.0.1:8080", token="operator-token", pid=7)

HOLD = """
import sys
from pathlib import Path
from ops.folder_lock import RunningServer, announced, locked
folder = Path(sys.argv[1])
with locked(folder), announced(folder, RunningServer("http://h:1", "t", 1)):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_a_second_holder_is_refused_at_once(tmp_path: Path) -> None:
    """Two writers of one SQLite log never meet."""
    with locked(tmp_path), pytest.raises(FolderBusy, match="in use by another command"):  # noqa: SIM117
        with locked(tmp_path):
            pytest.fail("both hold the folder")


def test_the_refusal_names_the_server(tmp_path: Path) -> None:
    """Whoever is refused learns which server to talk to, but not its token."""
    with locked(tmp_path), announced(tmp_path, SERVER), pytest.raises(FolderBusy) as refused:  # noqa: SIM117
        with locked(tmp_path):
            pytest.fail("both hold the folder")
    assert "http://127.0.0.1:8080 (process 7)" in str(refused.value)
    assert "operator-token" not in str(refused.value) + repr(SERVER)


def test_a_folder_let_go_can_be_held_again(tmp_path: Path) -> None:
    """The lock is not a leftover file."""
    for _ in range(2):
        with locked(tmp_path):
            assert running_server(tmp_path) is None


def test_a_server_is_found_only_while_it_runs(tmp_path: Path) -> None:
    """The announcement is readable by its owner alone and goes with the server."""
    with locked(tmp_path), announced(tmp_path, SERVER):
        assert running_server(tmp_path) == SERVER
        assert (tmp_path / SERVER_FILE).stat().st_mode & 0o777 == 0o600
    assert running_server(tmp_path) is None


def test_what_a_killed_server_left_behind_is_not_believed(tmp_path: Path) -> None:
    """After kill -9 the kernel has dropped the lock, and the stale announcement means nothing."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    with child:
        assert child.stdout is not None
        assert child.stdout.readline() == "held\n"
        assert running_server(tmp_path) is not None
        child.kill()
        child.wait()
    assert (tmp_path / SERVER_FILE).exists()
    assert running_server(tmp_path) is None
    with locked(tmp_path):
        assert (tmp_path / SERVER_FILE).exists()
