"""A match as a file for others, and the promise that it reads back as the same game."""

from services.formats.draft import Notes
from services.formats.errors import FormatError
from services.formats.judge import Refused, judge
from services.formats.known import FORMATS
from services.match.state import MatchState


def format_names(state: MatchState) -> tuple[str, ...]:
    """The formats that can be asked for, for a match of this game."""
    return tuple(name for name, known in FORMATS.items() if known.game == state.the_game.rules.slug)


def export_match(state: MatchState, format_name: str, notes: Notes) -> str:
    """The line that stands, as text.

    What a format cannot hold is refused (``cannot-export``) and never written otherwise: the
    text is read back and judged, and has to give the same moves from the same start. So a
    match with a first piece in another corner than Pentobi's is no ``.blksgf``, and a match in
    which a seat gave up and others went on is in no format yet.
    """
    if format_name not in format_names(state):
        names = ", ".join(format_names(state))
        raise FormatError("unknown-format", f"{format_name!r} is not one of: {names}.")
    if state.start is None:
        raise FormatError("cannot-export", "The match has not started: there is nothing to write.")
    text = FORMATS[format_name].write(state, notes)
    again = judge(text.encode(), state.match)[0]
    if isinstance(again, Refused):
        raise FormatError(
            "cannot-export",
            f"This match does not fit the format {format_name}: {again.sentence}",
            node=again.node,
        )
    moves = tuple(ply.move for ply in state.line)
    assert again.command.moves == moves, "what is written reads back"
    return text
