"""Engines compiled ahead: told one by one, marked when all are ready, never in anybody's way."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from ops.commands import warm as warming
from ops.refused import Refused
from ops.warming import warming_beside
from tests.kit.machine import until
from tests.kit.processes import children_of, is_there
from tests.workers.toy_engines import warm
from workers.engines.kernels.cache import is_warm, note_warm


@pytest.fixture(autouse=True)
def _cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled on this machine yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture(autouse=True)
def _toys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Toy engines instead of the real ones; ``never-warm`` cannot be warmed."""
    named = dict.fromkeys([("first", 1), ("never-warm", 2), ("waits", 3)], "nowhere")
    monkeypatch.setattr(warming, "ENGINES", named)
    monkeypatch.setattr(warming, "warm", warm)


def test_every_engine_has_its_line_and_a_machine_that_is_warm_knows_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """How many there are, which is ready, and after how long."""
    monkeypatch.setattr(warming, "ENGINES", {("first", 1): "", ("waits", 3): ""})
    said = CliRunner().invoke(warming.command, ["--jobs", "1"], catch_exceptions=False).output
    lines = said.splitlines()
    assert lines[0].startswith("1 of 2: first 1, ready after ")
    assert lines[1].startswith("2 of 2: waits 3, ready after ")
    assert lines[2].startswith("All engines are ready after ")
    assert is_warm()


def test_an_engine_that_cannot_be_warmed_is_named_and_the_others_are_ready(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Exit status 1 and no mark: the next start tries again."""
    with pytest.raises(Refused, match="1 of 3 engines cannot be made ready"):
        warming.command.main(["--jobs", "2"], standalone_mode=False)
    said = capsys.readouterr().out
    assert said.count("ready after") == 2
    assert "never-warm 2, EngineFailure: " in said
    assert "ValueError: no compiler for version 2\n" in said
    assert not is_warm()


def test_a_server_warms_beside_itself_once_and_leaves_nobody_behind() -> None:
    """A process of its own at the lowest priority while it serves; none where all is warm."""
    before = set(children_of(os.getpid()))
    with warming_beside():
        (process,) = set(children_of(os.getpid())) - before
        assert until(lambda: os.getpriority(os.PRIO_PROCESS, process) == warming.IDLE)
    assert not is_there(process)
    note_warm()
    with warming_beside():
        assert set(children_of(os.getpid())) == before
