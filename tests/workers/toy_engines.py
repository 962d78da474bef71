"""Engines with bad manners, for tests of what happens then; they play the toy game of the kit."""

import os
import time
from pathlib import Path

from services.levels import Levels, LevelSpec
from workers.engines.contract import Answer, Question

HELD_WHILE = "PLYBOOK_TEST_HELD_WHILE"
"""The engine ``waits`` does so while the file named by this variable is there."""

WARM_SECONDS = 1.0

LEVELS = Levels(
    [
        LevelSpec("nim", 1, "first", 1, 0),
        LevelSpec("nim", 2, "hangs", 1, 0),
        LevelSpec("nim", 3, "cheats", 1, 0),
        LevelSpec("nim", 4, "crashes", 1, 0),
        LevelSpec("nim", 5, "raises", 1, 0),
        LevelSpec("nim", 6, "waits", 1, 0),
        LevelSpec("nim", 7, "first", 1, 0, queue="ai.deep"),
        LevelSpec("nim", 8, "never-warm", 1, 0, queue="ai.deep"),
    ]
)


def think(question: Question) -> Answer:
    """Take one, or behave as the engine's name says; ``nodes`` is the process that thought."""
    held = Path(os.environ.get(HELD_WHILE, "/nowhere"))
    match question.engine:
        case "hangs":
            time.sleep(3600)
        case "crashes":
            os._exit(7)
        case "raises":
            raise ValueError("no idea")
        case "cheats":
            return Answer("9", nodes=os.getpid())
        case "waits":
            held.with_suffix(".begun").touch()
            while held.exists():
                time.sleep(0.01)
    return Answer("1", nodes=os.getpid())


def warm(engine: str, version: int) -> None:
    """Nothing for most; ``slow-warm`` takes longer than any test lets it think."""
    match engine:
        case "slow-warm":
            time.sleep(WARM_SECONDS)
        case "never-warm":
            raise ValueError(f"no compiler for version {version}")


def question(engine: str = "first") -> Question:
    """A question for one of the toy engines."""
    return Question(
        game="nim",
        rules_version=1,
        ruleset={"heap": 5, "seats": 2},
        view="5:A:::2",
        seat="A",
        seed=1,
        engine=engine,
        engine_version=1,
        level=1,
        budget=0,
        noise=0,
    )
