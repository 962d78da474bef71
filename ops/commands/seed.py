"""``plybook seed``: the demo matches that come with the program."""

import click

from ops.commands.import_games import bring_in
from ops.settings import settings_from
from ops.wiring import SEEDS


@click.command("seed")
def command() -> None:
    """Bring in the demo matches; those that are here already stay as they are."""
    files = sorted(SEEDS.glob("*/matches/*"))
    bring_in(settings_from(), {str(file.relative_to(SEEDS)): file for file in files})
