"""Golden questions of the Hedgerow engine that searches: what it answers, for ever.

``python -m tests.engines.hedgerow_golden`` writes them anew; do that only with a new engine
version.
"""

from collections.abc import Iterator
from functools import partial

from msgspec.structs import replace

from tests.engines.arena import play_match
from tests.engines.golden import Golden, keep, kept_in
from workers.engines.contract import Question
from workers.engines.registry import think

FILE = "hedgerow_tree_1.json"
EVERY = 7
BUDGET = 20
"""Playouts a move: little enough to ask them all in a moment."""
MATCHES: tuple[dict[str, str], ...] = (
    {},
    {"cross_presence": "yes", "first": "B"},
    {"boundary_edges": "forbidden", "stuck_loss": "game"},
)


def golden() -> list[Golden]:
    """The golden questions that are kept in the file."""
    return kept_in(FILE)


def to_tree(asked: Question, budget: int = BUDGET) -> Question:
    """The same question to the engine that searches."""
    return replace(asked, engine="hedgerow-tree", engine_version=1, budget=budget, noise=0)


def _written_anew() -> Iterator[Golden]:
    for options in MATCHES:
        asked: list[Question] = []
        play_match("hedgerow", options, {"A": 1, "B": 2}, 1, partial(_note, asked))
        for question in map(to_tree, asked[::EVERY]):
            yield Golden(question, think(question).move)


def _note(asked: list[Question], question: Question, _move: str) -> None:
    asked.append(question)


def main() -> None:
    """Write the file."""
    keep(FILE, _written_anew())


if __name__ == "__main__":
    main()
