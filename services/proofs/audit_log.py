"""Every match of a log audited, and each against the heads that left the database."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator

from events.chain import Fault, head_after, verify_heads
from events.heads import KeptHead, compare
from events.log import EventLog
from services.games.registry import REGISTRY, Registry
from services.match.handler import stream_of
from services.match.secret import Secret
from services.proofs.audit import Engines, audit_match
from services.proofs.report import Difference, Report

PREFIX = "match/"

Progress = Callable[[int, int], None]
"""Told after each match: how many are done, of how many."""


def audit_stored(
    log: EventLog,
    match: str,
    *,
    kept: Iterable[KeptHead] = (),
    engines: Engines | None = None,
    secret: Secret | None = None,
    games: Registry = REGISTRY,
) -> Report | None:
    """The audit of one stored match; None if neither log nor heads know it.

    Beyond ``audit_match``: the log's own head of the stream, and the ``kept`` heads (those of
    other streams do not matter), which alone show a chain computed again or a tail cut off.
    """
    stream = stream_of(match)
    events = log.read(stream)
    faults = compare(log, (head for head in kept if head.stream == stream))
    found = {stream: head_after(events[-1])} if events else {}
    faults += verify_heads(found, [log.head(stream)])
    if events:
        return audit_match(events, chain_faults=faults, engines=engines, secret=secret, games=games)
    return _nothing_left(match, faults) if faults else None


def audit_log(
    log: EventLog,
    *,
    kept: Iterable[KeptHead] = (),
    engines: Engines | None = None,
    games: Registry = REGISTRY,
    progress: Progress = lambda _done, _of: None,
) -> Iterator[Report]:
    """The audits of every match the log or a kept head knows, by match id."""
    heads: dict[str, list[KeptHead]] = defaultdict(list)
    for head in kept:
        if head.stream.startswith(PREFIX):
            heads[head.stream].append(head)
    streams = sorted({*_stored_streams(log), *heads})
    for done, stream in enumerate(streams, start=1):
        match = stream.removeprefix(PREFIX)
        report = audit_stored(log, match, kept=heads[stream], engines=engines, games=games)
        if report is not None:
            yield report
        progress(done, len(streams))


def _stored_streams(log: EventLog) -> Iterator[str]:
    after = ""
    while page := log.streams(PREFIX, after):
        yield from (head.stream for head in page)
        after = page[-1].stream


def _nothing_left(match: str, faults: list[Fault]) -> Report:
    """A match that a head proves to have been here."""
    differences = tuple(
        Difference(match, fault.version, fault.what, fault.stored, fault.computed)
        for fault in faults
    )
    return Report(match, f"differs at event {differences[0].version}", differences=differences)
