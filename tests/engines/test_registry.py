"""The room of engines: every level's engine is there, and says itself who it is."""

from importlib import import_module

import pytest

from services.levels import Levels
from workers.engines.contract import UnknownEngine
from workers.engines.registry import ENGINES, warm


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
