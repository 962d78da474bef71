"""``plybook migrate``: brings the database to what this program needs."""

import click

from ops.folder_lock import held_for
from ops.settings import settings_from
from ops.wiring import migrated, record


@click.command("migrate")
def command() -> None:
    """Create or change the tables of the log's database (the embedded server does it itself)."""
    settings = settings_from()
    with held_for(settings), record(settings) as opened:
        upgraded = migrated(opened.store)
    for sentence in upgraded.done:
        click.echo(f"done: {sentence}")
    for sentence in upgraded.left:
        click.echo(f"left: {sentence}")
    if not upgraded.done and not upgraded.left:
        click.echo("The database is ready.")
