"""Hedgerow to look at: the board with its hedges, the players' supplies beside it, and as text.

Players are told apart by form as well as by colour: player 1 has a disc and stripes, player 2
a square and dots. Fields are tinted for the player who gains by them, with their points.
"""

from collections.abc import Iterator
from itertools import pairwise

from services.games.contract import Seat
from services.games.hedgerow import rules
from services.games.hedgerow.board import AREA, CENTRE, NAMES, SIZE
from services.games.hedgerow.notation import square_text
from services.games.hedgerow.pieces import OWNERS, SIDES, TYPES
from services.games.hedgerow.position import (
    GAMES,
    HARVESTS,
    OPTIONS,
    PLACEMENTS,
    Position,
    Score,
    seat_of,
)
from services.games.hedgerow.regions import ISOLATED, MIXED, Cell, Region, regions
from services.games.hedgerow.shapes import CELL, badge, cross, glyph, step_mark
from services.games.hedgerow.tokens import is_placement, read_path, read_placement
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

BOARD_X, BOARD_Y = 52, 24
SIDE = SIZE * CELL
LOW = BOARD_Y + SIDE
PANEL_X, PANEL_WIDTH = BOARD_X + SIDE + 36, 372
BOX, BOX_HEIGHT = 30, 168

_TINTS: dict[int, Paint] = {1: "field-1", 2: "field-2"}
_MARKED: tuple[tuple[Paint, int], ...] = (("halo", 8), ("mark", 4))
_SAMPLES = (0, 4, 10, 3, 7)
"""A glyph of each type, for the supplies."""


def picture(view: Position, seat: Seat | None) -> Picture:  # noqa: ARG001 - all see the same
    """The board, its fields once they are scored, the last move marked, and the supplies."""
    return Picture(
        width=PANEL_X + PANEL_WIDTH + BOARD_Y,
        height=LOW + BOARD_X,
        title=f"Hedgerow, game {view.game} of {GAMES}",
        description=" ".join(_sentences(view)),
        shapes=(*_board(), *_fields(view), *_grid(), *_pieces(view), *_last(view), *_panel(view)),
        board=Area("board", 0, 0, PANEL_X - 16, LOW + BOARD_X),
        asides=tuple(_asides(view)),
        spots=tuple(_spots()),
    )


def _asides(view: Position) -> Iterator[Area]:
    """The supplies, and what is said above and below them."""
    left, low = PANEL_X - 14, BOARD_Y + 48
    for owner in OWNERS:
        y = low + (owner - 1) * (BOX_HEIGHT + 12)
        yield Area(f"player {owner}", left, y - 2, PANEL_WIDTH + 4, BOX_HEIGHT + 4)
    yield Area("stage", left, BOARD_Y, PANEL_WIDTH + 4, 40)
    y = low + 2 * (BOX_HEIGHT + 12)
    yield Area("scores", left, y, PANEL_WIDTH + 4, 20 + 25 * len(tuple(_score_lines(view))))


def _spots() -> Iterator[Area]:
    """The squares."""
    for square, name in enumerate(NAMES):
        row, column = divmod(square, SIZE)
        x, y = BOARD_X + column * CELL, BOARD_Y + (SIZE - 1 - row) * CELL
        yield Area(name, x, y, CELL, CELL)


# The board


def _board() -> Iterator[Shape]:
    yield Rectangle(0, 0, PANEL_X + PANEL_WIDTH + BOARD_Y, LOW + BOARD_X, "ground", rounding=16)
    yield Rectangle(BOARD_X, BOARD_Y, SIDE, SIDE, "board")
    for i in range(SIZE):
        middle, name = i * CELL + CELL // 2, NAMES[i * SIZE + i]
        yield Label(BOARD_X + middle, LOW + 29, name[0], 20, "quiet", "middle")
        yield Label(BOARD_X - 14, LOW - middle + 7, name[1], 20, "quiet", "end")


def _grid() -> Iterator[Shape]:
    for i in range(1, SIZE):
        at = i * CELL
        yield Line(BOARD_X + at, BOARD_Y, BOARD_X + at, LOW, "line")
        yield Line(BOARD_X, BOARD_Y + at, BOARD_X + SIDE, BOARD_Y + at, "line")
    yield Rectangle(BOARD_X, BOARD_Y, SIDE, SIDE, "none", "line", 3)


