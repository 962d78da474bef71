"""``plybook rebuild``: projections made anew from the log, while the service goes on."""

from contextlib import closing

import click
from rich.progress import Progress

from events.rebuild import Progress as Told
from ops.commands.common import progress
from ops.folder_lock import RunningServer, held_for, running_server
from ops.operator_line import OperatorLine
from ops.rebuilding import NAMES, Remade, rebuild_all
from ops.refused import Refused
from ops.settings import settings_from
from ops.wiring import need_log, record


@click.command("rebuild")
@click.argument("projections", nargs=-1)
@click.option("--anew", is_flag=True, help="Forget a rebuild that was stopped.")
def command(projections: tuple[str, ...], anew: bool) -> None:
    """Make PROJECTIONS (all of them) again; the same log always gives the same bytes."""
    settings = settings_from()
    server = running_server(settings.data) if settings.embedded else None
    if server is not None:
        _ask_to_rebuild(server, everything=not projections and not anew)
        return
    need_log(settings)
    with held_for(settings), record(settings) as opened, progress() as bar:
        for made in rebuild_all(opened, projections or NAMES, _shown(bar), anew=anew):
            click.echo(_line(made))


def _ask_to_rebuild(server: RunningServer, *, everything: bool) -> None:
    if not everything:
        raise Refused("The running server rebuilds all or nothing: name nothing, or stop it first.")
    with closing(OperatorLine(server)) as line, progress() as bar:
        bar.add_task("the server rebuilds", total=None)
        for names, events in line.rebuild().items():
            click.echo(f"{names}: {events} events")


def _shown(bar: Progress) -> Told:
    task = bar.add_task("streams", total=None)
    return lambda done, total, _events: bar.update(task, completed=done, total=total)


def _line(made: Remade) -> str:
    names = ", ".join(made.projections)
    return f"{names}: {made.events} events, {made.events_per_second} events/s"
