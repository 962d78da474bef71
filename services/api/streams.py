"""Live streams of a match: NDJSON for programs, server-sent events for pages.

Both are the same walk: read the log after the last version sent, send, sleep until the hub
rings (or a keep-alive is due, which looks into the log as well: a lost ring loses nothing).
"""

from collections.abc import AsyncIterator
from typing import Any, Literal

import msgspec
from anyio import to_thread

from services.api.callers import Caller
from services.api.hub import Subscription
from services.api.messages import MatchAnswer, PublicEvent
from services.api.public_events import public_events
from services.api.seen import answer_for, see
from services.match.handler import stream_of

Line = MatchAnswer | PublicEvent | Literal["alive", "dropped", "closed", "ended"]
_encode = msgspec.json.encode


async def follow(caller: Caller, match: str, since: int, bell: Subscription) -> AsyncIterator[Line]:
    """Every event after ``since`` as it comes, after each batch the match as it stands then.

    The first line is always the match. Ends with the match, with the server, or when the
    reader is too slow.
    """
    answer = await to_thread.run_sync(_match_at, caller, match, None)
    yield answer
    version = min(since, answer.version)
    while True:
        for event in (batch := await to_thread.run_sync(_after, caller, match, version)):
            yield event
            version = event.version
        if batch and version > answer.version:
            answer = await to_thread.run_sync(_match_at, caller, match, version)
            yield answer
        if answer.view.status == "ended":
            yield "ended"
            return
        woken = await bell.wait(version, caller.services.limits.keep_alive_seconds)
        if woken == "quiet":
            yield "alive"
        elif woken != "news":
            yield woken
            return


def _match_at(caller: Caller, match: str, version: int | None) -> MatchAnswer:
    return answer_for(caller, see(caller, match, version))


def _after(caller: Caller, match: str, version: int) -> tuple[PublicEvent, ...]:
    return public_events(caller.services.log, stream_of(match), version)


def ndjson_line(line: Line) -> bytes:
    """One line of JSON with its ``type``; a keep-alive is a blank line."""
    if line == "alive":
        return b"\n"
    if isinstance(line, MatchAnswer):
        return _encode({"type": "match", **_fields(line)}) + b"\n"
    if isinstance(line, PublicEvent):
        return _encode({"type": "event", **_fields(line)}) + b"\n"
    return _encode({"type": line}) + b"\n"


def sse_message(line: Line) -> bytes:
    """A server-sent event; events of the match carry their version as ``id``."""
    if line == "alive":
        return b": alive\n\n"
    if isinstance(line, MatchAnswer):
        return b"event: match\ndata: " + _encode(_fields(line)) + b"\n\n"
    if isinstance(line, PublicEvent):
        head = f"id: {line.version}\nevent: event\ndata: ".encode()
        return head + _encode(_fields(line)) + b"\n\n"
    return f"event: {line}\ndata: {{}}\n\n".encode()


def _fields(struct: msgspec.Struct) -> dict[str, Any]:
    return {name: getattr(struct, name) for name in struct.__struct_fields__}