def _corner(square: int) -> tuple[int, int]:
    """The upper left corner of a square."""
    row, column = divmod(square, SIZE)
    return BOARD_X + column * CELL, LOW - (row + 1) * CELL


def _middle(square: int) -> tuple[int, int]:
    x, y = _corner(square)
    return x + CELL // 2, y + CELL // 2


def _fields(view: Position) -> Iterator[Shape]:
    """Each region that scores, tinted for the player it gives points to."""
    for region in _scoring(view):
        for cell in region.cells if region.points else ():
            yield _cell(cell, _TINTS[1 if region.points > 0 else 2])


def _scoring(view: Position) -> Iterator[Region]:
    """The isolated and the mixed regions, once the board is full."""
    if not view.is_placing:
        for region in regions(view.board, view.ruleset.cross_presence):
            if region.kind in (ISOLATED, MIXED):
                yield region


def _cell(cell: Cell, paint: Paint) -> Shape:
    square, part = cell
    x, y = _corner(square)
    if not part:
        return Rectangle(x, y, CELL, CELL, paint)
    ring = ((x, y), (x + CELL, y), (x + CELL, y + CELL), (x, y + CELL), (x, y))
    edges = dict(zip(SIDES.values(), pairwise(ring), strict=True))
    return Polygon((*edges[part], _middle(square)), paint)


def _pieces(view: Position) -> Iterator[Shape]:
    if not view.standing & 1 << CENTRE and not view.turns:
        yield Circle(*_middle(CENTRE), 6, "quiet")
    for square in range(AREA):
        code = view.board[square]
        if view.standing >> square & 1:
            draw = glyph if code & 15 else cross
            yield from draw(*_corner(square), CELL, code)
        elif code:
            yield Circle(*_middle(square), 4, "none", "quiet")
    for region in _scoring(view):
        yield _points(view, region)


def _points(view: Position, region: Region) -> Shape:
    """A region's points at the foot of its first square, where no triangle lies."""
    x, y = _corner(region.squares[0])
    points, low = f"{region.points:+d}", y + CELL - 11
    if view.board[region.squares[0]] & 15 == SIDES["S"] | SIDES["W"]:
        return Label(x + CELL - 10, low, points, 13, anchor="end", bold=True)
    return Label(x + 10, low, points, 13, bold=True)


def _last(view: Position) -> Iterator[Shape]:
    if not view.last:
        return
    if is_placement(view.last):
        x, y = _corner(read_placement(view.last)[0])
        for paint, width in _MARKED:
            yield Rectangle(x + 10, y + 10, CELL - 20, CELL - 20, "none", paint, width, 6)
        return
    middles = [_middle(square) for square in read_path(view.last)]
    for paint, width in _MARKED:
        for (x1, y1), (x2, y2) in pairwise(middles):
            yield Line(x1, y1, x2, y2, paint, width)
    for number, (x, y) in enumerate(middles, start=1):
        yield from step_mark(x, y, str(number))


# The panel beside it


def _panel(view: Position) -> Iterator[Shape]:
    yield Label(PANEL_X, BOARD_Y + 24, _stage(view), 20, bold=True)
    for owner in OWNERS:
        y = BOARD_Y + 48 + (owner - 1) * (BOX_HEIGHT + 12)
        turn = not view.over and owner == view.mover
        fill: Paint = "board" if turn else "ground"
        yield Rectangle(PANEL_X - 12, y, PANEL_WIDTH, BOX_HEIGHT, fill, "line", rounding=10)
        yield from badge(PANEL_X + 14, y + 26, owner)
        yield Label(PANEL_X + 38, y + 33, _heading(view, owner), 20, bold=True)
        yield Label(PANEL_X + PANEL_WIDTH - 26, y + 33, _state(view, owner), 18, "quiet", "end")
        yield from _supply(view, owner, PANEL_X + 4, y + 62)
    y = BOARD_Y + 48 + 2 * (BOX_HEIGHT + 12) + 24
    for number, line in enumerate(_score_lines(view)):
        yield Label(PANEL_X, y + number * 25, line, 16, "quiet" if number % 2 else "text")


