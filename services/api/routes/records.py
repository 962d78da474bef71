"""Matches as evidence and as files: audits, exports, imports."""

from pathlib import Path
from typing import Annotated, Literal

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, FromQuery, QueryParameter, RawBody

from services.api.audits import audit_answer
from services.api.caching import conditional
from services.api.callers import Caller
from services.api.messages import AuditAnswer, ImportAnswer, ImportLine
from services.api.problems import Problem
from services.api.seen import public_fold, see
from services.api.stored import record_version
from services.formats.draft import Notes
from services.formats.errors import FormatError
from services.formats.exporting import export_match, format_names
from services.formats.importing import Fate, Line, import_file, notes_of
from services.formats.judge import Refused
from services.formats.known import RECORDS
from services.match.state import MatchState
from services.proofs import verify_match
from services.proofs.audit_log import audit_stored

BLKSGF = "application/x-blokus-sgf"
_FILES = {"record": ("text/plain", "txt"), "blksgf": (BLKSGF, "blksgf")}
_NOT_TAKEN = (Fate.REFUSED, Fate.HELD_BACK)
VERIFIER = Path(verify_match.__file__)
IMPORT_BYTES_MAX = 1_048_576
FILE_NAME_CHARS_MAX = 200


@get("/matches/{match:str}/audit", sync_to_thread=True)
def audit(caller: NamedDependency[Caller], match: FromPath[str]) -> AuditAnswer:
    """The match decided a second time from its events; keep heads elsewhere to check them too."""
    record_version(caller, match)
    services = caller.services
    report = audit_stored(services.log, match, games=services.games)
    assert report is not None, "a match that was seen is in the log"
    return audit_answer(report)


@get("/verifier", sync_to_thread=True, media_type="text/x-python")
def verifier(caller: NamedDependency[Caller]) -> Response[bytes]:
    """The program in one file that checks a match without trusting this server: read it first.

    It takes the pages of ``/events`` or the lines of ``/events/stream``, and what you kept.
    """
    headers = {"Content-Disposition": f'attachment; filename="{VERIFIER.name}"'}
    return conditional(caller.request, VERIFIER.read_bytes(), "text/x-python", headers)


@get("/matches/{match:str}/export", sync_to_thread=True)
def export(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    format: FromQuery[Literal["", "record", "blksgf"]] = "",  # noqa: A002 - its name on the wire
) -> Response[str]:
    """The line that stands, as a file: Plybook's own record, or ``blksgf`` (also by Accept)."""
    state = _to_be_written(caller, match)
    accepted = "blksgf" if BLKSGF in caller.request.headers.get("accept", "") else "record"
    wanted = format or accepted
    try:
        text = export_match(state, _format_name(state, wanted), _notes(caller, state))
    except FormatError as error:
        raise Problem(409, error.code, error.sentence, {"formats": format_names(state)}) from error
    media, suffix = _FILES[wanted]
    headers = {"Content-Disposition": f'inline; filename="{match}.{suffix}"'}
    return Response(text, media_type=media, headers=headers)


def _to_be_written(caller: Caller, match: str) -> MatchState:
    """A file is for everybody: as long as the match runs, it holds only what anybody may see."""
    state = see(caller, match).state
    if state.status != "ended":
        return public_fold(caller.services, state)
    return caller.services.handler.load(match) or state


def _format_name(state: MatchState, wanted: str) -> str:
    """Plybook's own record has another name in each game."""
    own = [name for name in format_names(state) if name in RECORDS]
    return own[0] if wanted == "record" and own else wanted


def _notes(caller: Caller, state: MatchState) -> Notes:
    """The names that came with a record, or those of the people who sit here."""
    if state.imported:
        return notes_of(caller.services.store, state.match)
    seats = dict(zip(state.seat_names(), state.seats, strict=True))
    names = caller.services.players.names(seat.player for seat in seats.values() if seat)
    return Notes(
        names={seat: names[at.player] for seat, at in seats.items() if at and at.player in names}
    )


@post("/imports", sync_to_thread=True, status_code=200, request_max_body_size=IMPORT_BYTES_MAX)
def import_record(
    caller: NamedDependency[Caller],
    body: RawBody,
    file: Annotated[str, QueryParameter(max_length=FILE_NAME_CHARS_MAX)] = "the body",
) -> ImportAnswer:
    """Take a file of records in, as a whole or not at all; the operator only.

    ``file`` is a name for the answers. Every game of the file gets a line.
    """
    caller.need_operator()
    services = caller.services
    lines = import_file(services.handler, services.store, body, file, caller.received_at)
    refused = any(line.fate in _NOT_TAKEN for line in lines)
    return ImportAnswer(refused=refused, lines=tuple(map(_import_line, lines)))


def _import_line(line: Line) -> ImportLine:
    verdict, fate = line.verdict, line.fate.value
    if isinstance(verdict, Refused):
        return ImportLine(fate=fate, match="", code=verdict.code, text=str(line))
    return ImportLine(fate=fate, match=verdict.match, code="", text=str(line))


ROUTES = [audit, verifier, export, import_record]
