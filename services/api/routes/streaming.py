"""The live stream of a match."""

from collections.abc import AsyncIterator
from typing import Annotated

from anyio import to_thread
from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath, HeaderParameter, QueryParameter
from litestar.response import Stream

from services.api.callers import Caller
from services.api.hub import HubFull
from services.api.limits import address_of, too_many
from services.api.seen import see
from services.api.streams import follow, ndjson_line, sse_message
from services.match.handler import stream_of

NDJSON = "application/x-ndjson"
SSE = "text/event-stream"
RETRY_SECONDS = 10.0
_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


@get("/matches/{match:str}/events/stream")
async def live(
    caller: NamedDependency[Caller],
    match: FromPath[str],
    since: Annotated[int, QueryParameter(ge=0, le=10_000_000)] = 0,
    ticket: Annotated[str, QueryParameter(max_length=256)] = "",
    last_event_id: Annotated[str, HeaderParameter(name="Last-Event-ID", max_length=20)] = "",
) -> Stream:
    """Events as they come: NDJSON, or server-sent events where ``Accept`` asks for them.

    The match comes first, then every event after ``since`` (or ``Last-Event-ID``) and the match
    after each batch; blank lines keep the line alive, a last line says why it ends.
    """
    if ticket:
        caller.show_ticket(ticket, match)
    await to_thread.run_sync(see, caller, match)
    if not caller.services.hub.has_room(address_of(caller.request.scope)):
        raise too_many("streams-by-address", RETRY_SECONDS)
    pages = SSE in caller.request.headers.get("accept", "")
    if last_event_id.isdecimal():
        since = int(last_event_id)
    lines = _lines(caller, match, since, pages=pages)
    return Stream(lines, media_type=SSE if pages else NDJSON, headers=_HEADERS)


async def _lines(caller: Caller, match: str, since: int, *, pages: bool) -> AsyncIterator[bytes]:
    encode = sse_message if pages else ndjson_line
    owner = address_of(caller.request.scope)
    try:
        with caller.services.hub.subscribe(stream_of(match), owner) as bell:
            async for line in follow(caller, match, since, bell):
                yield encode(line)
    except HubFull:  # others were faster between the check and this
        yield encode("closed")


ROUTES = [live]
