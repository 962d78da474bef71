"""Looking at the record without writing it, beside a running server or without one."""

from collections.abc import Iterator
from contextlib import contextmanager

from events.codec import UnknownKind
from events.log import EventLog
from ops.refused import Refused
from ops.settings import Settings
from ops.wiring import Record, need_log, need_ready, record
from services.games.registry import UnknownGame
from services.match.folding import fold
from services.match.handler import stream_of
from services.match.state import MatchState, initial


@contextmanager
def reading(settings: Settings) -> Iterator[Record]:
    """The record, opened for reading only; ``Refused`` where there is none yet."""
    need_log(settings)
    with record(settings, read_only=True) as opened:
        need_ready(opened.store)
        yield opened


def match_at(log: EventLog, match: str, ply: int | None = None) -> MatchState:
    """The public fold of a match, now or when its line had ``ply`` moves."""
    events = log.told(stream_of(match))
    if not events:
        raise Refused(f"There is no match {match} here.")
    try:
        state = fold(initial(match), events)
        if ply is None or ply == state.ply:
            return state
        if not 0 <= ply < state.ply:
            raise Refused(f"{match} has plies 0 to {state.ply}, not {ply}.")
        version = state.line[ply - 1].version if ply else state.start_version
        return fold(initial(match), events[:version])
    except (UnknownKind, UnknownGame) as error:
        raise Refused(f"{match} cannot be read: {error}") from None
