"""How promising a move of Blokus looks before anything is searched: a sum over its cells.

Three maps are drawn of a position for the colour to move: what it is worth to cover a cell, to
have it beside the piece, and to have it at a corner of the piece. A move's score is the worth of
its piece and of these cells, a whole number, linear in weights that are learned from games
(``ops/dev/learn_blokus.py``, ``seeds/blokus/priors.toml``). A move whose score is a hundred less
is about e times less likely to be the best.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels.blokus import (
    BARRED,
    COLOURS_MAX,
    CONTACT,
    CORNER,
    PIECES,
    RECENT_MAX,
    Sheet,
    State,
)
from workers.engines.kernels.blokus_geometry import CELLS, CODE_BITS, STRIDE, Shapes
from workers.engines.kernels.compiling import kernel

CELL_FEATURES = (
    "newest_threat",  # covered: a contact a rival's latest piece made
    "threat",  # covered: another contact of a rival
    "next_to_threat",  # covered: free for the rival, and beside its contact
    "partners_contact",  # covered: a contact of the same seat's other colour
    "own_contact",  # covered
    "nearness",  # covered: steps from the edge of the board
    "spoilt_contact",  # beside: an own contact, barred from now on
    "along_others",  # beside: taken
    "along_wall",  # beside
    "along_threat",  # beside: a rival's contact
    "point_in_0",  # at a corner: a contact made, none of its four neighbours free
    "point_in_1",
    "point_in_2",
    "point_in_3",
    "point_in_4",
    "old_point",  # at a corner: a contact the colour has already
    "point_nearness",  # at a corner, a contact made: steps from the edge of the board
    "point_contested",  # at a corner: also free for a rival
)
FEATURES = PIECES + len(CELL_FEATURES)
"""The weights of the pieces come first."""
(
    NEWEST_THREAT,
    THREAT,
    NEXT_TO_THREAT,
    PARTNERS_CONTACT,
    OWN_CONTACT,
    NEARNESS,
    SPOILT_CONTACT,
    ALONG_OTHERS,
    ALONG_WALL,
    ALONG_THREAT,
    POINT_IN_0,
    _,
    _,
    _,
    _,
    OLD_POINT,
    POINT_NEARNESS,
    POINT_CONTESTED,
) = range(PIECES, FEATURES)

PHASES = 3
SECOND_PHASE, THIRD_PHASE = 4, 9
"""With how many own pieces on the board they begin; each phase has its own weights."""


class Maps(NamedTuple):
    """The worth of cells to a move of one colour in one position."""

    cover: NDArray[np.int64]
    beside: NDArray[np.int64]
    point: NDArray[np.int64]


def new_maps() -> Maps:
    """Maps to be drawn on."""
    return Maps(*(np.zeros(CELLS, np.int64) for _ in range(3)))


@kernel
def phase_of(state: State, colour: int) -> int:
    """The phase a colour is in."""
    placed = PIECES
    for piece in range(PIECES):
        placed -= state.left[colour] >> piece & 1
    return int(placed >= SECOND_PHASE) + int(placed >= THIRD_PHASE)


@kernel
def draw_maps(
    state: State, sheet: Sheet, weights: NDArray[np.int64], colour: int, maps: Maps
) -> None:
    """Draw the maps of a position for a colour; ``weights`` are those of its phase."""
    draw_own(state, sheet, weights, colour, maps)
    for other in range(sheet.counts[0]):
        if other == colour or state.done[other]:
            continue
        if sheet.rival[colour * COLOURS_MAX + other]:
            draw_rival(state, weights, colour, other, maps)
        elif sheet.owner[colour] == sheet.owner[other]:
            for cell in range(CELLS):
                if state.look[other * CELLS + cell] == CONTACT:
                    maps.cover[cell] += weights[PARTNERS_CONTACT]


@kernel
def draw_own(
    state: State, sheet: Sheet, weights: NDArray[np.int64], colour: int, maps: Maps
) -> None:
    """What a colour sees with its own eyes; the maps are blank before."""
    look, own = state.look, colour * CELLS
    for cell in range(CELLS):
        maps.cover[cell], maps.beside[cell], maps.point[cell] = 0, 0, 0
        what = look[own + cell]
        if sheet.nearness[cell] == 0:
            maps.beside[cell] = weights[ALONG_WALL]
        elif what == CONTACT:
            maps.cover[cell] = weights[NEARNESS] * sheet.nearness[cell] + weights[OWN_CONTACT]
            maps.beside[cell] = weights[SPOILT_CONTACT]
            maps.point[cell] = weights[OLD_POINT]
        elif what < BARRED:
            free = 0
            for step in (-STRIDE, -1, 1, STRIDE):
                free += look[own + cell + step] < BARRED
            maps.cover[cell] = weights[NEARNESS] * sheet.nearness[cell]
            maps.point[cell] = weights[POINT_IN_0 + free]
            maps.point[cell] += weights[POINT_NEARNESS] * sheet.nearness[cell]
        elif is_barred_to_all(state, sheet, cell):
            maps.beside[cell] = weights[ALONG_OTHERS]


@kernel
def is_barred_to_all(state: State, sheet: Sheet, cell: int) -> bool:
    """Whether no colour can cover a cell: as good as always because it is taken."""
    what = state.look[cell]
    for colour in range(1, sheet.counts[0]):
        what &= state.look[colour * CELLS + cell]
    return what >= BARRED


@kernel
def draw_rival(
    state: State, weights: NDArray[np.int64], colour: int, other: int, maps: Maps
) -> None:
    """What a rival and its contacts add to the maps of a colour."""
    look, own, first = state.look, colour * CELLS, other * CELLS
    for cell in range(STRIDE, CELLS - STRIDE):
        what = look[first + cell]
        if what >= BARRED or look[own + cell] >= BARRED:
            continue
        maps.point[cell] += weights[POINT_CONTESTED]
        if what == CONTACT:
            maps.cover[cell] += weights[THREAT]
            maps.beside[cell] += weights[ALONG_THREAT]
            continue
        for step in (-STRIDE, -1, 1, STRIDE):
            if look[first + cell + step] == CONTACT:
                maps.cover[cell] += weights[NEXT_TO_THREAT]
                break
    for place in range(other * RECENT_MAX, other * RECENT_MAX + state.n_recent[other]):
        cell = state.recent[place]
        if look[first + cell] == CONTACT:
            maps.cover[cell] += weights[NEWEST_THREAT] - weights[THREAT]


@kernel
def score(maps: Maps, weights: NDArray[np.int64], shapes: Shapes, code: np.int64) -> int:
    """The score of a move, the maps of its position drawn with the same weights."""
    shape, corner = np.uint64(code >> CODE_BITS), np.uint64(code & CORNER)
    total = weights[shapes.piece[shape]]
    for place in range(shapes.size[shape]):
        total += maps.cover[corner + shapes.cells[shape, place]]
    for place in range(shapes.n_outline[shape]):
        total += maps.beside[corner + shapes.outline[shape, place]]
    for place in range(shapes.n_points[shape]):
        total += maps.point[corner + shapes.points[shape, place]]
    return total
