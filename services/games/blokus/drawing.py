"""Blokus to look at: the board with a tray of pieces left for each colour, and as plain text.

Colours are told by pattern, letter and place as well: blue stripes, yellow dots, red checks,
green bars.
"""

from collections.abc import Iterable, Iterator
from itertools import pairwise

from services.games.blokus import rules
from services.games.blokus.board import squares_of
from services.games.blokus.pieces import PIECES, Cell, pieces_in
from services.games.blokus.position import NOBODY, Position
from services.games.contract import Seat
from services.games.picture import (
    Area,
    Circle,
    Label,
    Line,
    Paint,
    Picture,
    Polygon,
    Rectangle,
    Shape,
)

CELL = 40
BOARD_X, BOARD_Y = 52, 24
TRAY_GAP, TRAY_WIDTH, TRAY_HEAD = 40, 380, 44
SMALL, SMALL_GAP, SMALL_ROW = 13, 11, 50

_PAINTS: dict[str, Paint] = {
    "blue": "owner-1",
    "yellow": "owner-2",
    "red": "owner-3",
    "green": "owner-4",
}


def picture(view: Position, seat: Seat | None) -> Picture:  # noqa: ARG001 - all see the same
    """The board, the pieces on it, the last one marked, and each colour's tray."""
    side = view.board.size * CELL
    return Picture(
        width=BOARD_X + side + TRAY_GAP + TRAY_WIDTH + BOARD_Y,
        height=BOARD_Y + side + BOARD_X,
        title=f"Blokus {view.ruleset.variant}",
        description=" ".join(_sentences(view)),
        shapes=(*_board(view), *_starts(view), *_pieces(view), *_trays(view)),
        asides=tuple(_asides(view)),
    )


def _board(view: Position) -> Iterator[Shape]:
    size = view.board.size
    side, right, low = size * CELL, BOARD_X + size * CELL, BOARD_Y + size * CELL
    width = right + TRAY_GAP + TRAY_WIDTH + BOARD_Y
    yield Rectangle(0, 0, width, low + BOARD_X, "ground", rounding=16)
    yield Rectangle(BOARD_X, BOARD_Y, side, side, "board", "line", 3)
    for i in range(1, size):
        yield Line(BOARD_X + i * CELL, BOARD_Y, BOARD_X + i * CELL, low, "line")
        yield Line(BOARD_X, BOARD_Y + i * CELL, right, BOARD_Y + i * CELL, "line")
    for i in range(size):
        middle = i * CELL + CELL // 2
        name = view.board.names[i * size + i]
        yield Label(BOARD_X + middle, low + 29, name[0], 20, "quiet", "middle")
        yield Label(BOARD_X - 12, low - middle + 7, name[1:], 20, "quiet", "end")


def _starts(view: Position) -> Iterator[Shape]:
    """A ring on each start square to be covered, with the colour's letter if it is its own."""
    for square, letter in _open_starts(view).items():
        x, y = _centre(view, square)
        yield Circle(x, y, 14, "none", "quiet", 3)
        if view.ruleset.corners == "fixed":
            yield Label(x, y + 7, letter, 20, "quiet", "middle", bold=True)


def _open_starts(view: Position) -> dict[int, str]:
    """The start squares still to be covered, with the letter of a colour that can."""
    free = view.board.full & ~rules.taken(view)
    return {
        square: name[0].upper()
        for colour, (name, starts) in enumerate(
            zip(view.sheet.colours, rules.start_squares(view.ruleset), strict=True)
        )
        if not view.covered[colour] and not view.done >> colour & 1
        for square in squares_of(starts & free)
    }


def _centre(view: Position, square: int) -> tuple[int, int]:
    row, column = divmod(square, view.board.size)
    x = BOARD_X + column * CELL + CELL // 2
    return x, BOARD_Y + (view.board.size - 1 - row) * CELL + CELL // 2


def _pieces(view: Position) -> Iterator[Shape]:
    low = BOARD_Y + view.board.size * CELL
    for name, masks in zip(view.sheet.colours, view.placed, strict=True):
        for mask in masks:
            cells = [divmod(square, view.board.size) for square in squares_of(mask)]
            yield from _piece(cells, _PAINTS[name], BOARD_X, low, CELL)
    for square in squares_of(_last(view)):
        x, y = _centre(view, square)
        yield Circle(x, y, 7, "halo", "mark", 3)


def _last(view: Position) -> int:
    return 0 if view.last == NOBODY else view.placed[view.last][-1]


