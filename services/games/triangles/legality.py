"""Where a tile may lie (``seeds/triangles/RULES.md`` §5), whoever holds it."""

from services.games.contract import Objection
from services.games.triangles.lattice import FIRST_CELL, Layout, Placement, cell_name, corners
from services.games.triangles.play import may_open_with
from services.games.triangles.position import Position
from services.games.triangles.tiles import TILES


def opening_objection(position: Position, placement: Placement) -> Objection | None:
    """Why this may not be the first tile of the round; None also where it is not the first."""
    if position.layout.cells:
        return None
    if placement.cell != FIRST_CELL:
        return Objection("opening-cell", "The first tile of a round is written at u0.0.")
    if placement.digits != tuple(sorted(placement.digits)):
        name = TILES[placement.tile]
        return Objection("opening-rotation", f"The first tile is written as {name}u0.0.")
    if position.opening and not may_open_with(position, placement.tile):
        due = TILES[position.opening.tile]
        return Objection("opening-tile", f"The qualifying tile {due} has to be the first.")
    return None


def contact_objection(layout: Layout, placement: Placement) -> Objection | None:
    """Why a tile may not lie here among the others; None on the empty table."""
    if not layout.cells:
        return None
    name = cell_name(placement.cell)
    if placement.cell in layout.cells:
        return Objection("occupied", f"There is a tile on {name} already.")
    if placement.cell not in layout.frontier:
        return Objection("no-shared-side", f"{name} shares no side with a tile on the table.")
    for vertex, digit in zip(corners(placement.cell), placement.digits, strict=True):
        known = layout.digits.get(vertex)
        if known is not None and known != digit:
            sentence = f"A {digit} would meet a {known} at a corner of {name}."
            return Objection("corner-mismatch", sentence)
    return None
