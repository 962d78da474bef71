"""A Blokus engine that searches: playouts in a tree, led by learned priors.

``budget`` counts placements made in playouts, so that a move takes about as long at any stage of
the game; ``noise`` is not used. The answer is the move most playouts went to.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from services.games.blokus import notation, rules
from services.games.blokus.position import NOBODY, Position
from workers.engines.blokus_positions import sheet_of, state_of
from workers.engines.blokus_priors import weights
from workers.engines.contract import Answer, Question
from workers.engines.kernels import blokus_search as kernel
from workers.engines.kernels.blokus import COLOURS_MAX, refresh
from workers.engines.kernels.blokus_geometry import GROWTH, SHAPES, numbering
from workers.engines.kernels.blokus_search import Book, Desk, Style
from workers.engines.kernels.chance import seeded
from workers.engines.kernels.tree import ROOT, favourite

NAME = "blokus-search"
VERSION = 1

STYLE = Style(
    explore=1.0,
    bias=0.02,
    unseen=0.1,
    width=60,
    root_width=200,
    margin=0.2,
    margin_scale=20.0,
)
SIZE_WEIGHT = 5
"""For each square of a piece, how many times more often playouts draw it."""
ROWS_MAX = 1_000_000


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if position.next == NOBODY or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    desk, placed = searched(position, question.seed, question.budget)
    code = int(desk.tree.move[favourite(desk.tree)]) & kernel.CODE
    return Answer(text_of(position, code), nodes=placed)


def searched(
    position: Position, seed: int, budget: int, style: Style = STYLE, book: Book | None = None
) -> tuple[Desk, int]:
    """The desk after a search of a position, and how many pieces its playouts placed."""
    sheet, state = sheet_of(position.ruleset, position.out, draw_weights()), state_of(position)
    for colour in range(COLOURS_MAX):
        if not state.done[colour]:
            refresh(state, SHAPES, GROWTH, colour)
    rows = min(budget, ROWS_MAX) + style.root_width + style.width
    desk = kernel.new_desk(rows, seeded(seed))
    book = book or book_of(position.board.size)
    _, placed = kernel.search(state, sheet, book, style, desk, budget)
    return desk, placed


def visits_of(desk: Desk) -> dict[int, int]:
    """How many playouts of a search each move got, by its code, in the tree's order."""
    tree, first = desk.tree, desk.tree.first_child[ROOT]
    rows = range(first, first + tree.n_children[ROOT])
    return {int(tree.move[row]) & kernel.CODE: int(tree.visits[row]) for row in rows}


def text_of(position: Position, code: int) -> str:
    """The text of the placement of this code."""
    number = int(numbering(position.board.size).number[code])
    return position.board.placements[number].text


@cache
def book_of(size: int) -> Book:
    """What a search on the board of this size looks up."""
    return Book(SHAPES, GROWTH, weights(size), odds())


@cache
def odds() -> NDArray[np.float64]:
    """How likely a move is by how many hundredths its score is lower: 0.99 to that power."""
    table = np.ones(kernel.ODDS_STEPS)
    for step in range(1, kernel.ODDS_STEPS):
        table[step] = table[step - 1] * 0.99
    return table


@cache
def draw_weights() -> NDArray[np.int64]:
    """By orientation: how often playouts draw it."""
    return np.array([SIZE_WEIGHT**size for size in SHAPES.size.tolist()], np.int64)


def warm() -> None:
    """Compile what ``choose`` needs: a search of the smallest board."""
    searched(rules.setup(rules.ruleset({"variant": "duo"})), seed=0, budget=30)
