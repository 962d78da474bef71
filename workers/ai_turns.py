"""A computer's turn: take it, ask its engine, hand the answer in like anybody's move.

The engine only proposes text; the decider judges it. A task may be delivered twice, late, or to
a worker that dies: the claim, the expected turn and the command id each see to it that a turn is
played once.
"""

from collections.abc import Iterator

import msgspec
from msgspec.structs import replace

from events.event_kinds import Thought
from events.log import CommandId, Namespace
from services.levels import LevelSpec
from services.match.commands import PlayMove
from services.match.handler import Done, stream_of
from services.match.jobs import AiJob, ai_job
from services.match.refusals import Refusal
from services.match.state import MatchState
from services.projections.work_due import AI_TURN
from workers import claims
from workers.engine_pool import EngineFailure, PoolClosed
from workers.engines.contract import Engine, Question
from workers.offers import ATTEMPTS_MAX
from workers.toolbox import EngineUse, Outcome, Report, Toolbox

MARGIN_SECONDS = 15.0
"""Added to the engines' limits for everything else a turn needs before its lease runs out."""

LAST_RESORT: Engine = ("any-legal", 1)
"""What answers where even the lowest level's engine fails; at that level, as the log has it."""

ENDS = {
    "command-reused": Outcome.REPEATED,  # another worker was faster with another engine's move
    "stale-turn": Outcome.STALE,
    "not-your-turn": Outcome.STALE,
    "match-over": Outcome.STALE,
}
"""What a refusal of a legal move means; any other (a busy or newer log) leaves the turn due."""


class Proposal(msgspec.Struct, frozen=True):
    """What asking one engine came to: a legal move, or the ``failure`` that goes into the log."""

    thought: Thought
    move: str = ""
    nodes: int = 0
    engine_us: int = 0
    failure: str = ""
    detail: str = ""


def play_ai_turn(tools: Toolbox, match: str, turn: int) -> Report:
    """Play the computer's move that follows ``turn`` turns, if it is still wanted."""
    key = (stream_of(match), AI_TURN, turn)
    limit_us = int((2 * tools.engine_seconds + MARGIN_SECONDS) * 1_000_000)
    attempt = claims.take(tools.store, key, tools.worker, tools.clock(), limit_us)
    report = Report(AI_TURN, match, turn, Outcome.TAKEN)
    if attempt is not None:
        report = _played_or_given_back(tools, key, replace(report, attempt=attempt))
    tools.observe(report)
    return report


def _played_or_given_back(tools: Toolbox, key: claims.Key, report: Report) -> Report:
    """Play a turn that was taken; a worker told to stop hands it to the next one at once."""
    try:
        report = _play(tools, report)
    except PoolClosed:
        tools.store.write(lambda conn: claims.give_back(conn, key, tools.worker))
        return replace(report, outcome=Outcome.GIVEN_BACK)
    if report.outcome is not Outcome.FAILED:
        tools.store.write(lambda conn: claims.forget(conn, key))
    return report


def question_of(job: AiJob, spec: LevelSpec) -> Question:
    """What the engine of a level is asked; audits ask it again."""
    return Question(
        game=job.game,
        rules_version=job.rules_version,
        ruleset=job.ruleset,
        view=job.view,
        seat=job.seat,
        seed=job.seed,
        engine=spec.engine,
        engine_version=spec.engine_version,
        level=spec.level,
        budget=spec.budget,
        noise=spec.noise,
    )


def _play(tools: Toolbox, report: Report) -> Report:
    state = tools.handler.load(report.match)
    job = ai_job(state) if state else None
    if state is None or job is None or job.turn != report.turn:
        return replace(report, outcome=Outcome.STALE)
    begun = tools.clock()
    proposals = list(_proposals(tools, state, job, report.attempt))
    last = proposals[-1]
    report = replace(
        report,
        game=job.game,
        level=job.level,
        engines=tuple(
            EngineUse(each.thought.engine, each.engine_us, each.nodes) for each in proposals
        ),
        fallback=last.thought.fallback,
        detail="; ".join(proposal.detail for proposal in proposals if proposal.detail),
    )
    if last.failure:
        return replace(report, outcome=Outcome.FAILED)
    if state.terms.hidden:
        _keep_pace(tools, job, begun)
    return _hand_in(tools, report, job, last)


def _keep_pace(tools: Toolbox, job: AiJob, begun: int) -> None:
    """Wait for the next whole pace of the level since it was asked.

    How long an engine thinks tells how many moves a hidden hand has; the pace tells the level.
    """
    spec = tools.levels.spec(job.game, job.level)
    pace_us = 1_000 * spec.pace_ms if spec else 0
    if pace_us:
        tools.sleep((pace_us - (tools.clock() - begun) % pace_us) / 1_000_000)


def _proposals(tools: Toolbox, state: MatchState, job: AiJob, attempt: int) -> Iterator[Proposal]:
    """The level's own engine, after its failure the lowest level's, and then any legal move."""
    spec = tools.levels.spec(job.game, job.level)
    if spec is None:
        failure = "no-such-level"
    elif attempt > ATTEMPTS_MAX:
        failure = "attempts"
    else:
        proposal = _ask(tools, state, job, spec, fallback="")
        yield proposal
        failure = proposal.failure
    if failure:
        lowest = tools.levels.spec(job.game, tools.levels.known(job.game)[0])
        assert lowest is not None
        proposal = _ask(tools, state, job, lowest, fallback=failure)
        yield proposal
        if proposal.failure:
            engine, version = LAST_RESORT
            resort = replace(lowest, engine=engine, engine_version=version, budget=0, noise=0)
            yield _ask(tools, state, job, resort, fallback=failure)


def _ask(tools: Toolbox, state: MatchState, job: AiJob, spec: LevelSpec, fallback: str) -> Proposal:
    begun = tools.clock()

    def begins() -> None:
        nonlocal begun
        begun = tools.clock()  # waiting for a warm engine is no thinking

    proposal = Proposal(
        Thought(spec.engine, spec.engine_version, spec.level, spec.budget, fallback, spec.noise)
    )
    try:
        answer = tools.engines.ask(question_of(job, spec), tools.engine_seconds, begins)
    except EngineFailure as error:
        spent = tools.clock() - begun
        return replace(proposal, engine_us=spent, failure=error.reason, detail=error.detail)
    proposal = replace(
        proposal, move=answer.move, nodes=answer.nodes, engine_us=tools.clock() - begun
    )
    # The decider will judge again; asking here tells a bad engine from a log that is busy.
    if objection := state.the_game.rules.objection(state.position, answer.move):
        return replace(proposal, failure="illegal", detail=objection.code)
    return proposal


def _hand_in(tools: Toolbox, report: Report, job: AiJob, proposal: Proposal) -> Report:
    answer = tools.handler.handle(
        job.match,
        PlayMove(job.seat, proposal.move, job.turn, proposal.thought),
        actor=f"computer:{job.seat}",
        command_id=CommandId(Namespace.INSIDE, f"ai:{job.match}:{job.turn}"),
        received_at=tools.clock(),
    )
    if isinstance(answer, Refusal):
        outcome = ENDS.get(answer.code, Outcome.FAILED)
        return replace(report, outcome=outcome, detail=f"{answer.code} {report.detail}".rstrip())
    return replace(report, outcome=_done(answer))


def _done(answer: Done) -> Outcome:
    return Outcome.REPEATED if answer.repeated else Outcome.PLAYED
