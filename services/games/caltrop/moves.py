"""Moves as texts (sheet §10): slot and square, ``3b2``."""

import re

from services.games.caltrop.board import NAMES, NUMBERS, SQUARES
from services.games.caltrop.decks import SLOTS
from services.games.contract import BadText

MOVE_TEXTS = tuple(tuple(f"{slot + 1}{name}" for name in NAMES) for slot in range(SLOTS))
"""The canonical texts by slot and square, both from 0."""

MOVES = {
    text: (slot, square) for slot, row in enumerate(MOVE_TEXTS) for square, text in enumerate(row)
}
"""The same the other way round; 128 moves in the canonical order."""

assert len(MOVES) == SLOTS * SQUARES

_MOVE = re.compile(r"([0-9])([a-zA-Z][0-9]{1,2})(?:\+[0-9]{1,2})?-?")


class BadMove(BadText):
    """A text that is no move; ``code`` is the reason."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


def read_move(text: str) -> tuple[int, int]:
    """Slot and square of a move, in any spelling that is read; ``BadMove`` with the reason.

    >>> read_move("3b2+2") == read_move("3B2-") == (2, 5)
    True
    """
    found = _MOVE.fullmatch(text)
    if not found:
        raise BadMove("notation", "A move is the number of a stone and a square, like 3b2.")
    slot, square = int(found[1]), NUMBERS.get(found[2].lower())
    if not 1 <= slot <= SLOTS:
        raise BadMove("no-such-slot", f"The stones are numbered 1 to {SLOTS}.")
    if square is None:
        raise BadMove("off-board", f"{found[2]} is not on the board: a1 to {NAMES[-1]}.")
    return slot - 1, square
