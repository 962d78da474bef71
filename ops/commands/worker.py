"""``plybook worker``: thinks about computer turns, and calls the time of people who are late."""

import os
import signal
import sys

import click

from ops.commands.common import need_rabbitmq
from ops.entrypoints import worker
from ops.logs import configure_logs
from ops.settings import SLOTS_MAX, settings_from
from workers.celery_app import OUTSIDE_WEIGHT, QUEUES


@click.command("worker")
@click.option(
    "--queues",
    default=",".join(name for name in QUEUES if name != OUTSIDE_WEIGHT),
    show_default=True,
    help="The queues to work for, with commas between them.",
)
@click.option(
    "--gtp",
    metavar="COMMAND",
    default=None,
    help=f"Host an outside program that speaks GTP, and work for {OUTSIDE_WEIGHT} (PLYBOOK_GTP).",
)
@click.option(
    "--slots",
    type=click.IntRange(1, SLOTS_MAX),
    default=None,
    help="Turns to think about at the same time (PLYBOOK_WORKER_SLOTS).",
)
def command(queues: str, gtp: str | None, slots: int | None) -> None:
    """Run a worker until told to stop; then it hands back the turns it thinks about."""
    # Until Celery has handlers of its own, a supervisor's stop is an ordinary end.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    environ = os.environ if gtp is None else {**os.environ, "PLYBOOK_GTP": gtp}
    settings = settings_from(environ)
    need_rabbitmq(settings)
    weights = weights_of(queues, hosts=bool(settings.gtp))
    configure_logs(settings.log, settings.log_level)
    worker(settings, slots or settings.slots, weights)


def weights_of(queues: str, *, hosts: bool) -> tuple[str, ...]:
    """The queues to work for: that of outside programs exactly where one is hosted."""
    weights = [name.strip() for name in queues.split(",")]
    if unknown := [name for name in weights if name not in QUEUES]:
        known = ", ".join(QUEUES)
        raise click.BadParameter(f"there is no queue {unknown[0]!r}; there are: {known}.")
    if OUTSIDE_WEIGHT in weights and not hosts:
        raise click.BadParameter(f"{OUTSIDE_WEIGHT} needs a program: --gtp COMMAND.")
    more = [OUTSIDE_WEIGHT] if hosts else []
    return tuple(dict.fromkeys([*weights, *more]))
