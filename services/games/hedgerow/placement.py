"""The placement phase (sheet §4): what may be placed where, and who is stuck."""

from collections.abc import Iterator

from services.games.contract import Objection
from services.games.hedgerow.board import ALL_SQUARES, BOUNDARY, CENTRE, NAMES, solid_on, squares_in
from services.games.hedgerow.pieces import (
    CORNER,
    CROSS,
    GLYPHS,
    SIDES,
    TYPE_OF,
    TYPE_TRIANGLES,
    TYPES,
)
from services.games.hedgerow.position import Position
from services.games.hedgerow.tokens import TOKENS

_ONLY_CROSSES = 1 << CROSS
_ONLY_CORNERS = 1 << CORNER

FITTING = tuple(
    tuple(
        tuple(g for g in range(15) if types >> TYPE_OF[g] & 1 and not g & barred)
        for barred in range(16)
    )
    for types in range(32)
)
"""By set of types and set of barred sides: the glyphs that can be placed."""


def objection(position: Position, square: int, glyph: int) -> Objection | None:
    """Why the mover may not place this here: the first reason in the sheet's order."""
    if position.board[square]:
        return Objection("occupied", f"There is a piece on {NAMES[square]} already.")
    kind, owner = TYPE_OF[glyph], position.mover
    if not position.left(owner)[kind]:
        return Objection("supply", f"Player {owner} has placed every {TYPES[kind]}.")
    if not position.turns and (square != CENTRE or kind != CORNER):
        return Objection("opening", "The first piece is a Corner Two on d4.")
    if not types_to_place(position) >> kind & 1:
        sentence = "Player 2 keeps one piece to the end that is not a Cross Zero."
        return Objection("reserve", sentence)
    if double := glyph & barred(position, square):
        names = ", ".join(letter for letter, side in SIDES.items() if double & side)
        sentence = f"{NAMES[square]} cannot be solid on {names}: that line carries an edge already."
        return Objection("overlap", sentence)
    return None


def barred(position: Position, square: int) -> int:
    """The sides on which a piece here may not be solid (sheet §4, rules 4 and 5)."""
    sides = solid_on(position.board, square)
    if position.ruleset.boundary_edges == "forbidden":
        sides |= BOUNDARY[square]
    return sides


def types_to_place(position: Position) -> int:
    """The set of types the mover may place one of (sheet §4, rules 2, 3 and 6)."""
    if not position.turns:
        return _ONLY_CORNERS
    left = position.left(position.mover)
    if position.mover == 2 and sum(left) - left[CROSS] == 1:
        return _ONLY_CROSSES if left[CROSS] else 0
    return sum(1 << kind for kind, count in enumerate(left) if count)


def fitting(position: Position) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Each square with the glyphs the mover may place there, in the canonical order."""
    by_barred = FITTING[types_to_place(position)]
    free = ALL_SQUARES & ~position.standing if position.turns else 1 << CENTRE
    for square in squares_in(free):
        if glyphs := by_barred[barred(position, square)]:
            yield square, glyphs


def tokens(position: Position) -> Iterator[str]:
    """Every legal placement: by square from a1, then by the glyph's number."""
    for square, glyphs in fitting(position):
        names = TOKENS[square]
        for glyph in glyphs:
            yield names[glyph]


def glyphs_by_square(position: Position) -> dict[str, tuple[str, ...]]:
    """The legal placements as a map from squares to glyphs (sheet §13), for clicking."""
    return {
        NAMES[square]: tuple(GLYPHS[glyph] for glyph in glyphs)
        for square, glyphs in fitting(position)
    }


def is_stuck(position: Position) -> bool:
    """Whether the mover has no legal placement; with a Cross Zero left, nobody is (rule 7)."""
    if position.left(position.mover)[CROSS]:
        return False
    return next(fitting(position), None) is None


def isolation_value(position: Position) -> int:
    """The triangles of the piece left to player 2 (sheet §4), once placing is over."""
    left = position.left(2)
    return sum(count * TYPE_TRIANGLES[kind] for kind, count in enumerate(left))
