"""Blokus between ``.blksgf`` and a match: start positions, corners, whose colour it is."""

from collections.abc import Iterator

from services.formats import blksgf
from services.formats.draft import Claimed, Draft, Format, Notes
from services.formats.errors import FormatError
from services.games.blokus import notation, rules
from services.games.blokus.position import Position, Ruleset
from services.games.contract import BadText
from services.match.state import MatchState

PENTOBI_CORNERS = "fixed"
"""Pentobi starts every colour in its own corner; its files cannot say anything else."""


def read(text: str) -> Iterator[Draft | FormatError]:
    """A draft for each game of a ``.blksgf`` text, or what is wrong with it."""
    for number, game in enumerate(blksgf.read(text), start=1):
        yield game if isinstance(game, FormatError) else _draft(number, game)


def _draft(number: int, game: blksgf.Game) -> Draft | FormatError:
    ruleset = Ruleset(game.variant, PENTOBI_CORNERS)
    pieces = tuple((placed.who, placed.move) for placed in game.setup)
    try:
        start = start_text(ruleset, pieces, game.to_play or ruleset.sheet.colours[0])
    except BadText as error:
        return FormatError("bad-setup", f"Game {number}, node 1: {error}", game=number, node=1)
    return Draft(
        game=rules.slug,
        ruleset=rules.ruleset_data(ruleset),
        start=start,
        moves=game.moves,
        notes=game.notes,
        left_out=game.left_out,
    )


def start_text(ruleset: Ruleset, pieces: tuple[tuple[str, str], ...], to_place: str) -> str:
    """The text of a position set up from (colour, squares); empty if it is the usual start.

    One setting has one text: a colour that is named to place and cannot is simply not the one.
    """
    first = rules.arrange(ruleset, pieces, to_place)
    start = rules.arrange(ruleset, pieces, rules.colour_to_place(first) or to_place)
    return "" if start == rules.setup(ruleset) else notation.format_position(start)


def pieces_of(position: Position) -> tuple[tuple[str, str], ...]:
    """The pieces on the board as (colour, squares), each colour's in the order of placing."""
    return tuple(
        (colour, position.board.by_mask[mask].text)
        for colour, placed in zip(position.sheet.colours, position.placed, strict=True)
        for mask in placed
    )


def movers_of(state: MatchState) -> Iterator[tuple[str, str]]:
    """The line that stands as (colour that placed, squares)."""
    for ply in state.line:
        position: Position = ply.position
        yield position.sheet.colours[position.last], ply.move


def write(state: MatchState, notes: Notes) -> str:
    """The line that stands as ``.blksgf``."""
    start: Position = state.start
    set_up = start != rules.setup(start.ruleset)
    moves = enumerate(movers_of(state), start=2)
    game = blksgf.Game(
        variant=start.ruleset.variant,
        moves=tuple(Claimed(node, colour, move) for node, (colour, move) in moves),
        setup=tuple(Claimed(1, colour, piece) for colour, piece in pieces_of(start)),
        to_play=(rules.colour_to_place(start) or "") if set_up else "",
        notes=notes,
    )
    return blksgf.write(game)


BLKSGF = Format("blksgf", rules.slug, "node", read, write, rules.colour_to_place)
