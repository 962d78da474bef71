"""``plybook rebuild``: projections made anew from the log, while the service goes on."""

import click
from rich.progress import Progress

from events.rebuild import Progress as Told
from ops.commands.common import progress
from ops.folder_lock import held_for
from ops.rebuilding import NAMES, Remade, rebuild_all
from ops.settings import settings_from
from ops.wiring import record


@click.command("rebuild")
@click.argument("projections", nargs=-1)
@click.option("--anew", is_flag=True, help="Forget a rebuild that was stopped.")
def command(projections: tuple[str, ...], anew: bool) -> None:
    """Make PROJECTIONS (all of them) again; the same log always gives the same bytes."""
    settings = settings_from()
    with held_for(settings), record(settings) as opened, progress() as bar:
        for made in rebuild_all(opened, projections or NAMES, _shown(bar), anew=anew):
            click.echo(_line(made))


def _shown(bar: Progress) -> Told:
    task = bar.add_task("streams", total=None)
    return lambda done, total, _events: bar.update(task, completed=done, total=total)


def _line(made: Remade) -> str:
    names = ", ".join(made.projections)
    return f"{names}: {made.events} events, {made.events_per_second} events/s"
