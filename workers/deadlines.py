"""A person's time is over: call the flag, and let the decider say whether it really fell."""

from msgspec.structs import replace

from events.log import CommandId, Namespace
from services.match.commands import CallTime
from services.match.decider import SERVER
from services.match.handler import stream_of
from services.match.refusals import Refusal
from services.projections.work_due import DEADLINE
from workers import claims
from workers.toolbox import Outcome, Report, Toolbox

LIMIT_US = 15_000_000


def call_time(tools: Toolbox, match: str, turn: int) -> Report:
    """End the wait for the move that follows ``turn`` turns, if it still lasts."""
    key = (stream_of(match), DEADLINE, turn)
    report = Report(DEADLINE, match, turn, Outcome.TAKEN)
    if claims.take(tools.store, key, tools.worker, tools.clock(), LIMIT_US) is not None:
        report = replace(report, outcome=_call(tools, match, turn))
        tools.store.write(lambda conn: claims.forget(conn, key))
    tools.observe(report)
    return report


def _call(tools: Toolbox, match: str, turn: int) -> Outcome:
    state = tools.handler.load(match)
    seat = state.to_move() if state else None
    if state is None or seat is None or state.turn != turn:
        return Outcome.STALE
    answer = tools.handler.handle(
        match,
        CallTime(seat),
        actor=SERVER,
        command_id=CommandId(Namespace.INSIDE, f"time:{match}:{turn}"),
        received_at=tools.clock(),
    )
    if isinstance(answer, Refusal):
        return Outcome.STALE
    return Outcome.REPEATED if answer.repeated else Outcome.PLAYED
