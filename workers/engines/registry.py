"""The room of all engines: a question goes to the engine it names, at the version it names.

An engine is a module with ``NAME``, ``VERSION`` and ``choose``, and with ``warm`` where it has
kernels to compile. It is imported when it is first asked: who only wants the page or a rule
engine does not wait for a compiler. Its version changes whenever any of its answers does; golden
questions pin them (``tests/engines``). An old version stays here as long as audits shall be able
to run it again.
"""

from collections.abc import Callable
from importlib import import_module
from pickle import UnpicklingError
from types import ModuleType
from typing import TypeVar

from workers.engines.contract import Answer, Question, UnknownEngine
from workers.engines.kernels.cache import forget_all

T = TypeVar("T")

ENGINES: dict[tuple[str, int], str] = {
    ("any-legal", 1): "any_legal",
    ("blokus-greedy", 1): "blokus_greedy",
    ("blokus-opening", 1): "blokus_opening",
    ("blokus-search", 1): "blokus_search",
    ("caltrop-deep", 1): "caltrop_deep",
    ("caltrop-far", 1): "caltrop_far",
    ("caltrop-two-ahead", 1): "caltrop_two_ahead",
    ("caltrop-yardstick", 1): "caltrop_yardstick",
    ("hedgerow-heavy", 1): "hedgerow_heavy",
    ("hedgerow-one-ply", 1): "hedgerow_one_ply",
    ("hedgerow-tree", 1): "hedgerow_tree",
    ("triangles-greedy", 1): "triangles_greedy",
    ("triangles-sampling", 1): "triangles_sampling",
    ("triangles-tree", 1): "triangles_tree",
}
"""The module of each engine, by name and version."""


def think(question: Question) -> Answer:
    """The answer of the engine the question names; ``UnknownEngine`` if it is not here."""
    module = _module(question.engine, question.engine_version)
    answer: Answer = _mended(lambda: module.choose(question))
    return answer


def warm(engine: str, version: int) -> None:
    """Compile what the engine needs, or read it from the disk; nothing to do for most."""
    module = _module(engine, version)
    if hasattr(module, "warm"):
        _mended(module.warm)


def _mended(ask: Callable[[], T]) -> T:
    """What is asked; again after compiling anew where a power cut left a kernel's file torn."""
    try:
        return ask()
    except (EOFError, UnpicklingError):
        forget_all()
        return ask()


def _module(engine: str, version: int) -> ModuleType:
    name = ENGINES.get((engine, version))
    if name is None:
        raise UnknownEngine(f"{engine} version {version} is not installed")
    return import_module(f"workers.engines.{name}")
