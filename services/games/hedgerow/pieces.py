"""The pieces (sheet §3): a glyph is the set of a piece's solid sides, a number 0 to 14.

Sides are bits: N 1, E 2, S 4, W 8. A piece on the board is one byte: its owner (1 or 2) times
16, plus its glyph; 0 is an empty square.
"""

from itertools import permutations

N, E, S, W = 1, 2, 4, 8
SIDES = {"N": N, "E": E, "S": S, "W": W}

CROSS, SINGLE, DOUBLE, CORNER, SURROUND = range(5)
TYPES = ("Cross Zero", "Single One", "Double Two", "Corner Two", "Surround Three")
PER_TYPE = 5
"""How many pieces of each type a player has."""

OWNERS = (1, 2)
"""1 is the player who begins a game, 2 the other."""


def _glyph(sides: int) -> str:
    return "".join(letter for letter, side in SIDES.items() if sides & side) or "X"


def _type(sides: int) -> int:
    if sides.bit_count() == 2:
        return DOUBLE if sides in (N | S, E | W) else CORNER
    return (CROSS, SINGLE, -1, SURROUND)[sides.bit_count()]


GLYPHS = tuple(map(_glyph, range(15)))
"""The name of every glyph, by its number: solid sides in the order N, E, S, W."""

TYPE_OF = tuple(map(_type, range(15)))
"""The type of every glyph."""

TRIANGLES = tuple(sides.bit_count() for sides in range(15))
"""The triangles of every glyph: one for each solid side."""

TYPE_TRIANGLES = (0, 1, 2, 2, 3)
"""The triangles of every type."""

SPELLINGS = {
    "".join(letters): sides
    for sides, name in enumerate(GLYPHS)
    for letters in permutations(name)
}  # fmt: skip
"""Glyphs by every spelling that is understood: the letters may stand in any order."""


def piece(owner: int, glyph: int) -> int:
    """A piece as one byte.

    >>> piece(2, SPELLINGS["WEN"]), piece_name(piece(2, 11))
    (43, '2NEW')
    """
    return owner << 4 | glyph


def piece_name(code: int) -> str:
    """Owner and glyph, as diagrams have it (sheet §9)."""
    return f"{code >> 4}{GLYPHS[code & 15]}"


PIECE_NAMES = {piece_name(piece(o, g)): piece(o, g) for o in OWNERS for g in range(15)}
"""Every piece by its name in diagrams."""
