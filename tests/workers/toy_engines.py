"""Engines with bad manners, for the tests of what happens then. The view says how to behave."""

import os
import time

from workers.engines.contract import Answer, Question


def think(question: Question) -> Answer:
    """Answer with the view itself, unless it asks for trouble."""
    if question.view == "hang":
        time.sleep(3600)
    if question.view == "crash":
        os._exit(7)
    if question.view == "raise":
        raise ValueError("no idea")
    return Answer(move=question.view, nodes=os.getpid())


def question(view: str) -> Question:
    """A question that only says how the toy engine shall behave."""
    return Question(
        game="toy", rules_version=1, ruleset={}, view=view, seat="A", seed=1,
        engine="toy", engine_version=1, level=1, budget=1, noise=0,
    )  # fmt: skip
