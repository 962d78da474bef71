"""``plybook seed``: the demo matches that come with the program."""

import click

from ops.commands.import_games import bring_in
from ops.settings import settings_from
from ops.wiring import SEEDS


@click.command("seed")
def command() -> None:
    """Bring in the demo matches; those that are here already stay as they are."""
    bring_in(settings_from(), sorted(SEEDS.glob("*/matches/*")))
