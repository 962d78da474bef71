"""A match's record as it lies in the log. It can be looked at also where no fold can read it."""

from events.codec import decode
from events.event_kinds import MatchCreated, SeatLeft, SeatTaken
from events.log import EventLog
from services.api.callers import Caller
from services.api.problems import UNREADABLE_RECORD, no_such_match
from services.api.seen import MATCH_ID
from services.match.handler import stream_of
from services.projections.boards import BOARDS

_VISIBILITY = [name for name, _ in BOARDS.columns].index("visibility")


def record_version(caller: Caller, match: str) -> int:
    """How many events the match has; 404 alike for unknown, private and bad ids."""
    stream, log = stream_of(match), caller.services.log
    version = log.head(stream).version if MATCH_ID.fullmatch(match) else 0
    if not version or not _may_see(caller, stream):
        raise no_such_match(match)
    return version


def _may_see(caller: Caller, stream: str) -> bool:
    row = caller.services.log.rows(BOARDS.name, stream).get("")
    if caller.is_operator or (row is not None and row[_VISIBILITY] != "private"):
        return True
    return caller.player_or_none is not None and caller.actor in _insiders(
        caller.services.log, stream
    )


def _insiders(log: EventLog, stream: str) -> set[str]:
    """The host and the seated, as actors, as far as the events can be read."""
    host, seated = "", dict[str, str]()
    for told in log.told(stream):
        try:
            event = decode(told.kind, told.data)
        except UNREADABLE_RECORD:
            continue
        if isinstance(event, MatchCreated):
            host = event.host
        elif isinstance(event, SeatTaken):
            seated[event.seat] = f"player:{event.player}"
        elif isinstance(event, SeatLeft):
            seated.pop(event.seat, None)
    return {host, *seated.values()}
