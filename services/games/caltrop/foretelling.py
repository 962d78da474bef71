"""The dry run to look at (sheet §10): what would turn, what would be lost, what would break.

Yellow squares have dots and a plus, red ones a lattice and a minus, spikes that would be gone
are hollow: each can be told from the others without its colour.
"""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from services.games.caltrop.board import NAMES, NUMBERS
from services.games.caltrop.drawing import CELL, middle, picture, stone_shapes
from services.games.caltrop.figures import Figure, as_seen, in_hand, on_board
from services.games.caltrop.moves import read_move
from services.games.caltrop.position import Game, Position
from services.games.caltrop.preview import SIDE_NAMES, Faded, Preview, preview
from services.games.caltrop.words import viewer_of, who
from services.games.contract import Foretold, Seat
from services.games.picture import Circle, Label, Paint, Rectangle, Shape


def foretell(view: Position, move: str, seat: Seat | None) -> Foretold:
    """The board of now with the new stone on it, and what would come of it marked."""
    _, square = read_move(move)
    dry = preview(view, move)
    sentence = " ".join(_sentences(view, NAMES[square], dry))
    now = picture(view, seat)
    marked = _squares(view.game, move, dry, viewer_of(view, seat, len(view.games)))
    return Foretold(
        marks={
            "yellow": dry.yellow,
            "red": dry.red,
            "faded": tuple(f"{one.square} {one.side} {one.spikes}" for one in dry.faded),
        },
        sentence=sentence,
        picture=replace(now, description=sentence, shapes=(*now.shapes, *marked)),
    )


# In words


def _sentences(view: Position, new: str, dry: Preview) -> Iterator[str]:
    number, mover = len(view.games), view.game.next
    for colour, squares, sign in (
        (mover, dry.yellow, "yellow, +"),
        (1 - mover, dry.red, "red, \u2212"),
    ):
        if squares:
            taken = [f"the new stone on {new}" if name == new else name for name in squares]
            yield f"{who(view, colour, number)} would take {_listed(taken)} ({sign})."
    if not (dry.yellow or dry.red):
        yield "No stone would change hands."
    if dry.faded:
        yield f"Spikes that would be gone (hollow): {'; '.join(_losses(dry.faded))}."


def _losses(faded: Sequence[Faded]) -> Iterator[str]:
    """A square with its sides each: ``b2 north 2, east 1``."""
    for square in dict.fromkeys(one.square for one in faded):
        sides = (f"{one.side} {one.spikes}" for one in faded if one.square == square)
        yield f"{square} {', '.join(sides)}"


def _listed(items: Sequence[str]) -> str:
    *most, last = items
    return f"{', '.join(most)} and {last}" if most else last


# On the board


def _squares(game: Game, move: str, dry: Preview, viewer: int) -> Iterator[Shape]:
    """Every square with something to tell, painted over the board of now."""
    slot, new = read_move(move)
    told = {NUMBERS[name] for name in (*dry.yellow, *dry.red, *(one.square for one in dry.faded))}
    last = len(game.moves) - 1
    for number in range(len(game.moves)):
        square, figure = on_board(game, number, viewer)
        if square in told:
            yield from _square(square, figure, dry, viewer, is_last=number == last)
    stone = in_hand(game.decks[game.next][slot], game.next, viewer)
    yield from _square(new, stone, dry, viewer, is_new=True)


def _square(
    square: int,
    figure: Figure,
    dry: Preview,
    viewer: int,
    *,
    is_last: bool = False,
    is_new: bool = False,
) -> Iterator[Shape]:
    name, (x, y) = NAMES[square], middle(square, viewer)
    lost = {one.side: one.spikes for one in dry.faded if one.square == name}
    north, east, south, west = (lost.get(side, 0) for side in SIDE_NAMES)
    figure = replace(figure, faded=as_seen((north, east, south, west), viewer))
    ground, badge = _marks_of(name, dry)
    half = CELL // 2 - 2
    edge: Paint = "quiet" if is_new else "none"
    yield Rectangle(x - half, y - half, 2 * half, 2 * half, ground, edge, 4)
    yield from stone_shapes(figure, (x, y), last=is_last)
    if badge:
        yield from _badge(*badge, x - CELL // 2 + 22, y - CELL // 2 + 22)


def _marks_of(name: str, dry: Preview) -> tuple[Paint, tuple[Paint, str] | None]:
    """The ground of a square, and its badge if it has one: a paint and a sign."""
    if name in dry.yellow:
        return "field-2", ("owner-2", "+")
    if name in dry.red:
        return "field-3", ("owner-3", "\u2212")
    return "board", None


def _badge(paint: Paint, sign: str, x: int, y: int) -> Iterator[Shape]:
    yield Circle(x, y, 17, paint, "outline", 2)
    yield Circle(x, y, 12, "halo")
    yield Label(x, y + 9, sign, 26, "mark", "middle", bold=True)
