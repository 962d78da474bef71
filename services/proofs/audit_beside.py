"""Every stream beside the matches audited: campaigns, their runs, and what is known of players."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from events.heads import KeptHead, compare
from events.log import EventLog
from services.campaigns.handler import campaign_stream, run_stream
from services.proofs.audit_player import audit_player
from services.proofs.audit_run import audit_campaign, audit_run
from services.proofs.report import Report
from services.ratings.handler import player_stream

_AUDITS: Mapping[str, tuple[Callable[[str], str], Callable[..., Report]]] = {
    "c-": (campaign_stream, audit_campaign),
    "r-": (run_stream, audit_run),
    "p-": (player_stream, audit_player),
}
"""By how ids begin: the stream of such a thing, and its audit."""


def is_beside(name: str) -> bool:
    """Whether this is the id of something else than a match."""
    return name[:2] in _AUDITS


def audit_stored_beside(log: EventLog, name: str, kept: Iterable[KeptHead] = ()) -> Report | None:
    """The audit of the campaign, run or player of this id; None if neither log nor heads know it.

    As with matches, only ``kept`` heads show a chain that was computed again, or cut short.
    """
    stream_of, audit = _AUDITS[name[:2]]
    stream = stream_of(name)
    faults = compare(log, (head for head in kept if head.stream == stream))
    if not log.head(stream).version and not faults:
        return None
    return audit(name, log.read, faults)


def audit_beside(log: EventLog, kept: Iterable[KeptHead] = ()) -> Iterator[Report]:
    """The audits of every such stream that the log or a kept head knows, by kind and name."""
    heads = tuple(kept)
    for stream_of, _ in _AUDITS.values():
        prefix = stream_of("")
        known = {head.stream for head in heads if head.stream.startswith(prefix)}
        for stream in sorted(known.union(_stored_streams(log, prefix))):
            if report := audit_stored_beside(log, stream.removeprefix(prefix), heads):
                yield report


def _stored_streams(log: EventLog, prefix: str) -> Iterator[str]:
    after = ""
    while page := log.streams(prefix, after):
        yield from (head.stream for head in page)
        after = page[-1].stream
