"""Squares as texts, for every board with lettered columns and numbered rows.

Columns ``a``, ``b``, … from the left (``i`` is used), rows ``1``, ``2``, … from the bottom.
"""

import re

COLUMNS = "abcdefghijklmnopqrstuvwxyz"

_SQUARE = re.compile(r"[a-zA-Z][1-9][0-9]*")


def square_name(column: int, row: int) -> str:
    """The name of a square; column and row count from 0.

    >>> square_name(0, 19)
    'a20'
    """
    return f"{COLUMNS[column]}{row + 1}"


def is_square(text: str) -> bool:
    """Whether a text is spelled like a square (of any board): no blanks, no leading zeros.

    >>> is_square("t1"), is_square("t01"), is_square("1t")
    (True, False, False)
    """
    return _SQUARE.fullmatch(text) is not None
