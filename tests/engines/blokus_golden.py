"""Golden questions of the Blokus engine that searches: what it answers, for ever.

``python -m tests.engines.blokus_golden`` writes them anew; do that only with a new engine version.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

from msgspec.structs import replace

from tests.engines.arena import play_match
from tests.engines.golden import Golden, keep, kept_in
from workers.engines.contract import Question
from workers.engines.registry import think

FILE = "blokus_search_1.json"
EVERY = 9
BUDGET = 2_000
"""Placements a move: little enough to ask them all in a moment."""
MATCHES: tuple[dict[str, Any], ...] = (
    {"variant": "duo"},
    {"variant": "classic"},
    {"variant": "classic", "corners": "fixed"},
    {"variant": "classic-2", "corners": "fixed"},
    {"variant": "classic-3"},
)


def golden() -> list[Golden]:
    """The golden questions that are kept in the file."""
    return kept_in(FILE)


def to_search(asked: Question, budget: int = BUDGET) -> Question:
    """The same question to the engine that searches."""
    return replace(asked, engine="blokus-search", engine_version=1, budget=budget, noise=0)


def _written_anew() -> Iterator[Golden]:
    for options in MATCHES:
        asked: list[Question] = []
        play_match("blokus", options, dict.fromkeys("ABCD", 1), 1, partial(_note, asked))
        for question in map(to_search, asked[::EVERY]):
            yield Golden(question, think(question).move)


def _note(asked: list[Question], question: Question, _move: str) -> None:
    asked.append(question)


def main() -> None:
    """Write the file."""
    keep(FILE, _written_anew())


if __name__ == "__main__":
    main()