def _piece(cells: Iterable[Cell], paint: Paint, x: int, low: int, side: int) -> Iterator[Shape]:
    """A piece with the lower left corner of cell (0, 0) at ``x``, ``low``."""
    cells = set(cells)
    edge = max(2, side // 13)
    corners = tuple((x + column * side, low - row * side) for row, column in outline(cells))
    yield Polygon(corners, paint, "outline", edge)
    for row, column in sorted(cells):
        left, top = x + column * side, low - (row + 1) * side
        if (row, column + 1) in cells:
            yield Line(left + side, top + edge, left + side, top + side - edge, "seam")
        if (row + 1, column) in cells:
            yield Line(left + edge, top, left + side - edge, top, "seam")


def outline(cells: Iterable[Cell]) -> tuple[Cell, ...]:
    """The corners of a piece in order round it, as (row, column) of the grid's lines.

    >>> outline({(0, 0), (0, 1)})
    ((0, 0), (0, 2), (1, 2), (1, 0))
    """
    edges: set[tuple[Cell, Cell]] = set()
    for row, column in sorted(cells):
        ring = ((row, column), (row, column + 1), (row + 1, column + 1), (row + 1, column))
        for start, end in pairwise((*ring, ring[0])):
            # An edge walked both ways lies inside the piece.
            edges ^= {(start, end)} if (end, start) not in edges else {(end, start)}
    return tuple(_turns(dict(edges)))


def _turns(after: dict[Cell, Cell]) -> Iterator[Cell]:
    corner = first = min(after)
    before = next(start for start, end in after.items() if end == first)
    while True:
        following = after[corner]
        straight = before[0] == following[0] or before[1] == following[1]
        if not straight:
            yield corner
        before, corner = corner, following
        if corner == first:
            return


def _asides(view: Position) -> Iterator[Area]:
    """The place of each colour's tray."""
    x = BOARD_X + view.board.size * CELL + TRAY_GAP - 14
    height = view.board.size * CELL // len(view.sheet.colours)
    for colour, name in enumerate(view.sheet.colours):
        yield Area(name, x, BOARD_Y + colour * height, TRAY_WIDTH + 14, height - 8)


def _trays(view: Position) -> Iterator[Shape]:
    for colour, area in enumerate(_asides(view)):
        name, x, y, height = area.name, area.x + 14, area.y, area.height + 8
        if colour == view.next:
            yield Rectangle(x - 14, y, TRAY_WIDTH + 14, height - 8, "board", rounding=10)
        yield Rectangle(x, y + 10, 24, 24, _PAINTS[name], "outline")
        yield Label(x + 34, y + 30, _heading(view, colour), 22, bold=True)
        yield Label(x + TRAY_WIDTH - 14, y + 30, _state(view, colour), 20, "quiet", "end")
        yield from _tray(view.left[colour], _PAINTS[name], x, y + TRAY_HEAD)


def _tray(left: int, paint: Paint, x: int, y: int) -> Iterator[Shape]:
    """The pieces left, each at its own place."""
    right, low = x, y + 3 * SMALL
    for number, piece in enumerate(PIECES):
        width = (1 + max(column for _, column in piece.cells)) * SMALL
        if right + width > x + TRAY_WIDTH - 14:
            right, low = x, low + SMALL_ROW
        if left >> number & 1:
            yield from _piece(piece.cells, paint, right, low, SMALL)
        right += width + SMALL_GAP


def _heading(view: Position, colour: int) -> str:
    owner = view.sheet.owners[colour] or "shared"
    return f"{view.sheet.colours[colour].capitalize()} ({owner})"


def _state(view: Position, colour: int) -> str:
    points = f"{rules.standing(view).parts[view.sheet.colours[colour]]:+d}"
    if colour == view.next:
        return f"to place, {points}"
    if not view.done >> colour & 1:
        return points
    if view.sheet.owners[colour] in view.out:
        return f"gave up, {points}"
    return f"done, {points}"


def _sentences(view: Position) -> Iterator[str]:
    """What is to be seen, in words."""
    names = view.sheet.colours
    yield f"Blokus {view.ruleset.variant}, corners {view.ruleset.corners}."
    if view.last != NOBODY:
        squares = view.board.text(_last(view))
        piece = PIECES[view.board.by_mask[_last(view)].piece].name
        yield f"Last: {names[view.last]} {piece} on {squares}."
    if view.next == NOBODY:
        winners = rules.standing(view).winners
        yield f"Play is over; seat {' and seat '.join(winners)} won."
    else:
        yield f"To place: {names[view.next]}, seat {view.seat_of(view.next)}."
    for colour, left in enumerate(view.left):
        pieces = " ".join(PIECES[number].name for number in pieces_in(left)) or "none"
        yield f"{_heading(view, colour)}: {_state(view, colour)}; pieces left: {pieces}."


def text(view: Position, seat: Seat | None) -> str:  # noqa: ARG001 - all see the same
    """The board in letters: one for each colour, ``*`` before the last piece's squares."""
    size, last = view.board.size, _last(view)
    letters = dict.fromkeys(_open_starts(view), "+")
    for name, covered in zip(view.sheet.colours, view.covered, strict=True):
        letters |= dict.fromkeys(squares_of(covered), name[0].upper())
    columns = "   " + "".join(f" {view.board.names[column][0]}" for column in range(size))
    lines = [columns]
    for row in reversed(range(size)):
        squares = range(row * size, (row + 1) * size)
        marks = ("*" if last >> square & 1 else " " for square in squares)
        cells = "".join(mark + letters.get(s, ".") for mark, s in zip(marks, squares, strict=True))
        lines.append(f"{row + 1:>3}{cells}")
    legend = ", ".join(f"{name[0].upper()} {name}" for name in view.sheet.colours)
    return "\n".join((*lines, columns, f"{legend}, + start, * last", *_sentences(view), ""))
