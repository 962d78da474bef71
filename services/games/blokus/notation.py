"""Blokus as text: moves are lists of squares (sheet §2), a position is one whole line.

A position line names everything a position holds, e.g. (shortened)::

    blokus duo corners=fixed next=green last=blue shares=0 done=- out=- blue=e9,e10 green=-

Pieces of a colour stand in the order of placing, with ``/`` between them; ``-`` is nothing.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from services.games.blokus.board import Board, Placement
from services.games.blokus.position import (
    NOBODY,
    SHARED,
    VARIANTS,
    Position,
    Ruleset,
    Variant,
    empty,
    put,
)
from services.games.contract import BadText
from services.games.notation import is_square

POSITION_CHARS_MAX = 2_500
"""More than any position needs: 356 squares at four characters, and the names."""

_FIELDS = ("corners", "next", "last", "shares", "done", "out")


class BadMove(BadText):
    """A move that is no piece on the board; ``code`` is the sheet's reason (§3)."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def read_placement(board: Board, move: str) -> Placement:
    """The placement a move names; ``BadMove`` with the first reason that applies."""
    if placement := board.by_text.get(move) or board.by_mask.get(read_squares(board, move)):
        return placement
    raise BadMove("not-a-piece", "The squares do not form one of the 21 pieces.")


def read_squares(board: Board, move: str) -> int:
    """The squares of a move as a set; ``BadMove`` with the first reason that applies."""
    names = move.split(",")
    if not all(map(is_square, names)):
        raise BadMove("notation", "A move is a list of squares like f9,e10,f10, no blanks.")
    names = [name.lower() for name in names]
    if len(set(names)) < len(names):
        raise BadMove("duplicate-square", "A square is named twice.")
    for name in names:
        if name not in board.squares:
            sentence = f"{name[:8]} is not on the board: a1 to {board.names[-1]}."
            raise BadMove("off-board", sentence)
    return sum(1 << board.squares[name] for name in names)


def canonical(position: Position, move: str) -> str:
    """The squares of a move row by row from the bottom, then by column, in lower case."""
    return read_placement(position.board, move).text


def format_position(position: Position) -> str:
    """The position as one line; see the module's own words for its shape."""
    return " ".join(("blokus", position.ruleset.variant, *_format_fields(position)))


def _format_fields(position: Position) -> Iterator[str]:
    names, board = position.sheet.colours, position.board
    done = [name for colour, name in enumerate(names) if position.done >> colour & 1]
    yield f"corners={position.ruleset.corners}"
    yield f"next={_colour_name(names, position.next)}"
    yield f"last={_colour_name(names, position.last)}"
    yield f"shares={position.shares}"
    yield f"done={','.join(done) or '-'}"
    yield f"out={','.join(position.out) or '-'}"
    for name, pieces in zip(names, position.placed, strict=True):
        yield f"{name}={'/'.join(board.by_mask[mask].text for mask in pieces) or '-'}"


def _colour_name(names: tuple[str, ...], colour: int) -> str:
    return "-" if colour == NOBODY else names[colour]


def parse_position(text: str) -> Position:
    """The position of a line; it has to be spelled exactly as ``format_position`` spells it."""
    if len(text) > POSITION_CHARS_MAX:
        raise BadText(f"A position line has at most {POSITION_CHARS_MAX} characters.")
    head, variant, *rest = [*text.split(" "), "", ""]
    if head != "blokus" or variant not in VARIANTS:
        raise BadText(f"A position line begins with blokus and one of {', '.join(VARIANTS)}.")
    sheet = VARIANTS[variant]
    names = _FIELDS + sheet.colours
    fields = dict(field.partition("=")[::2] for field in rest if field)
    if tuple(fields) != names:
        raise BadText(f"After the variant stand {', '.join(names)}, each once.")
    position = replace(
        _with_pieces(empty(Ruleset(variant, fields["corners"])), fields),
        next=_colour(sheet, fields["next"]),
        last=_colour(sheet, fields["last"]),
        shares=_number(fields["shares"]),
        done=sum({1 << sheet.number(name) for name in _items(fields["done"])}),
        out=_items(fields["out"]),
    )
    _check(position)
    if format_position(position) != text:
        raise BadText(f"This position is spelled: {format_position(position)}")
    return position


def _items(text: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(","))


def _colour(sheet: Variant, name: str) -> int:
    return NOBODY if name == "-" else sheet.number(name)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) <= 2):
        raise BadText("shares is a number of at most two digits.")
    return int(text)


def _with_pieces(position: Position, fields: dict[str, str]) -> Position:
    board = position.board
    for colour, name in enumerate(position.sheet.colours):
        for text in () if fields[name] == "-" else fields[name].split("/"):
            placement = board.by_text.get(text)
            if placement is None:
                raise BadText(f"{name}: {text[:40]!r} is no piece in its canonical spelling.")
            if not position.left[colour] >> placement.piece & 1:
                raise BadText(f"{name}: the piece on {text} is used already.")
            if any(covered & placement.mask for covered in position.covered):
                raise BadText(f"{name}: {text} lies on another piece.")
            position = put(position, colour, placement.mask)
    return position


def _check(position: Position) -> None:
    """The parts of the line fit together."""
    sheet, out = position.sheet, position.out
    if position.ruleset.corners not in sheet.corners:
        raise BadText(f"corners is one of {', '.join(sheet.corners)} in this variant.")
    if list(out) != sorted(set(out) & set(sheet.seat_names)) or len(out) >= sheet.seats:
        raise BadText("out lists seats that gave up, in order, and never all of them.")
    if position.shares and SHARED not in sheet.owners:
        raise BadText("shares counts the turns of a shared colour; there is none here.")
    withdrawn = sum(1 << colour for colour, seat in enumerate(sheet.owners) if seat in out)
    if withdrawn & ~position.done:
        raise BadText("The colours of a seat that gave up are done.")
    over = len(out) == sheet.seats - 1 or position.done == (1 << len(sheet.colours)) - 1
    if over != (position.next == NOBODY) or (not over and position.done >> position.next & 1):
        raise BadText("next is a colour that is not done, or - when nobody places any more.")
    if position.last != NOBODY and not position.placed[position.last]:
        raise BadText("last is a colour with a piece on the board.")
