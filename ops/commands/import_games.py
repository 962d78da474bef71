"""``plybook import``: games from files, each judged by the rules before anything is kept."""

from collections.abc import Mapping
from pathlib import Path

import click

from ops.commands.common import progress
from ops.importing import import_files, importer, need_regular
from ops.printable import printable
from ops.refused import Refused
from ops.settings import Settings, settings_from


@click.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path))
def command(files: tuple[Path, ...]) -> None:
    """Bring in FILES (.blksgf, or Plybook's own records), a line for every game.

    A file comes in whole or not at all; a game that is here already is not kept twice. Exit
    status 1 if any game was refused.
    """
    bring_in(settings_from(), {str(file): file for file in files})


def bring_in(settings: Settings, files: Mapping[str, Path]) -> None:
    """Import and say what became of each game; ``Refused`` at the end if any was."""
    need_regular(files)  # before anybody is kept waiting for the folder
    refused = total = 0
    with importer(settings) as take, progress() as bar:
        task = bar.add_task("files", total=len(files))
        for games in import_files(take, files):
            for game in games:
                click.echo(printable(game.text))
                refused += game.refused
                total += 1
            bar.advance(task)
    if refused:
        raise Refused(f"{refused} of {total} games were not taken.")
