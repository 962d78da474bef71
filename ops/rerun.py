"""Computers' moves played again from their evidence, several at a time, for an audit."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

from events.event_kinds import Thought
from services.levels import Levels, LevelSpec
from services.match.jobs import AiJob
from services.proofs.audit import Awaited, EngineMissing, Engines
from workers.ai_turns import question_of
from workers.engine_pool import EngineFailure, EnginePool
from workers.engines.contract import Question
from workers.engines.registry import ENGINES, think, warm

RERUN_SECONDS = 600.0
"""Longest an engine may think here: an auditor's machine may be slow, and nobody waits to move."""

Told = Callable[[int, int], None]
"""Told how many moves were played again, of how many asked for so far."""


@contextmanager
def engines_again(levels: Levels, jobs: int, told: Told) -> Iterator[Engines]:
    """The engines of this program, ``jobs`` at a time, each in a process of its own."""
    pool = EnginePool(think, jobs, warm)
    threads = ThreadPoolExecutor(jobs)
    asked, done = 0, 0

    def finished(_move: Future[str]) -> None:
        nonlocal done
        done += 1
        told(done, asked)

    def play(job: AiJob, thought: Thought) -> Awaited:
        nonlocal asked
        question = question_again(job, thought, levels)
        asked += 1
        future = threads.submit(_played, pool, question)
        future.add_done_callback(finished)
        return future.result

    try:
        yield play
    finally:
        pool.close()
        threads.shutdown(cancel_futures=True)


def question_again(job: AiJob, thought: Thought, levels: Levels) -> Question:
    """What the engine was asked then; ``EngineMissing`` if it is not here.

    The evidence says it all, but for the noise of moves that the first programs recorded: that
    is taken from the table of levels, as long as the level is still what it was.
    """
    engine = f"engine {thought.engine} {thought.engine_version}"
    if (thought.engine, thought.engine_version) not in ENGINES:
        raise EngineMissing(f"{engine} not installed")
    noise = thought.noise
    if noise is None:
        spec = levels.spec(job.game, thought.level)
        evidence = (thought.engine, thought.engine_version, thought.budget)
        if spec is None or (spec.engine, spec.engine_version, spec.budget) != evidence:
            raise EngineMissing(f"level {thought.level} is not what it was with {engine}")
        noise = spec.noise
    level = LevelSpec(
        job.game, thought.level, thought.engine, thought.engine_version, thought.budget, noise
    )
    return question_of(job, level)


def _played(pool: EnginePool, question: Question) -> str:
    try:
        return pool.ask(question, RERUN_SECONDS).move
    except EngineFailure as failure:
        engine = f"engine {question.engine} {question.engine_version}"
        raise EngineMissing(f"{engine} gave no answer: {failure.reason}") from failure
