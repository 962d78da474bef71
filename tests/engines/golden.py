"""Golden questions: what an engine at a version answers, for ever.

``python -m tests.engines.golden`` writes them anew; do that only with a new engine version.
"""

from functools import partial
from itertools import islice
from pathlib import Path

import msgspec

from tests.engines.arena import play, seats_of
from workers.engines.contract import Question

FILE = Path(__file__).parent / "golden" / "blokus_greedy_1.json"
EVERY = 11
"""Of each game every so many-th question is kept, so that all stages of play are there."""
GAMES = (("duo", 1), ("duo", 3), ("classic", 2), ("classic", 3), ("classic-2", 3), ("classic-3", 3))


class Golden(msgspec.Struct, frozen=True):
    """A question and the move that answers it."""

    question: Question
    move: str


def golden() -> list[Golden]:
    """The golden questions that are kept in the file."""
    return msgspec.json.decode(FILE.read_bytes(), type=list[Golden])


def _written_anew() -> list[Golden]:
    kept: list[Golden] = []
    for variant, level in GAMES:
        asked: list[Golden] = []
        levels = dict.fromkeys(seats_of(variant), level)
        play(variant, levels, 1, partial(_note, asked))
        kept += islice(asked, 1, None, EVERY)
    return kept


def _note(asked: list[Golden], question: Question, move: str) -> None:
    asked.append(Golden(question, move))


def main() -> None:
    """Write the file."""
    lines = ",\n".join(msgspec.json.encode(case).decode() for case in _written_anew())
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
