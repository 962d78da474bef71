"""How opponents change with what a player has done: in a run they grow, elsewhere they adapt.

A run's match that is over is counted, and then the opponents grow; the next match waits for both.
An adaptive computer learns from each match against it. All are rows derived from the log until
their effect is recorded, so a task may be lost, late or delivered twice.
"""

from collections.abc import Callable

from msgspec.structs import replace

from services.campaigns.handler import Kept, run_stream
from services.match.handler import stream_of
from services.match.refusals import Refusal
from services.projections.work_due import LESSON, RUN_STEP, UPGRADE
from services.ratings.handler import Learnt
from workers import claims
from workers.toolbox import Outcome, Report, Toolbox

LIMIT_US = 15_000_000

STALE = ("not-waiting", "not-awaited", "not-growing", "run-over")
"""Refusals that mean: this was done before. Any other leaves the row due."""


def count_match(tools: Toolbox, match: str, turn: int) -> Report:
    """Give the run that opened a match its result, with all that follows from it."""
    report = Report(RUN_STEP, match, turn, Outcome.TAKEN)
    key = (stream_of(match), RUN_STEP, turn)
    return _step(tools, key, report, lambda: tools.campaigns.count(match, tools.clock()))


def grow_opponents(tools: Toolbox, run: str, win: int) -> Report:
    """Let the opponents of a run gain the levels of its ``win``-th win."""
    report = Report(UPGRADE, run, win, Outcome.TAKEN)
    key = (run_stream(run), UPGRADE, win)
    return _step(tools, key, report, lambda: tools.campaigns.grow(run, win, tools.clock()))


def learn_lesson(tools: Toolbox, match: str, turn: int) -> Report:
    """Give the result of a match to the adaptive opponent of its host."""
    report = Report(LESSON, match, turn, Outcome.TAKEN)
    key = (stream_of(match), LESSON, turn)
    return _step(tools, key, report, lambda: tools.opponents.learn(match, tools.clock()))


def _step(
    tools: Toolbox,
    key: claims.Key,
    report: Report,
    take_step: Callable[[], Kept | Learnt | Refusal],
) -> Report:
    if claims.take(tools.store, key, tools.worker, tools.clock(), LIMIT_US) is not None:
        answer = take_step()
        report = replace(report, outcome=_outcome(answer))
        if report.outcome is Outcome.FAILED:
            assert isinstance(answer, Refusal)
            report = replace(report, detail=answer.code)
        else:
            tools.store.write(lambda conn: claims.forget(conn, key))
    tools.observe(report)
    return report


def _outcome(answer: Kept | Learnt | Refusal) -> Outcome:
    if isinstance(answer, Refusal):
        return Outcome.STALE if answer.code in STALE else Outcome.FAILED
    return Outcome.REPEATED if answer.repeated else Outcome.PLAYED
