"""From the rules' positions of Blokus to those of its kernels."""

import numpy as np
from numpy.typing import NDArray

from services.games.blokus import rules
from services.games.blokus.board import squares_of
from services.games.blokus.position import SHARED, Position, Ruleset
from services.games.contract import SEATS, Seat
from workers.engines.kernels.blokus import (
    COLOURS_MAX,
    CONTACT,
    FRESH_MAX,
    RECENT_MAX,
    Sheet,
    State,
    blank_state,
)
from workers.engines.kernels.blokus_geometry import CELLS, cell_of

NO_SEAT = -1


def sheet_of(ruleset: Ruleset, out: tuple[Seat, ...], weight: NDArray[np.int64]) -> Sheet:
    """What stays the same in a game of this ruleset, once these seats gave up."""
    sheet = ruleset.sheet
    owners = [NO_SEAT if owner == SHARED else SEATS.index(owner) for owner in sheet.owners]
    owners += [NO_SEAT] * (COLOURS_MAX - len(owners))
    rival = [
        a != b and NO_SEAT not in (a, b) and max(colour, other) < len(sheet.colours)
        for colour, a in enumerate(owners)
        for other, b in enumerate(owners)
    ]
    return Sheet(
        counts=np.array([len(sheet.colours), sheet.seats], np.int64),
        owner=np.array(owners, np.int64),
        out=np.array([seat in out for seat in SEATS[:COLOURS_MAX]], np.int64),
        nearness=_nearness(sheet.size),
        rival=np.array(rival, np.int64),
        weight=weight,
    )


def state_of(position: Position) -> State:
    """The position as the kernels have it; lists of moves are still to be grown."""
    state, board = blank_state(), position.board
    taken = rules.taken(position)
    for colour, own in enumerate(position.covered):
        look = state.look[colour * CELLS : (colour + 1) * CELLS]
        starts = rules.start_squares(position.ruleset)[colour]
        barred = taken | board.beside(own)
        contacts = (board.diagonal(own) if own else starts) & ~barred
        look[_cells(board.full & ~barred, board.size)] = 0
        fresh = _cells(contacts, board.size)
        look[fresh] = CONTACT
        state.fresh[colour * FRESH_MAX : colour * FRESH_MAX + len(fresh)] = [
            colour * CELLS + cell for cell in fresh
        ]
        state.n_fresh[colour] = len(fresh)
        state.left[colour] = position.left[colour]
        placed = position.placed[colour]
        state.last[colour] = board.by_mask[placed[-1]].piece if placed else -1
        if placed:
            recent = _cells(board.diagonal(placed[-1]) & contacts, board.size)
            state.recent[colour * RECENT_MAX : colour * RECENT_MAX + len(recent)] = recent
            state.n_recent[colour] = len(recent)
        state.done[colour] = position.done >> colour & 1
    state.done[len(position.covered) :] = 1
    state.turn[:] = position.next, position.shares, 0
    return state


def _cells(squares: int, size: int) -> list[int]:
    return [cell_of(square, size) for square in squares_of(squares)]


def _nearness(size: int) -> NDArray[np.int64]:
    nearness = np.zeros(CELLS, np.int64)
    for square in range(size * size):
        row, column = divmod(square, size)
        nearness[cell_of(square, size)] = 1 + min(row, column, size - 1 - row, size - 1 - column)
    return nearness
