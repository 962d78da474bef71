"""The inline projections together: rows as a pure function of the folded stream.

The handler writes them with each append, a rebuild writes the last set; both call the same
functions, so they cannot disagree.
"""

from collections.abc import Iterable

from events.log import InlineRow, InlineTable, Value
from events.recorded import Foldable
from services.campaigns import run_folding
from services.campaigns.run_state import RunState
from services.campaigns.run_state import initial as initial_run
from services.match.folding import fold
from services.match.state import MatchState, initial
from services.projections.boards import BOARDS, board_rows
from services.projections.work_due import WORK_DUE, run_work_rows, work_rows

INLINE_TABLES: tuple[InlineTable, ...] = (BOARDS, WORK_DUE)

Rows = dict[str, dict[str, tuple[Value, ...]]]
"""Projection → key → values."""


def rows_of(state: MatchState) -> Rows:
    """Every inline row of a match; a match without events has none."""
    if state.version == 0:
        return {BOARDS.name: {}, WORK_DUE.name: {}}
    return {BOARDS.name: board_rows(state), WORK_DUE.name: work_rows(state)}


def rows_of_run(state: RunState) -> Rows:
    """Every inline row of a run."""
    return {WORK_DUE.name: run_work_rows(state)}


def written_rows(before: MatchState, after: MatchState) -> tuple[InlineRow, ...]:
    """What an append to a match writes beside its events."""
    # A board never goes away: the old one need not be written out only to see that it stays.
    due_before = work_rows(before) if before.version else {}
    return _written({BOARDS.name: {}, WORK_DUE.name: due_before}, rows_of(after))


def written_run_rows(before: RunState, after: RunState) -> tuple[InlineRow, ...]:
    """What an append to a run writes beside its events."""
    return _written(rows_of_run(before), rows_of_run(after))


def _written(old: Rows, new: Rows) -> tuple[InlineRow, ...]:
    """The upserts of every new row and the removals of what only the old state had.

    Unchanged rows are written too: each carries the stream's version, as in a rebuild.
    """
    return tuple(
        InlineRow(projection, key, new[projection].get(key))
        for projection in new
        for key in sorted(old[projection].keys() | new[projection].keys())
    )


def rows_of_stream(stream: str, events: Iterable[Foldable]) -> Rows:
    """The inline rows of a stored stream, folded without any secret; for rebuilds."""
    kind, _, name = stream.partition("/")
    if kind == "match":
        return rows_of(fold(initial(name), events))
    if kind == "run":
        return rows_of_run(run_folding.fold(initial_run(name), events))
    return {}
