"""What an engine is: a pure function from a question in plain texts to a move text.

Engines are reproducible on every machine, so that an audit can run a computer's move again:
their work is bounded in nodes or playouts and never in time, their only chance is the seed of
the question (``workers/engines/dice.py``), they draw from legal moves in the rules' canonical
order, and they count in integers. They never judge: the match's decider checks their answer as
it would a stranger's mail.
"""

from collections.abc import Callable
from typing import Any

import msgspec


class Question(msgspec.Struct, frozen=True):
    """A position as the seat to move sees it, and how hard to think about it.

    ``view`` is the position text, ``seed`` 64 bits of secret chance of this one turn. The engine
    is named with its version; ``budget`` is in the engine's own unit (nodes, playouts),
    ``noise`` says how far from its best move a weaker level strays (0: not at all).
    """

    game: str
    rules_version: int
    ruleset: dict[str, Any]
    view: str
    seat: str
    seed: int
    engine: str
    engine_version: int
    level: int
    budget: int
    noise: int

    def __repr__(self) -> str:
        return f"Question({self.game} {self.view!r}, seat {self.seat}, {self.engine})"  # no seed


class Answer(msgspec.Struct, frozen=True):
    """The move, and how many positions or moves were looked at (for metrics only)."""

    move: str
    nodes: int


Think = Callable[[Question], Answer]
"""An engine, or the room of all engines (``workers.engines.registry.think``)."""

Engine = tuple[str, int]
"""An engine's name and version."""

Warm = Callable[[str, int], None]
"""Compiles what an engine (by name and version) needs, or reads it from the disk."""


class UnknownEngine(LookupError):
    """This program does not have the engine in that version."""
