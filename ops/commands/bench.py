"""``plybook bench``: this machine's numbers beside their anchors."""

import datetime as dt
import os
from pathlib import Path

import click

from ops.dev.test_services import SERVICES
from ops.refused import Refused
from ops.settings import settings_from


@click.command("bench")
@click.option(
    "--quick", is_flag=True, help="Only see that everything runs; the numbers say little."
)
@click.option("--write", type=click.Path(path_type=Path), help="Also write the page to this file.")
def command(quick: bool, write: Path | None) -> None:
    """Measure appends, replay, rebuild, HTTP and rules; `make bench` keeps the result.

    It needs the development packages and a PostgreSQL that lets us create databases
    (PLYBOOK_TEST_POSTGRES, or one on the usual port).
    """
    data, postgres = settings_from().data, _postgres()
    try:
        from ops.dev.bench.machine import machine  # noqa: PLC0415 - needs development packages
        from ops.dev.bench.page import page  # noqa: PLC0415
        from ops.dev.bench.running import measure  # noqa: PLC0415
        from ops.dev.bench.sizes import FULL, QUICK  # noqa: PLC0415
    except ModuleNotFoundError as missing:
        raise Refused(
            f"This needs the development packages ({missing}); use `make bench`."
        ) from None
    described = list(machine(postgres))
    sections = measure(
        postgres, data, QUICK if quick else FULL, lambda s: click.echo(f"{s} …", err=True)
    )
    text = page(sections, described, dt.datetime.now(tz=dt.UTC).date())
    click.echo(text, nl=False)
    if write is not None:
        write.write_text(text, encoding="utf-8")


def _postgres() -> str:
    service = next(each for each in SERVICES if each.name == "PostgreSQL")
    url = os.environ.get(service.variable, service.usual_url)
    if reason := service.objection(url):
        raise Refused(f"No PostgreSQL to measure on ({reason}); use `make bench`.")
    return url
