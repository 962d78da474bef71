"""The room of engines: every level's engine is there, and says itself who it is."""

import os
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from services.levels import Levels
from workers.engines.contract import UnknownEngine
from workers.engines.registry import ENGINES, warm

SMALL_ENGINE = """
import types
from workers.engines import registry
from workers.engines.kernels import bits

small = types.SimpleNamespace(warm=lambda: bits.count(bits.ONE))
registry._module = lambda *engine: small
registry.warm("small", 1)
"""
TORN: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda _whole: b"",
    "cut off": lambda whole: whole[: len(whole) // 2],
    "zeroes": lambda whole: bytes(len(whole)),
}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: f"{engine[0]}-{engine[1]}")
def test_an_engine_is_registered_under_the_name_and_version_it_gives_itself(
    engine: tuple[str, int],
) -> None:
    """The room and the module never disagree on what is asked."""
    module = import_module(f"workers.engines.{ENGINES[engine]}")
    assert engine == (module.NAME, module.VERSION)


def test_every_level_names_an_engine_that_is_here() -> None:
    """No level of the seeds file is without its engine."""
    named = {(spec.engine, spec.engine_version) for spec in Levels.load().specs()}
    assert named <= set(ENGINES)


def test_an_engine_that_is_not_here_cannot_be_warmed() -> None:
    """The refusal names the engine and its version."""
    with pytest.raises(UnknownEngine, match="version 7 is not installed"):
        warm("blokus-greedy", 7)


@pytest.mark.parametrize("tear", TORN.values(), ids=TORN)
@pytest.mark.parametrize("kind", ["nbi", "nbc"])
def test_a_torn_file_of_kernels_is_compiled_anew(
    kind: str, tear: Callable[[bytes], bytes], tmp_path: Path
) -> None:
    """A power cut costs a little time once, and not every turn from then on."""

    def kernels_after_warming() -> dict[Path, bytes]:
        asked = [sys.executable, "-c", SMALL_ENGINE]
        subprocess.run(asked, env={**os.environ, "XDG_CACHE_HOME": str(tmp_path)}, check=True)
        return {file: file.read_bytes() for file in tmp_path.rglob(f"*.{kind}")}

    whole = kernels_after_warming()
    assert whole
    for file, data in whole.items():
        file.write_bytes(tear(data))
    assert kernels_after_warming().keys() == whole.keys()
    assert all(file.read_bytes() != tear(data) for file, data in whole.items())
