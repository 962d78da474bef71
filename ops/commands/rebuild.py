"""``plybook rebuild``: projections made anew from the log, while the service goes on."""

from collections.abc import Sequence
from contextlib import closing

import click
from rich.progress import Progress

from events.rebuild import Progress as Told
from ops.commands.common import progress
from ops.folder_lock import RunningServer, held_for, running_server
from ops.operator_line import OperatorLine
from ops.printable import printable
from ops.rebuilding import NAMES, Remade, rebuild_all
from ops.refused import Refused
from ops.settings import settings_from
from ops.wiring import need_log, record


@click.command("rebuild")
@click.argument("projections", nargs=-1)
@click.option("--anew", is_flag=True, help="Forget a rebuild that was stopped.")
def command(projections: tuple[str, ...], anew: bool) -> None:
    """Make PROJECTIONS (all of them) again; the same log always gives the same bytes.

    A match with a damaged event is left out and named at the end; then the exit status is 1.
    """
    settings = settings_from()
    server = running_server(settings.data) if settings.embedded else None
    if server is not None:
        _ask_to_rebuild(server, everything=not projections and not anew)
        return
    need_log(settings)
    damaged: list[str] = []
    with held_for(settings), record(settings) as opened, progress() as bar:
        for made in rebuild_all(opened, projections or NAMES, _shown(bar), anew=anew):
            click.echo(_line(made))
            damaged += made.damaged
    _tell(damaged)


def _ask_to_rebuild(server: RunningServer, *, everything: bool) -> None:
    if not everything:
        raise Refused("The running server rebuilds all or nothing: name nothing, or stop it first.")
    with closing(OperatorLine(server)) as line, progress() as bar:
        bar.add_task("the server rebuilds", total=None)
        answer = line.rebuild()
    for names, events in answer.rebuilt.items():
        click.echo(f"{names}: {events} events")
    _tell(answer.damaged)


def _tell(damaged: Sequence[str]) -> None:
    for sentence in damaged:
        click.echo(f"Left out: {printable(sentence)}.", err=True)
    if damaged:
        raise Refused(
            f"{len(damaged)} damaged, everything else is rebuilt; `plybook audit` says more."
        )


def _shown(bar: Progress) -> Told:
    task = bar.add_task("streams", total=None)
    return lambda done, total, _events: bar.update(task, completed=done, total=total)


def _line(made: Remade) -> str:
    names = ", ".join(made.projections)
    return f"{names}: {made.events} events, {made.events_per_second} events/s"
