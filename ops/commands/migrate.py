"""``plybook migrate``: brings the database to what this program needs."""

import click

from events.migrations import NewerDatabase, upgrade
from ops.folder_lock import held_for
from ops.refused import Refused
from ops.settings import settings_from
from ops.wiring import record
from services.projections.catching_up import CATCHING_UP
from services.projections.inline import INLINE_TABLES


@click.command("migrate")
def command() -> None:
    """Create or change the tables of the log's database (the embedded server does it itself)."""
    settings = settings_from()
    with held_for(settings), record(settings) as opened:
        try:
            upgraded = upgrade(opened.store, INLINE_TABLES, CATCHING_UP)
        except NewerDatabase as newer:
            raise Refused(f"This program is too old: {newer}.") from None
    for sentence in upgraded.done:
        click.echo(f"done: {sentence}")
    for sentence in upgraded.left:
        click.echo(f"left: {sentence}")
    if not upgraded.done and not upgraded.left:
        click.echo("The database is ready.")
