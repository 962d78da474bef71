"""Every "no" on the wire has one shape (RFC 9457): a code, a sentence, what would be right."""

import logging
from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import Request, Response
from litestar.exceptions import HTTPException, InternalServerException, ValidationException
from litestar.status_codes import HTTP_500_INTERNAL_SERVER_ERROR

from events.codec import DamagedEvent, UnknownKind
from events.log import LogFailure
from services.games.registry import UnknownGame
from services.match.refusals import Refusal

PROBLEM_JSON = "application/problem+json"
_log = logging.getLogger("plybook.http")


class ProblemBody(msgspec.Struct, frozen=True):
    """The body of a refusal. Programs act on ``code``, people read ``detail``."""

    type: str
    title: str
    status: int
    code: str
    detail: str
    details: Mapping[str, Any] = {}


class Problem(Exception):
    """A refusal on its way out."""

    def __init__(
        self,
        status: int,
        code: str,
        sentence: str,
        details: Mapping[str, Any] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status = status
        self.code = code
        self.sentence = sentence
        self.details = details or {}
        self.headers = headers or {}

    def body(self) -> ProblemBody:
        """What goes over the wire."""
        return ProblemBody(
            type=f"urn:plybook:problem:{self.code}",
            title=self.code.replace("-", " ").capitalize(),
            status=self.status,
            code=self.code,
            detail=self.sentence,
            details=self.details,
        )


_REFUSED = {
    400: ("bad-ruleset", "no-such-game", "no-such-seat", "no-such-level", "no-such-difficulty"),
    403: (
        "not-your-seat", "not-the-host", "not-yourself", "not-seated", "not-your-run",
        "not-your-campaign",
    ),
    404: ("no-such-match", "no-such-campaign", "no-such-run"),
    409: (
        "stale-turn", "command-reused", "busy", "match-exists", "already-here", "seat-taken",
        "seat-free", "seats-free", "match-full", "not-open", "not-started", "offer-open",
        "offer-repeated", "no-such-offer", "not-asked", "seat-committed", "seats-not-ready",
        "no-chance", "no-entries", "entropy-given", "entry-sealed", "wrong-commitment",
        "stale-run", "stale-match", "run-open", "run-over", "run-not-over", "keep-first",
        "match-running", "upgrade-first", "opponents-growing", "no-offer",
    ),
    503: ("old-code", "newer-log"),
}  # fmt: skip
_STATUS = {code: status for status, codes in _REFUSED.items() for code in codes}
_BY_THE_RULES = 422
"""Everything else was judged by the rules of the game or of the match."""


def refused(refusal: Refusal) -> Problem:
    """A refusal of the core as a problem."""
    status = _STATUS.get(refusal.code, _BY_THE_RULES)
    return Problem(status, refusal.code, refusal.sentence, refusal.details)


def no_such_match(match: str) -> Problem:
    """Unknown, or private and none of the caller's business: the same answer for both."""
    return Problem(404, "no-such-match", f"There is no match {match} that you can see.")


def as_problem(error: Exception) -> Problem:
    """Any exception as the problem its caller is told."""
    if isinstance(error, Problem):
        return error
    if isinstance(error, ValidationException):
        return _bad_input(error)
    if isinstance(error, HTTPException) and error.status_code < HTTP_500_INTERNAL_SERVER_ERROR:
        return _http(error)
    if isinstance(error, UNREADABLE_RECORD):
        return unreadable(error)
    if _went_away(error):
        _log.debug("a client went away before its request was whole")
        return Problem(400, "cut-off", "The request ended before its body was whole.")
    if isinstance(error, RecursionError) and "deserializing" in str(error):
        return Problem(400, "bad-input", "The body is nested too deeply.")
    _log.error("a request failed", exc_info=error)
    if isinstance(error, LogFailure):
        sentence = "The log cannot be written or read just now; nothing was kept. Try again."
        return Problem(503, "log-failure", sentence, headers={"Retry-After": "5"})
    sentence = "The server made a mistake; it is in its log. Nothing you sent was kept."
    return Problem(500, "server-fault", sentence)


UNREADABLE_RECORD = (DamagedEvent, UnknownKind, UnknownGame)
"""What a fold of stored events raises: the record is hurt, or newer than this program."""


def unreadable(error: DamagedEvent | UnknownKind | UnknownGame) -> Problem:
    """The problem of one record; it is told in a line, for nothing in this program failed."""
    if isinstance(error, DamagedEvent):
        _log.warning("a record is damaged: %s", error)
        details = {"kind": error.kind, "why": error.why}
        return Problem(500, "damaged", f"The record cannot be read: {error}.", details)
    return Problem(503, "newer-log", f"This server is too old for its own log: {error}.")


def _went_away(error: Exception) -> bool:
    """Whether the framework says that the sender hung up; it has no type of its own for it."""
    return isinstance(error, InternalServerException) and "disconnected" in error.detail


def problem_response(_request: Request[Any, Any, Any], error: Exception) -> Response[ProblemBody]:
    """Litestar's exception handler for everything under ``/v1``."""
    problem = as_problem(error)
    return Response(
        problem.body(),
        status_code=problem.status,
        media_type=PROBLEM_JSON,
        headers=dict(problem.headers),
    )


def _bad_input(error: ValidationException) -> Problem:
    fields = [
        {"field": str(item.get("key", "body")), "wrong": str(item.get("message", ""))}
        for item in error.extra or ()
        if isinstance(item, dict)
    ]
    if fields and fields[0]["field"] == "data" and fields[0]["wrong"] == "'data'":
        sentence = "The request needs a JSON body."
    elif fields and fields[0]["field"] == "data":
        sentence = f"The body is not right: {fields[0]['wrong']}."
    elif fields:
        sentence = f"The field {fields[0]['field']!r} is not right: {fields[0]['wrong']}."
    else:
        sentence = f"The request cannot be read: {error.detail}."
    return Problem(400, "bad-input", sentence, {"fields": fields})


_CODES = {
    400: "bad-input",
    401: "who-are-you",
    403: "not-allowed",
    404: "no-such-page",
    405: "wrong-method",
    413: "too-large",
    415: "wrong-media-type",
}


def _http(error: HTTPException) -> Problem:
    code = _CODES.get(error.status_code, "http-error")
    headers = {str(key): str(value) for key, value in (error.headers or {}).items()}
    return Problem(error.status_code, code, f"{error.detail}.".replace("..", "."), None, headers)
