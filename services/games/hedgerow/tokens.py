"""Moves as tokens (sheet §3): ``NE@d4`` places a piece, ``c3-c6-b5`` harvests a path."""

import re

from services.games.contract import BadText
from services.games.hedgerow.board import NAMES, SQUARES
from services.games.hedgerow.pieces import GLYPHS, SPELLINGS

Path = tuple[int, ...]
"""The squares of a harvest, in order."""

TOKENS = tuple(tuple(f"{glyph}@{name}" for glyph in GLYPHS) for name in NAMES)
"""The canonical token of every placement, by square and glyph."""

_PLACEMENTS = {
    f"{spelling}@{name}": (square, glyph)
    for square, name in enumerate(NAMES)
    for spelling, glyph in SPELLINGS.items()
}
_PATH = re.compile(r"[a-g][1-7](-[a-g][1-7]){0,48}")


def is_placement(text: str) -> bool:
    """Whether a token is meant as a placement: those have an ``@``, paths have none."""
    return "@" in text


def read_placement(text: str) -> tuple[int, int]:
    """The square and glyph of a placement; solid sides may stand in any order.

    >>> read_placement("WEN@b3")
    (15, 11)
    """
    if placement := _PLACEMENTS.get(text):
        return placement
    raise BadText("A placement is solid sides, @ and a square, like NE@d4; X@d4 is a Cross Zero.")


def read_path(text: str) -> Path:
    """The squares of a path.

    >>> read_path("c3-c6-b5")
    (16, 37, 29)
    """
    if _PATH.fullmatch(text):
        return tuple(SQUARES[name] for name in text.split("-"))
    raise BadText(
        "A placement has an @, like NE@d4; a harvest is the squares of its path: c3-c6-b5 or b5."
    )


def path_text(path: Path) -> str:
    """A path as it is written.

    >>> path_text((16, 37, 29))
    'c3-c6-b5'
    """
    return "-".join(NAMES[square] for square in path)
