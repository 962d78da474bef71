"""``plybook worker``: thinks about computer turns, and calls the time of people who are late."""

import signal
import sys

import click

from ops.commands.common import need_rabbitmq
from ops.entrypoints import worker
from ops.logs import configure_logs
from ops.settings import SLOTS_MAX, settings_from
from workers.celery_app import QUEUES


@click.command("worker")
@click.option(
    "--queues",
    default=",".join(QUEUES),
    show_default=True,
    help="The queues to work for, with commas between them.",
)
@click.option(
    "--slots",
    type=click.IntRange(1, SLOTS_MAX),
    default=None,
    help="Turns to think about at the same time (PLYBOOK_WORKER_SLOTS).",
)
def command(queues: str, slots: int | None) -> None:
    """Run a worker until told to stop; then it hands back the turns it thinks about."""
    # Until Celery has handlers of its own, a supervisor's stop is an ordinary end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    settings = settings_from()
    need_rabbitmq(settings)
    weights = tuple(name.strip() for name in queues.split(","))
    if unknown := [name for name in weights if name not in QUEUES]:
        known = ", ".join(QUEUES)
        raise click.BadParameter(f"there is no queue {unknown[0]!r}; there are: {known}.")
    configure_logs(settings.log, settings.log_level)
    worker(settings, slots or settings.slots, weights)
