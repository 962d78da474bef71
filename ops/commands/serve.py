"""``plybook serve``: the whole service in one process, or the page of a larger one."""

import click

from ops.entrypoints import embedded, web
from ops.logs import configure_logs
from ops.refused import Refused
from ops.settings import Settings, settings_from
from ops.stopping import stop_signal


@click.command("serve")
@click.option(
    "--role",
    type=click.Choice(["all", "web"]),
    default=None,
    help="Everything in one process (in-process queue), or the page alone (RabbitMQ).",
)
def command(role: str | None) -> None:
    """Run the server until it is told to stop (Ctrl-C).

    With the in-process queue this one process is the whole service: page, log, computer
    players. With RabbitMQ it is the page; run `plybook relay` and `plybook worker` beside it.
    """
    settings = settings_from()
    configure_logs(settings.log, settings.log_level)
    entry = embedded if _role(settings, role) == "all" else web
    with stop_signal() as stop, entry(settings) as server:
        click.echo(f"Plybook is at {server.url} (data in {settings.data}); Ctrl-C stops it.")
        stop.wait(server.ended)
        if not stop.asked:
            raise Refused("The web server ended by itself; the lines above say why.")


def _role(settings: Settings, asked: str | None) -> str:
    usual = "all" if settings.embedded else "web"
    if asked not in (None, usual):
        raise Refused(
            f"--role {asked} does not go with PLYBOOK_BROKER={settings.shown_broker}: "
            "all needs memory://, web needs amqp://…."
        )
    return usual
