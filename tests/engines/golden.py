"""Golden questions: what an engine at a version answers, for ever.

``python -m tests.engines.golden triangles`` writes those of a game anew; do that only with a new
engine version.
"""

import os
import subprocess
import sys
from collections.abc import Iterable
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from services.games import registry
from tests.engines.arena import play_match
from workers.engines.contract import Question

FILES = {
    "blokus": "blokus_greedy_1.json",
    "hedgerow": "hedgerow_1.json",
    "triangles": "triangles_1.json",
}
FOLDER = Path(__file__).parent / "golden"
EVERY = 11
"""Of each match every so many-th question is kept, so that all stages of play are there."""
MATCHES: tuple[tuple[str, dict[str, Any], int], ...] = (
    ("blokus", {"variant": "duo"}, 1),
    ("blokus", {"variant": "duo"}, 3),
    ("blokus", {"variant": "classic"}, 2),
    ("blokus", {"variant": "classic"}, 3),
    ("blokus", {"variant": "classic-2"}, 3),
    ("blokus", {"variant": "classic-3"}, 3),
    ("hedgerow", {}, 1),
    ("hedgerow", {"cross_presence": "yes"}, 2),
    ("hedgerow", {}, 3),
    ("hedgerow", {"boundary_edges": "forbidden"}, 3),
    ("triangles", {"target": 200}, 1),
    ("triangles", {"target": 200, "bridge_two_sides": True}, 2),
    ("triangles", {"max_rounds": 1, "score_placement": False, "players": 4}, 2),
)


class Golden(msgspec.Struct, frozen=True):
    """A question and the move that answers it."""

    question: Question
    move: str


def golden(slug: str) -> list[Golden]:
    """The golden questions of a game that are kept in its file."""
    return kept_in(FILES[slug])


def kept_in(file: str) -> list[Golden]:
    """The golden questions of a file."""
    return msgspec.json.decode((FOLDER / file).read_bytes(), type=list[Golden])


def keep(file: str, cases: Iterable[Golden]) -> None:
    """Write a file anew, a line for each question."""
    lines = ",\n".join(msgspec.json.encode(case).decode() for case in cases)
    (FOLDER / file).write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def stands_on_a_plain_processor(file: str, **environ: str) -> bool:
    """Whether a file's answers come out the same without any special instructions.

    Another process compiles for the plainest processor there is; ``environ`` adds to its own.
    """
    program = (
        "from tests.engines.golden import kept_in\n"
        "from workers.engines.registry import think\n"
        f"assert all(think(case.question).move == case.move for case in kept_in({file!r}))\n"
    )
    plain = {**os.environ, "NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", **environ}
    return subprocess.call([sys.executable, "-c", program], env=plain) == 0


def _written_anew(slug: str) -> list[Golden]:
    kept: list[Golden] = []
    rules = registry.game(slug).rules
    for options, level in ((options, level) for name, options, level in MATCHES if name == slug):
        asked: list[Golden] = []
        seats = rules.terms(rules.ruleset(options)).seats
        play_match(slug, options, dict.fromkeys("ABCD"[:seats], level), 1, partial(_note, asked))
        kept += islice(asked, 1, None, EVERY)
    return kept


def _note(asked: list[Golden], question: Question, move: str) -> None:
    asked.append(Golden(question, move))


def main(slug: str) -> None:
    """Write the file of a game."""
    keep(FILES[slug], _written_anew(slug))


if __name__ == "__main__":
    main(sys.argv[1])
