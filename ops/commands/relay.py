"""``plybook relay``: announces the log on the bus and offers due work to the workers."""

import click

from ops.commands.common import need_rabbitmq
from ops.entrypoints import relay
from ops.logs import configure_logs
from ops.settings import settings_from
from ops.stopping import stop_signal


@click.command("relay")
def command() -> None:
    """Run the relay and the dispatcher until told to stop.

    Several may run, on one machine or many: one of them works, the others wait for its office.
    """
    settings = settings_from()
    need_rabbitmq(settings)
    configure_logs(settings.log, settings.log_level)
    with stop_signal() as stop, relay(settings):
        stop.wait()
