"""Caltrop to look at: the board from a seat's own side, both hands, and the game before.

Colours are told by shape, pattern and word as well (``figures.py``). The own hand lies below,
the other one above.
"""

from collections.abc import Iterator

from services.games.caltrop import rules
from services.games.caltrop.board import BLUE, COLOURS, NAMES, SIDE, SQUARES
from services.games.caltrop.decks import SLOTS
from services.games.caltrop.figures import Figure, in_hand, on_board, plain_body, shapes
from services.games.caltrop.position import Game, Position
from services.games.caltrop.words import (
    board_text,
    hand_state,
    heading,
    result_words,
    sentences,
    viewer_of,
    who,
)
from services.games.contract import Seat
from services.games.picture import Area, Circle, Label, Line, Picture, Rectangle, Shape

CELL = 136
BOARD_X, BOARD_Y = 52, 24
BOARD = SIDE * CELL
TRAY_X, TRAY_CELL, TRAY_HEAD, TRAY_HEIGHT = BOARD_X + BOARD + 40, 106, 52, BOARD // 2
WIDTH = TRAY_X + 4 * TRAY_CELL + BOARD_Y
FOOT = 52
EARLIER_CELL = 44
EARLIER = SIDE * EARLIER_CELL + BOARD_Y


def picture(view: Position, seat: Seat | None) -> Picture:
    """The board, its last stone marked, both hands, and how an earlier game ended."""
    number = len(view.games)
    height = BOARD_Y + BOARD + FOOT + (EARLIER if number > 1 else 0)
    drawn: list[Shape] = [Rectangle(0, 0, WIDTH, height, "ground", rounding=16)]
    viewer = viewer_of(view, seat, max(number, 1))
    drawn += _grid(viewer)
    if number:
        drawn += _stones(view.game, viewer)
        drawn += _tray(view, 1 - viewer, viewer, BOARD_Y)
        drawn += _tray(view, viewer, viewer, BOARD_Y + TRAY_HEIGHT)
    else:
        drawn.append(Label(TRAY_X, BOARD_Y + 30, "Who places first is drawn first.", 22))
    if number > 1:
        drawn += _earlier(view, viewer_of(view, seat, 1))
    return Picture(
        width=WIDTH,
        height=height,
        title=heading(view),
        description=" ".join(sentences(view)),
        shapes=tuple(drawn),
        board=Area("board", 0, 0, FOOT + BOARD + BOARD_Y, BOARD_Y + BOARD + FOOT),
        asides=tuple(_asides(number)),
        spots=tuple(_spots(viewer)),
    )


def _asides(number: int) -> Iterator[Area]:
    """The hands, and the earlier game where there is one."""
    for place, name in enumerate(("other hand", "own hand")):
        y = BOARD_Y + place * TRAY_HEIGHT
        yield Area(name, TRAY_X - 10, y, 4 * TRAY_CELL + 14, TRAY_HEIGHT - 6)
    if number > 1:
        yield Area("game 1", BOARD_X - 8, BOARD_Y + BOARD + FOOT - 8, TRAY_X - BOARD_X, EARLIER)


def _spots(viewer: int) -> Iterator[Area]:
    """The squares as they lie before this viewer."""
    for square, name in enumerate(NAMES):
        x, y = middle(square, viewer)
        yield Area(name, x - CELL // 2, y - CELL // 2, CELL, CELL)


def _grid(viewer: int) -> Iterator[Shape]:
    low, right = BOARD_Y + BOARD, BOARD_X + BOARD
    yield Rectangle(BOARD_X, BOARD_Y, BOARD, BOARD, "board", "line", 3)
    for i in range(1, SIDE):
        yield Line(BOARD_X + i * CELL, BOARD_Y, BOARD_X + i * CELL, low, "line")
        yield Line(BOARD_X, BOARD_Y + i * CELL, right, BOARD_Y + i * CELL, "line")
    for i in range(SIDE):
        x, y = middle(i * SIDE + i, viewer)
        name = NAMES[i * SIDE + i]
        yield Label(x, low + 32, name[0], 22, "quiet", "middle")
        yield Label(BOARD_X - 14, y + 8, name[1], 22, "quiet", "end")


def middle(square: int, viewer: int, cell: int = CELL) -> tuple[int, int]:
    """The middle of a square of the board at its usual place, of cells of any size."""
    rank, file = divmod(square, SIDE)
    column, row = (file, SIDE - 1 - rank) if viewer == BLUE else (SIDE - 1 - file, rank)
    return BOARD_X + column * cell + cell // 2, BOARD_Y + row * cell + cell // 2


def _stones(game: Game, viewer: int) -> Iterator[Shape]:
    for number in range(len(game.moves)):
        square, figure = on_board(game, number, viewer)
        yield from stone_shapes(figure, middle(square, viewer), last=number + 1 == len(game.moves))


def stone_shapes(figure: Figure, at: tuple[int, int], *, last: bool) -> Iterator[Shape]:
    """A stone round the middle of its square; the last one placed has a frame and a dot."""
    x, y = at
    if last:
        half = CELL // 2 - 3
        yield Rectangle(x - half, y - half, 2 * half, 2 * half, "none", "text", 5, 8)
    yield from shapes(figure, x, y, CELL)
    if last:
        yield Circle(x + CELL // 2 - 18, y - CELL // 2 + 18, 7, "halo", "mark", 3)


def _tray(view: Position, colour: int, viewer: int, y: int) -> Iterator[Shape]:
    """A hand: what is left of it in two rows of four, each stone at the place of its slot."""
    game = view.game
    if rules.awaiting(view) == view.seat_of(colour, len(view.games)):
        width = 4 * TRAY_CELL + 14
        yield Rectangle(TRAY_X - 10, y, width, TRAY_HEIGHT - 6, "board", rounding=10)
    yield plain_body(colour, TRAY_X + 12, y + 22, 11)
    yield Label(TRAY_X + 32, y + 29, who(view, colour, len(view.games)), 20, bold=True)
    right = TRAY_X + 4 * TRAY_CELL - 10
    yield Label(right, y + 29, hand_state(view, colour), 20, "quiet", "end")
    for slot in range(SLOTS):
        left = TRAY_X + slot % 4 * TRAY_CELL
        top = y + TRAY_HEAD - 8 + slot // 4 * TRAY_CELL
        here = left + TRAY_CELL // 2, top + TRAY_CELL // 2
        if game.left[colour] >> slot & 1:
            figure = in_hand(game.decks[colour][slot], colour, viewer)
            yield from shapes(figure, *here, TRAY_CELL)
        else:
            yield Circle(*here, 8, "none", "line")
        yield Label(left + 6, top + 20, str(slot + 1), 18, "quiet", bold=True)


def _earlier(view: Position, viewer: int) -> Iterator[Shape]:
    """The first game as it ended, small, with its result beside it."""
    down = BOARD + FOOT
    side, game, result = SIDE * EARLIER_CELL, view.games[0], rules.results(view)[0]
    yield Rectangle(BOARD_X, BOARD_Y + down, side, side, "board", "line", 3)
    for square in range(SQUARES):
        x, y = middle(square, viewer, EARLIER_CELL)
        if game.board.owners[square] < len(COLOURS):
            yield plain_body(game.board.owners[square], x, y + down, EARLIER_CELL * 3 // 10)
    words = f"Game 1: {result_words(view, result, 1)}"
    yield Label(BOARD_X + side + 24, BOARD_Y + down + side // 2 + 8, words, 22)


def text(view: Position, seat: Seat | None) -> str:
    """The board in plain characters as the seat sees it, and what else there is in words."""
    return board_text(view, seat)
