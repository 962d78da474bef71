"""``plybook audit``: stored matches judged a second time, by someone who trusts nobody."""

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path

import click
import msgspec
from rich.progress import Progress

from events.heads import KeptHead, read_heads
from events.log import EventLog
from ops.commands.common import progress
from ops.reading import reading
from ops.refused import Refused
from ops.rerun import engines_again
from ops.settings import SLOTS_MAX, Settings, cores, settings_from
from services.levels import Levels
from services.proofs.audit import Engines
from services.proofs.audit_beside import audit_beside, audit_stored_beside, is_beside
from services.proofs.audit_log import audit_log, audit_stored
from services.proofs.report import Report


@click.command("audit")
@click.argument("match", required=False)
@click.option(
    "--all", "every", is_flag=True, help="Every match, campaign, run and player of the log."
)
@click.option(
    "--heads",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    default=None,
    help="Heads kept outside the database (the server's own heads file, if it is here).",
)
@click.option("--engines", is_flag=True, help="Let the engines play the computers' moves again.")
@click.option(
    "--jobs",
    type=click.IntRange(1, SLOTS_MAX),
    default=None,
    help="Engines that think at the same time (one a core).",
)
@click.option("--json", "as_json", is_flag=True, help="A JSON object a match.")
def command(
    *,
    match: str | None,
    every: bool,
    heads: Path | None,
    engines: bool,
    jobs: int | None,
    as_json: bool,
) -> None:
    """Check MATCH (or a campaign, run, player): its chain, every move, forced pass and score.

    With --engines the computers' moves of finished matches are played again from their evidence,
    and the first that comes out otherwise is named.

    Exit status 1 if anything differs. Whoever can write the database can compute every hash
    again; only heads kept elsewhere show that, and matches that were cut short.
    """
    if (match is None) == (not every):
        raise click.UsageError("Name one match, or --all.")
    settings = settings_from()
    kept = _kept(settings, heads)
    verdicts: Counter[str] = Counter()
    bad = 0
    with ExitStack() as stack:
        opened = stack.enter_context(reading(settings))
        bar = stack.enter_context(progress())
        rerun = stack.enter_context(_engines(bar, jobs or cores())) if engines else None
        for report in _reports(opened.log, match, kept, rerun, bar):
            verdicts[report.verdict] += 1
            click.echo(msgspec.json.encode(report) if as_json else "\n".join(_lines(report)))
            bad += not report.is_good
    if every and not as_json:
        click.echo(", ".join(f"{count} {verdict}" for verdict, count in verdicts.items()))
    if bad:
        raise Refused(f"{bad} of {verdicts.total()} matches differ from what they should be.")


def _reports(
    log: EventLog,
    match: str | None,
    kept: Iterable[KeptHead],
    engines: Engines | None,
    bar: Progress,
) -> Iterator[Report]:
    if match is not None:
        report = (
            audit_stored_beside(log, match, kept)
            if is_beside(match)
            else audit_stored(log, match, kept=kept, engines=engines)
        )
        if report is None:
            raise Refused(f"There is no match {match} here.")
        yield report
        return
    task = bar.add_task("matches", total=None)
    yield from audit_log(
        log,
        kept=kept,
        engines=engines,
        progress=lambda done, of: bar.update(task, completed=done, total=of),
    )
    yield from audit_beside(log, kept)


def _kept(settings: Settings, path: Path | None) -> tuple[KeptHead, ...]:
    if path is None and not settings.heads.exists():
        return ()
    found = read_heads(path or settings.heads)
    for number in found.unreadable:
        click.echo(f"{path or settings.heads}: line {number} is not a head; left out.", err=True)
    if path is not None and not found.heads:
        raise Refused(f"{path} holds no head that can be read: nothing was compared.")
    return found.heads


def _engines(bar: Progress, jobs: int) -> AbstractContextManager[Engines]:
    """The engines of this program, with a line that tells how far they are."""
    task = bar.add_task("computers' moves", total=None)
    return engines_again(
        Levels.load(), jobs, lambda done, of: bar.update(task, completed=done, total=of)
    )


def _lines(report: Report) -> Iterator[str]:
    counts = [f"{report.events} events", f"{report.plies} moves"]
    if report.forced:
        counts.append(f"{report.forced} forced")
    if report.thoughts:
        counts.append(f"{report.thoughts} by computers, {report.rerun} of them played again")
    if report.fallbacks:
        counts.append(f"{report.fallbacks} of those in place of an engine that failed")
    yield f"{report.match}: {report.verdict} ({', '.join(counts)})"
    yield from (f"  {difference}" for difference in report.differences)
