"""The board (sheet §2): squares, sides, what touches, and the order of pairs in a chain.

Blue is 0 and Red is 1, so two stones are enemies exactly when their owners differ by ``^ 1``;
``EMPTY`` differs from both by more. A side of the board has the number square · 4 + side, the
sides being north, east, south, west.
"""

import re
from collections.abc import Iterator

import msgspec

from services.games.caltrop.stones import LOU, PEARL, Sides
from services.games.contract import BadText

SIDE = 4
SQUARES = SIDE * SIDE
NAMES = tuple(f"{file}{rank}" for rank in range(1, SIDE + 1) for file in "abcd")
"""Squares in their order: a1 is 0, d4 is 15."""
NUMBERS = {name: number for number, name in enumerate(NAMES)}

BLUE, RED, EMPTY = 0, 1, 2
LETTERS = "br"
COLOURS = ("blue", "red")

_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""Files and ranks to the north, east, south, west."""

_ORDER = ((0, 1, 2, 3), (2, 3, 0, 1))
"""Front, right, back, left of Blue and of Red as sides of the board (§2)."""


class Touch(msgspec.Struct, frozen=True):
    """A touching square: the own side that faces it, and its side that faces back."""

    own: int
    other: int
    facing: int


def _touches(square: int, sides: tuple[int, ...]) -> Iterator[Touch]:
    rank, file = divmod(square, SIDE)
    for side in sides:
        to_file, to_rank = file + _STEPS[side][0], rank + _STEPS[side][1]
        if 0 <= to_file < SIDE and 0 <= to_rank < SIDE:
            other = to_rank * SIDE + to_file
            yield Touch(square * 4 + side, other, other * 4 + (side + 2) % 4)


TOUCHES = tuple(
    tuple(tuple(_touches(square, order)) for square in range(SQUARES)) for order in _ORDER
)
"""By colour and square: what touches it, in the order front, right, back, left (§4)."""

Pair = tuple[int, int, int, int]
"""Two touching squares, the lower first, and the side of each that faces the other."""

_PAIRS: tuple[Pair, ...] = tuple(
    (square, touch.other, touch.own, touch.facing)
    for square in range(SQUARES)
    for touch in TOUCHES[BLUE][square]
    if touch.other > square
)


def _nearness(pair: Pair, square: int, mover: int) -> tuple[int, int, int]:
    """The order of §4, step 3: nearer, then further forward, then further left."""
    low, high = pair[:2]
    x, y = low % SIDE + high % SIDE, low // SIDE + high // SIDE
    distance = (x - 2 * (square % SIDE)) ** 2 + (y - 2 * (square // SIDE)) ** 2
    return (distance, -y, x) if mover == BLUE else (distance, y, -x)


CHAIN_ORDER = tuple(
    tuple(
        tuple(sorted(_PAIRS, key=lambda pair: _nearness(pair, square, mover)))
        for square in range(SQUARES)
    )
    for mover in (BLUE, RED)
)
"""By mover and the square of the new stone: all 24 pairs in the order of a chain."""


class Board(msgspec.Struct, frozen=True):
    """The stones on the board.

    ``owners`` and ``codes`` (of special stones) go by square, ``spikes`` by side of the board;
    ``poisoned`` and ``spent`` (luck that is used up) are sets of squares as integers.
    """

    owners: tuple[int, ...] = (EMPTY,) * SQUARES
    spikes: bytes = bytes(4 * SQUARES)
    codes: tuple[str, ...] = ("",) * SQUARES
    poisoned: int = 0
    spent: int = 0

    def spikes_left(self, colour: int) -> int:
        """The number beside ▲: all spikes on the colour's stones (§5)."""
        spikes = self.spikes
        return sum(
            sum(spikes[4 * square : 4 * square + 4])
            for square, owner in enumerate(self.owners)
            if owner == colour
        )

    def points(self, colour: int) -> int:
        """Stones owned; Precious Pearl counts two (§5)."""
        return sum(
            1 + (code == PEARL)
            for owner, code in zip(self.owners, self.codes, strict=True)
            if owner == colour
        )


EMPTY_BOARD = Board()


def as_it_lies(sides: Sides, colour: int) -> Sides:
    """A stone's spikes north, east, south, west when this colour places it (§2).

    >>> as_it_lies((2, 1, 0, 0), RED)
    (0, 0, 2, 1)
    """
    return sides if colour == BLUE else (sides[2], sides[3], sides[0], sides[1])


# Texts (§10)

_TOKEN = re.compile(r"([br])([0-5])([0-5])([0-5])([0-5])(K|[A-Z]{2})?(-)?(\*)?")
_SPECIALS = frozenset(("K", "ED", "VV", "DD", "PP", "BB", "SS", "LL", "PE", "SL", "MM"))


def token(board: Board, square: int) -> str:
    """A square as the sheet writes it: ``b2100``, ``r0000K``, ``b0121VV*``; ``-`` if empty."""
    owner = board.owners[square]
    if owner == EMPTY:
        return "-"
    spikes = "".join(map(str, board.spikes[4 * square : 4 * square + 4]))
    luck = "-" * (board.spent >> square & 1)
    poison = "*" * (board.poisoned >> square & 1)
    return f"{LETTERS[owner]}{spikes}{board.codes[square]}{luck}{poison}"


def format_board(board: Board) -> str:
    """The board as the sheet's position: ranks 4 to 1, files a to d."""
    ranks = (range(SIDE * rank, SIDE * rank + SIDE) for rank in reversed(range(SIDE)))
    return "/".join(",".join(token(board, square) for square in rank) for rank in ranks)


def parse_board(text: str) -> Board:
    """The board of a text; ``BadText`` if a square cannot be read."""
    ranks = [rank.split(",") for rank in text.split("/")]
    if [len(rank) for rank in ranks] != [SIDE] * SIDE:
        raise BadText("A board is 4 ranks joined by /, each 4 squares joined by commas.")
    tokens = [square for rank in reversed(ranks) for square in rank]
    return board_of({n: text for n, text in zip(NAMES, tokens, strict=True) if text != "-"})


def board_of(tokens: dict[str, str]) -> Board:
    """The board with these stones, by the names of their squares."""
    owners, codes = [EMPTY] * SQUARES, [""] * SQUARES
    spikes, poisoned, spent = bytearray(4 * SQUARES), 0, 0
    for name, text in tokens.items():
        found, square = _TOKEN.fullmatch(text), NUMBERS.get(name)
        if not found or square is None or not _SPECIALS.issuperset({found[6]} - {None}):
            raise BadText(f"{name[:4]} {text[:16]!r} is no stone on the board, like b2 r0102LL-.")
        owners[square], codes[square] = LETTERS.index(found[1]), found[6] or ""
        if found[7] and codes[square] != LOU:
            raise BadText(f"{text!r}: only Lucky Lou (LL) has luck to spend.")
        spikes[4 * square : 4 * square + 4] = bytes(map(int, found.groups()[1:5]))
        spent |= bool(found[7]) << square
        poisoned |= bool(found[8]) << square
    return Board(tuple(owners), bytes(spikes), tuple(codes), poisoned, spent)
