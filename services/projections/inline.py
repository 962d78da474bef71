"""The inline projections together: rows as a pure function of the folded stream.

The handler writes them with each append, a rebuild writes the last set; both call the same
functions, so they cannot disagree.
"""

from collections.abc import Iterable

from events.log import InlineRow, InlineTable, Value
from events.recorded import Recorded
from services.match.folding import fold
from services.match.state import MatchState, initial
from services.projections.boards import BOARDS, board_rows
from services.projections.work_due import WORK_DUE, work_rows

INLINE_TABLES: tuple[InlineTable, ...] = (BOARDS, WORK_DUE)

Rows = dict[str, dict[str, tuple[Value, ...]]]
"""Projection → key → values."""


def rows_of(state: MatchState) -> Rows:
    """Every inline row of a match; a match without events has none."""
    if state.version == 0:
        return {BOARDS.name: {}, WORK_DUE.name: {}}
    return {BOARDS.name: board_rows(state), WORK_DUE.name: work_rows(state)}


def written_rows(before: MatchState, after: MatchState) -> tuple[InlineRow, ...]:
    """The upserts of every row of ``after`` and the removals of what only ``before`` had.

    Unchanged rows are written too: each carries the stream's version, as in a rebuild.
    """
    old, new = rows_of(before), rows_of(after)
    return tuple(
        InlineRow(projection, key, new[projection].get(key))
        for projection in new
        for key in sorted(old[projection].keys() | new[projection].keys())
    )


def rows_of_stream(stream: str, events: Iterable[Recorded]) -> Rows:
    """The inline rows of a stored stream, folded without any secret; for rebuilds."""
    if not stream.startswith("match/"):
        return {}
    return rows_of(fold(initial(stream.removeprefix("match/")), events))