def _supply(view: Position, owner: int, x: int, y: int) -> Iterator[Shape]:
    """A small piece of each type, and how many of them are left."""
    for kind, count in enumerate(view.left(owner)):
        left = x + kind * 70
        yield Rectangle(left, y, BOX * 2 - 10, BOX * 2 - 10, "board", "line")
        draw = cross if not kind else glyph
        yield from draw(left, y, BOX * 2 - 10, owner << 4 | _SAMPLES[kind])
        yield Label(left + BOX - 5, y + BOX * 2 + 18, str(count), 20, anchor="middle", bold=True)


# In words


def _stage(view: Position) -> str:
    if view.over:
        return "The match is over"
    if view.is_placing:
        return f"Game {view.game} of {GAMES}, placement {view.turns + 1} of {PLACEMENTS}"
    return f"Game {view.game} of {GAMES}, harvest {view.turns - PLACEMENTS + 1} of {HARVESTS}"


def _heading(view: Position, owner: int) -> str:
    return f"Player {owner} ({view.seat_of(owner)})"


def _state(view: Position, owner: int) -> str:
    if view.loser == view.seat_of(owner):
        return "stuck" if view.scores[-1].stuck else "gave up"
    if view.over or owner != view.mover:
        return ""
    return "to place" if view.is_placing else "to harvest"


def _score_lines(view: Position) -> Iterator[str]:
    """Two lines for each game, and one for the match."""
    for game, score in enumerate(view.scores, start=1):
        yield f"Game {game}: {score.net:+d} for {seat_of(view.ruleset, game, 1)}, player 1"
        yield _score_text(score)
    yield f"Finished games: {view.total:+d} for A"


def _score_text(score: Score) -> str:
    if score.stuck:
        return f"player {score.stuck} stuck"
    parts = f"regions {score.regions:+d}, isolation {score.isolation:+d}"
    return f"{parts}, harvest {score.harvest:+d}"


def _sentences(view: Position) -> Iterator[str]:
    """What is to be seen, in words."""
    yield f"{_stage(view)}."
    for option, (usual, *_) in OPTIONS.items():
        if (value := getattr(view.ruleset, option)) != usual:
            yield f"Option {option}: {value}."
    if view.last:
        verb = "placed" if is_placement(view.last) else "harvested"
        yield f"Last: player {3 - view.mover} {verb} {view.last}."
    if view.over:
        yield f"Won by {' and '.join(rules.winners(view))}."
    for owner in OWNERS:
        state = _state(view, owner)
        left = ", ".join(f"{n} {kind}" for n, kind in zip(view.left(owner), TYPES, strict=True))
        yield f"{_heading(view, owner)}{state and ', ' + state}: left {left}."
    yield f"{'; '.join(_score_lines(view))}."
    if fields := [f"{r.name} {r.kind} {r.points:+d}" for r in _scoring(view)]:
        yield f"Regions, for player 1: {'; '.join(fields)}."


def text(view: Position, seat: Seat | None) -> str:  # noqa: ARG001 - all see the same
    """The board in letters: owner and solid sides (X: Cross Zero), the last move marked by *."""
    marks: dict[int, str] = {}
    if view.last and is_placement(view.last):
        marks[read_placement(view.last)[0]] = "*"
    elif view.last:
        marks = {square: f"*{n}" for n, square in enumerate(read_path(view.last), start=1)}
    columns = "  " + "".join(f"  {NAMES[column][0]:<4}" for column in range(SIZE)).rstrip()
    lines = [columns]
    for row in reversed(range(SIZE)):
        cells = [_cell_text(view, row * SIZE + i, marks) for i in range(SIZE)]
        lines.append(f"{row + 1} {''.join(cells)}".rstrip())
    legend = "1, 2 player, then solid sides; X Cross Zero, . empty, * last move, *1 *2 its path"
    return "\n".join((*lines, columns, legend, *_sentences(view), ""))


def _cell_text(view: Position, square: int, marks: dict[int, str]) -> str:
    mark = marks.get(square, "")
    if not view.standing >> square & 1:
        return f" {mark or '.':<5}"
    return f"{mark or ' '}{square_text(view, square):<5}"
