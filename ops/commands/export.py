"""``plybook export``: a match as a file for others."""

from pathlib import Path

import click

from ops.reading import match_at, reading
from ops.refused import Refused
from ops.settings import settings_from
from services.formats.errors import FormatError
from services.formats.exporting import export_match, format_names
from services.formats.importing import notes_of
from services.formats.known import RECORDS
from services.match.state import MatchState

OWN = "record"


@click.command("export")
@click.argument("match")
@click.option(
    "--format",
    "format_name",
    default=OWN,
    show_default=True,
    help="`record` is Plybook's own; `blksgf` is read by Pentobi.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    help="A file that does not exist yet (the terminal).",
)
def command(match: str, format_name: str, output: Path | None) -> None:
    """Write the line of MATCH that stands, as text."""
    with reading(settings_from()) as opened:
        state = match_at(opened.log, match)
        try:
            text = export_match(state, _name(state, format_name), notes_of(opened.store, match))
        except FormatError as error:
            raise Refused(error.sentence) from None
    if output is None:
        click.echo(text, nl=False)
        return
    try:
        with output.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise Refused(f"{output} is not written: {error.strerror}.") from None


def _name(state: MatchState, asked: str) -> str:
    """Our own record has another name in each game."""
    own = [name for name in format_names(state) if name in RECORDS]
    return own[0] if asked == OWN and own else asked
