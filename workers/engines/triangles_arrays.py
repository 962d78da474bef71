"""Between positions of Triangles and the arrays of its kernel."""

from typing import cast

import numpy as np

from services.games.triangles.lattice import cell_name
from services.games.triangles.position import Position
from workers.engines.kernels import triangles as kernel
from workers.engines.kernels.triangles import NAMED, OUTSIDE, READING_TEXTS, TABLES, Round


def round_of(position: Position) -> Round:
    """A round in arrays. Tiles that are hidden are missing in the hands and the market."""
    found, rules = kernel.new_round(), position.ruleset
    for placed in position.placed:
        kernel.lay(TABLES, found, placed.tile, kernel.NUMBERS[placed.cell])
    found.hands[: rules.players] = position.hands
    found.points[: rules.players] = position.points
    found.market[: len(position.market)] = position.market
    n = found.n
    n[kernel.SEAT], n[kernel.PLAYERS] = position.next, rules.players
    n[kernel.MARKET] = position.market_count
    n[kernel.SCORED], n[kernel.TWO_SIDES] = rules.score_placement, rules.bridge_two_sides
    if position.end:
        n[kernel.END] = kernel.OUT if position.end.kind == "out" else kernel.BLOCKED
        n[kernel.WINNER] = position.end.winner
    for turn in reversed(position.turns):
        if turn.placement:
            break
        n[kernel.PASSES] += 1
    return found


def moves_of(found: Round) -> list[int]:
    """The legal placements in canonical order, each as reading x cells + cell."""
    listed = np.empty(kernel.MOVES_MAX, np.int64)
    return cast("list[int]", sorted(listed[: kernel.moves(TABLES, found, listed)].tolist()))


def move_text(move: int) -> str:
    """The text of a placement.

    >>> from workers.engines.kernels.triangles import FIRST
    >>> move_text(FIRST)
    '000u0.0'
    """
    reading, cell = divmod(move, OUTSIDE)
    return READING_TEXTS[reading] + cell_name(NAMED[cell])


def tile_and_cell(move: int) -> tuple[int, int]:
    """The tile of a placement and its cell by number."""
    reading, cell = divmod(move, OUTSIDE)
    return kernel.READING_TILES[reading], cell
