"""``work_due``: everything the service owes the world, derived from the log alone.

The queue is only a hint (ARCHITECTURE.md, law 7): a row stands until its effect is in the log,
and losing every message of a broker loses nothing.
"""

from events.log import InlineTable, Value
from services.campaigns.run_state import RunState
from services.match.clock import flag_at
from services.match.contests import lesson_of
from services.match.state import MatchState

WORK_DUE = InlineTable(
    name="work_due",
    shape=1,
    columns=(
        ("kind", "text"),
        ("game", "text"),
        ("seat", "text"),
        ("level", "int"),
        ("turn", "int"),
        ("due_at", "int"),
    ),
    indexed=(("kind", "due_at"),),
)

AI_TURN = "ai_turn"
DEADLINE = "deadline"
RUN_STEP = "run_step"
UPGRADE = "upgrade"
LESSON = "lesson"


def work_rows(state: MatchState) -> dict[str, tuple[Value, ...]]:
    """What is due of a match: a computer's turn at once, a person's flag in time, its result.

    The result is owed to the run that opened the match, or as a lesson to the host's adaptive
    opponent; the note that it is counted ends that.

    Times come from the envelope of the event that began the turn, never from a clock, so a
    rebuild gives the same bytes.
    """
    game = state.the_game.rules.slug
    if state.ended is not None:
        kind = RUN_STEP if state.run else LESSON if lesson_of(state) else ""
        if not kind or state.is_counted:
            return {}
        return {kind: (kind, game, "", 0, state.turn, state.turn_since)}
    seat = state.to_move()
    holder = None if seat is None else state.holder(seat)
    if seat is None or holder is None:
        return {}
    if holder.level:
        return {AI_TURN: (AI_TURN, game, seat, holder.level, state.turn, state.turn_since)}
    flag = flag_at(state)
    if flag is None:
        return {}
    return {DEADLINE: (DEADLINE, game, seat, 0, state.turn, flag)}


def run_work_rows(state: RunState) -> dict[str, tuple[Value, ...]]:
    """What is due of a run: the levels its opponents gain for its last win."""
    if not state.is_growing:
        return {}
    return {UPGRADE: (UPGRADE, state.game, "", 0, state.grown + 1, state.since)}
