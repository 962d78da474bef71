"""A stone to look at: Blue's are round and striped, Red's square and checked.

Sides are those of the drawing: up, right, down, left. Sizes are in the drawing's units, and a
stone is drawn in a cell of the size given.
"""

from collections.abc import Iterator

import msgspec

from services.games.caltrop.board import BLUE, Board, as_it_lies
from services.games.caltrop.position import Game
from services.games.caltrop.stones import KING, LOU, Sides, Stone
from services.games.picture import Circle, Label, Line, Paint, Polygon, Rectangle, Shape

PAINTS: tuple[Paint, Paint] = ("owner-1", "owner-3")
"""By colour: blue stripes, red checks."""

_OUTWARD = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Steps right and down that lead up, right, down, left."""


class Figure(msgspec.Struct, frozen=True):
    """What is to be seen of a stone: its colour now, its spikes as drawn, its name and marks.

    ``faded`` of the ``sides`` are spikes that a dry run tells to be gone: they are hollow.
    """

    colour: int
    sides: Sides
    name: str
    special: str = ""
    poisoned: bool = False
    spent: bool = False
    faded: Sides = (0, 0, 0, 0)


def as_seen(sides: Sides, viewer: int) -> Sides:
    """North, east, south, west as up, right, down, left of whoever plays this colour.

    >>> as_seen((1, 2, 3, 4), BLUE), as_seen((1, 2, 3, 4), 1)
    ((1, 2, 3, 4), (3, 4, 1, 2))
    """
    return as_it_lies(sides, viewer)


def on_board(game: Game, number: int, viewer: int) -> tuple[int, Figure]:
    """The square and the figure of the stone that the ``number``-th move (from 0) placed."""
    _, stone, square = game.placed_by(number)
    board: Board = game.board
    north, east, south, west = board.spikes[4 * square : 4 * square + 4]
    return square, Figure(
        colour=board.owners[square],
        sides=as_seen((north, east, south, west), viewer),
        name=stone.text,
        special=board.codes[square],
        poisoned=bool(board.poisoned >> square & 1),
        spent=bool(board.spent >> square & 1),
    )


def in_hand(stone: Stone, colour: int, viewer: int) -> Figure:
    """A stone in the hand, lying as it would be placed."""
    sides = as_seen(as_it_lies(stone.sides, colour), viewer)
    return Figure(colour, sides, stone.text, stone.special)


def shapes(figure: Figure, x: int, y: int, cell: int) -> Iterator[Shape]:
    """The figure round the middle ``x``, ``y`` of its cell; spikes reach to the cell's edge."""
    body = cell * 30 // 100
    for spikes, faded, outward in zip(figure.sides, figure.faded, _OUTWARD, strict=True):
        yield from _spikes(spikes, faded, outward, (x, y), cell)
    if figure.special == KING:
        yield from _shields(x, y, cell)
    yield plain_body(figure.colour, x, y, body)
    size = cell * 17 // 100
    width = max(2, len(figure.name)) * size * 72 // 100 + size // 2
    yield Rectangle(
        x - width // 2, y - size * 7 // 10, width, size * 14 // 10, "halo", "outline", 1, 4
    )
    yield Label(x, y + size * 4 // 10, figure.name, size, "mark", "middle", bold=True)
    yield from _marks(figure, x, y, cell)


def plain_body(colour: int, x: int, y: int, radius: int) -> Shape:
    """The body of a stone without anything on it."""
    if colour == BLUE:
        return Circle(x, y, radius, PAINTS[colour], "outline")
    return Rectangle(
        x - radius, y - radius, 2 * radius, 2 * radius, PAINTS[colour], "outline", rounding=3
    )


def _spikes(
    number: int, faded: int, outward: tuple[int, int], middle: tuple[int, int], cell: int
) -> Iterator[Shape]:
    """So many spikes in a row on one side, the row centred; the last ``faded`` are hollow."""
    (right, down), (x, y) = outward, middle
    root, tip, half = cell * 20 // 100, cell * 47 // 100, cell * 5 // 100
    for place in range(number):
        along = (2 * place - number + 1) * half
        base = [(root, along - half), (root, along + half), (tip, along)]
        corners = tuple((x + out * right - a * down, y + out * down + a * right) for out, a in base)
        if place < number - faded:
            yield Polygon(corners, "text", "halo", 1)
        else:
            yield Polygon(corners, "ground", "quiet", 2)


def _shields(x: int, y: int, cell: int) -> Iterator[Shape]:
    """King Kobe's golden shields, one on each side."""
    near, thick, half = cell * 33 // 100, cell * 9 // 100, cell * 25 // 100
    for right, down in _OUTWARD:
        left = x + right * near - (half if down else thick * (right < 0))
        top = y + down * near - (half if right else thick * (down < 0))
        width, height = (2 * half, thick) if down else (thick, 2 * half)
        yield Rectangle(left, top, width, height, "owner-2", "outline", rounding=3)


def _marks(figure: Figure, x: int, y: int, cell: int) -> Iterator[Shape]:
    """Poison is a star on green at the lower right; luck a club at the lower left."""
    off, radius, size = cell * 27 // 100, cell * 9 // 100, cell * 15 // 100
    if figure.poisoned:
        yield Circle(x + off, y + off, radius, "owner-4", "outline")
        yield Label(x + off, y + off + size * 6 // 10, "*", size * 14 // 10, "mark", "middle", True)
    if figure.special == LOU:
        yield Circle(x - off, y + off, radius, "halo", "outline")
        yield Label(x - off, y + off + size * 4 // 10, "♣", size, "mark", "middle")
        if figure.spent:
            edge = radius * 9 // 10
            yield Line(x - off - edge, y + off + edge, x - off + edge, y + off - edge, "mark", 3)
