"""Blokus laid out for kernels: squares, orientations and placements as small whole numbers.

A board lies in a frame of walls, as cells of one row of ``CELLS`` bytes, so that no piece ever
looks past its edge: square ``column, row`` is cell ``(row + WALL) * STRIDE + column``, and the
``WALL`` free columns at the end of a row are also the wall left of the next one. Both boards have
the same stride; an orientation is then the same steps from its corner wherever it lies.

A placement's **code** is ``orientation << CODE_BITS | corner``, its corner being the lowest
leftmost cell of the rectangle round it (which it need not cover).
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from services.games.blokus.board import board
from services.games.blokus.pieces import PIECES, Cell, orientations

WALL = 4
STRIDE = 20 + WALL
CELLS = (20 + 2 * WALL) * STRIDE
CODE_BITS = 10
ORIENTATIONS = tuple(
    (piece, cells) for piece, shape in enumerate(PIECES) for cells in orientations(shape)
)
CODES = len(ORIENTATIONS) << CODE_BITS
SIZE_MAX = 5
OUTLINE_MAX = 12
POINTS_MAX = 8
PLACEMENTS_MAX = 30_433
"""All placements of the larger board."""

_BESIDE = ((-1, 0), (0, -1), (0, 1), (1, 0))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))


class Shapes(NamedTuple):
    """What each orientation is, as steps from its corner (backwards modulo 2**64).

    ``n_`` counts the used columns. ``cells`` it covers (the first again and again where it has
    fewer than five), ``outline`` shares an edge with it, ``points`` touch it at corners only.
    ``squares`` are the sizes of the pieces, by piece.
    """

    piece: NDArray[np.uint64]
    size: NDArray[np.int64]
    cells: NDArray[np.uint64]
    n_outline: NDArray[np.int64]
    outline: NDArray[np.uint64]
    n_points: NDArray[np.int64]
    points: NDArray[np.uint64]
    squares: NDArray[np.int64]


class Growth(NamedTuple):
    """All 414 shapes that cover one cell, each as an earlier one and one more cell.

    They stand in the order of a tree walked depth first. ``step`` is the further cell, counted
    from the one they all cover (backwards modulo 2**64); where it is barred, so are all shapes
    grown from this one, and the walk goes on at ``skip``. ``code`` is the placement's code less
    the cell, ``pieces`` the set of pieces among this shape and those grown from it.
    """

    step: NDArray[np.uint64]
    skip: NDArray[np.uint64]
    piece: NDArray[np.uint64]
    code: NDArray[np.uint64]
    pieces: NDArray[np.uint64]


def cell_of(square: int, size: int) -> int:
    """The cell of a square, numbered row by row from the bottom, of a board of this size."""
    row, column = divmod(square, size)
    return (row + WALL) * STRIDE + column


def _steps(cells: Iterator[Cell] | tuple[Cell, ...]) -> list[int]:
    return [row * STRIDE + column for row, column in cells]


def _around(cells: tuple[Cell, ...], ways: tuple[Cell, ...]) -> set[Cell]:
    return {(row + up, column + right) for row, column in cells for up, right in ways}


def _shapes() -> Shapes:
    count = len(ORIENTATIONS)
    shapes = Shapes(
        piece=np.array([piece for piece, _ in ORIENTATIONS], np.uint64),
        size=np.array([len(cells) for _, cells in ORIENTATIONS], np.int64),
        cells=np.zeros((count, SIZE_MAX), np.uint64),
        n_outline=np.zeros(count, np.int64),
        outline=np.zeros((count, OUTLINE_MAX), np.uint64),
        n_points=np.zeros(count, np.int64),
        points=np.zeros((count, POINTS_MAX), np.uint64),
        squares=np.array([piece.size for piece in PIECES], np.int64),
    )
    for number, (_, cells) in enumerate(ORIENTATIONS):
        outline = _around(cells, _BESIDE) - set(cells)
        points = _around(cells, _DIAGONAL) - set(cells) - outline
        shapes.cells[number] = (_steps(cells) + _steps(cells[:1]) * SIZE_MAX)[:SIZE_MAX]
        shapes.n_outline[number], shapes.n_points[number] = len(outline), len(points)
        shapes.outline[number, : len(outline)] = _backwards(outline)
        shapes.points[number, : len(points)] = _backwards(points)
    return shapes


def _backwards(cells: set[Cell]) -> NDArray[np.uint64]:
    """Steps in order; those that lead backwards as numbers modulo 2**64."""
    return np.array(sorted(_steps(tuple(cells))), np.int64).astype(np.uint64)


def _growth() -> Growth:
    shapes = {
        frozenset((r - row, c - column) for r, c in cells): (number, -row * STRIDE - column)
        for number, (_, cells) in enumerate(ORIENTATIONS)
        for row, column in cells
    }
    grown: dict[frozenset[Cell], list[tuple[frozenset[Cell], Cell]]] = {}
    for shape in sorted(shapes, key=sorted):
        for cell in sorted(shape, reverse=True):
            if cell != (0, 0) and shape - {cell} in shapes:
                grown.setdefault(shape - {cell}, []).append((shape, cell))
                break
    rows: list[list[int]] = []
    _walk(frozenset({(0, 0)}), (0, 0), shapes, grown, rows)
    step, skip, piece, code, pieces = np.array(rows, np.int64).T.astype(np.uint64).copy()
    return Growth(step, skip, piece, code, pieces)


def _walk(
    shape: frozenset[Cell],
    cell: Cell,
    shapes: dict[frozenset[Cell], tuple[int, int]],
    grown: dict[frozenset[Cell], list[tuple[frozenset[Cell], Cell]]],
    rows: list[list[int]],
) -> int:
    """Write the shape and all that grow from it; the set of their pieces."""
    number, corner = shapes[shape]
    piece = ORIENTATIONS[number][0]
    row = [cell[0] * STRIDE + cell[1], 0, piece, (number << CODE_BITS) + corner, 1 << piece]
    rows.append(row)
    for larger, further in grown.get(shape, ()):
        row[4] |= _walk(larger, further, shapes, grown, rows)
    row[1] = len(rows)
    return row[4]


SHAPES = _shapes()
GROWTH = _growth()


class Numbering(NamedTuple):
    """Codes and the rules' own numbers of placements (their canonical order), both ways.

    ``number`` has -1 where a code is no placement on this board.
    """

    number: NDArray[np.int64]
    code: NDArray[np.int64]


@cache
def numbering(size: int) -> Numbering:
    """The placements of the board of this size."""
    by_cells = {cells: number for number, (_, cells) in enumerate(ORIENTATIONS)}
    placements = board(size).placements
    number = np.full(CODES, -1, np.int64)
    code = np.zeros(len(placements), np.int64)
    for placement in placements:
        cells = [divmod(square, size) for square in placement.squares]
        low, left = min(row for row, _ in cells), min(column for _, column in cells)
        shape = by_cells[tuple((row - low, column - left) for row, column in cells)]
        code[placement.number] = (shape << CODE_BITS) + cell_of(low * size + left, size)
        number[code[placement.number]] = placement.number
    return Numbering(number, code)
