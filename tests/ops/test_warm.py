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
from workers.engines.kernels.cache import is_warm, note_warm


@pytest.fixture(autouse=True)
def _cold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is compiled on this machine yet."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def engines(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three toy engines instead of the real ones, of which ``broken`` cannot be warmed."""
    warmed: list[str] = []

    def warm(engine: str, version: int) -> None:
        if engine == "broken":
            raise ValueError(f"no compiler for version {version}")
        warmed.append(engine)

    named = dict.fromkeys([("quick", 1), ("broken", 2), ("deep", 3)], "nowhere")
    monkeypatch.setattr(warming, "ENGINES", named)
    monkeypatch.setattr(warming, "warm", warm)
    return warmed


def test_every_engine_has_its_line_and_a_machine_that_is_warm_knows_it(
    engines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """How many there are, which is ready, and after how long."""
    monkeypatch.setattr(warming, "ENGINES", {("quick", 1): "", ("deep", 3): ""})
    said = CliRunner().invoke(warming.command, catch_exceptions=False).output.splitlines()
    assert said[0].startswith("1 of 2: quick 1, ready after ")
    assert said[1].startswith("2 of 2: deep 3, ready after ")
    assert said[2].startswith("All engines are ready after ")
    assert engines == ["quick", "deep"]
    assert is_warm()


def test_an_engine_that_cannot_be_warmed_is_named_and_the_others_are_ready(
    engines: list[str],
) -> None:
    """Exit status 1 and no mark: the next start tries again."""
    with pytest.raises(Refused, match="1 of 3 engines cannot be made ready"):
        CliRunner().invoke(warming.command, catch_exceptions=False)
    assert engines == ["quick", "deep"]
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
