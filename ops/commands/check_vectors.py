"""``plybook check-vectors``: what a conformance file expects, against what the code does."""

from pathlib import Path

import click

from ops.check_vectors import run_file
from ops.refused import Refused
from ops.vectors.report import Report

SHOWN_MAX = 50
"""Failing cases printed of one file; the count tells of the others."""


@click.command("check-vectors")
@click.argument(
    "files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path)
)
def command(files: tuple[Path, ...]) -> None:
    """Run conformance FILES of any format known here; print failing cases and a count."""
    reports = [_shown(run_file(file)) for file in files]
    bad = sum(not report.ok for report in reports)
    if bad:
        raise Refused(f"{bad} of {len(reports)} files have cases that fail.")


def _shown(report: Report) -> Report:
    for case in report.failures[:SHOWN_MAX]:
        click.echo(f"{report.path}: {case.id}: {case.message}")
    count = len(report.verdicts)
    failed = len(report.failures)
    click.echo(f"{report.path}: {report.format or 'unknown format'}, {count} cases, {failed} fail")
    return report
