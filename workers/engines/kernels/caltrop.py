"""Caltrop compiled: a position in seven words, and a whole turn worked out on them.

A position is a row of ``uint64``. In its first six words every square has four bits: its spikes
to the north, east, south and west, the number of its special code, and its marks (blue, red,
poisoned, luck spent). So a question about all squares is a few operations on whole words. The
seventh word holds the slots in hand, Blue's in the low byte; the eighth is room for a key.

Paragraphs are those of the rule sheet. ``services.games.caltrop.turn`` says the same in Python,
and tests compare the two over whole games.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from services.games.caltrop import stones as sheet
from services.games.caltrop.board import CHAIN_ORDER, EMPTY, SQUARES, TOUCHES, as_it_lies
from services.games.caltrop.decks import SLOTS, Deck
from services.games.caltrop.position import Game
from workers.engines.kernels.compiling import kernel

Rows = NDArray[np.uint64]
"""Positions, one a row of ``WORDS`` words."""
Stones = NDArray[np.uint64]
"""Stones by colour and slot: spikes as they lie when placed (N E S W), and the special code."""

NORTH, EAST, SOUTH, WEST, CODES, MARKS, HANDS, KEY = range(8)
WORDS = 8
MOVES = SLOTS * SQUARES
"""A move is the number ``slot * SQUARES + square``, so that numbers are in canonical order."""

_SPECIALS = (
    "",
    sheet.KING,
    sheet.EDNA,
    sheet.VERONICA,
    sheet.DOT,
    sheet.PIA,
    sheet.BERTHA,
    sheet.SUE,
    sheet.LOU,
    sheet.PEARL,
    sheet.SID,
    sheet.MILLSTONE,
)
_NUMBERS = {code: number for number, code in enumerate(_SPECIALS)}
_KING, _EDNA, _VERONICA, _DOT, _PIA, _BERTHA, _SUE, _LOU, _PEARL, _SID, _MILLSTONE = range(1, 12)

NOBODY = -1
_0, _1, _2, _3, _4, _8, _16, _48, _56 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 8, 16, 48, 56))
_SQUARE = np.uint64(15)
_EACH = np.uint64(0x1111_1111_1111_1111)
"""One for each square."""
_NOT_FILE_D = np.uint64(0x0111_0111_0111_0111)
_LOW_NIBBLES = np.uint64(0x0F0F_0F0F_0F0F_0F0F)
_LOW_BYTES = np.uint64(0x00FF_00FF_00FF_00FF)
_SUM_OF_BYTES = np.uint64(0x0101_0101_0101_0101)
_SUM_OF_SHORTS = np.uint64(0x0001_0001_0001_0001)
_BLUE, _POISONED, _SPENT, _EITHER_COLOUR = (np.uint64(n) for n in (1, 4, 8, 3))
_ANY_POISON = np.uint64(0x4444_4444_4444_4444)
_POINT = 512
"""What a point weighs beside a spike (§9)."""


def _neighbours() -> NDArray[np.int64]:
    """By square and side (N E S W) the square beyond, or ``NOBODY``."""
    beyond = np.full((SQUARES, 4), NOBODY, np.int64)
    for square, touches in enumerate(TOUCHES[0]):
        for touch in touches:
            beyond[square, touch.own % 4] = touch.other
    return beyond


def _chain_order() -> NDArray[np.int64]:
    """By mover and new stone: the bits of all pairs (see ``live_pairs``) in a chain's order."""
    bits = [
        [[4 * low + (high - low == 4) for low, high, *_ in pairs] for pairs in by_square]
        for by_square in CHAIN_ORDER
    ]
    return np.array(bits, np.int64)


_BEYOND = _neighbours()
_CHAIN_ORDER = _chain_order()


# From the rules' positions


def row_of(game: Game) -> Rows:
    """A game's position as an array of one row."""
    board, rows = game.board, np.zeros((1, WORDS), np.uint64)
    for square, owner in enumerate(board.owners):
        if owner == EMPTY:
            continue
        marks = 1 << owner | (board.poisoned >> square & 1) << 2 | (board.spent >> square & 1) << 3
        sides = board.spikes[4 * square : 4 * square + 4]
        for word, value in enumerate((*sides, _NUMBERS[board.codes[square]], marks)):
            rows[0, word] |= np.uint64(value << 4 * square)
    rows[0, HANDS] = game.left[0] | game.left[1] << SLOTS
    return rows


def stones_of(decks: Sequence[Deck]) -> Stones:
    """Both decks as an array."""
    return np.array(
        [
            [(*as_it_lies(one.sides, colour), _NUMBERS[one.special]) for one in deck]
            for colour, deck in enumerate(decks)
        ],
        np.uint64,
    )


def twins_of(decks: Sequence[Deck]) -> NDArray[np.int64]:
    """By colour and slot the slots before it with an equal stone, as a set."""
    return np.array(
        [
            [sum(1 << n for n in range(slot) if deck[n] == deck[slot]) for slot in range(SLOTS)]
            for deck in decks
        ],
        np.int64,
    )


# Looking at a row


@kernel
def _at(square: int) -> np.uint64:
    """How far a square's four bits are shifted."""
    return np.uint64(4 * square)


@kernel
def _bits(rows: Rows, at: int, word: int, square: int) -> int:
    """A square's four bits of a word."""
    return np.int64(rows[at, word] >> _at(square) & _SQUARE)


@kernel
def _clear(rows: Rows, at: int, side: int, square: int) -> None:
    """All spikes on a side of a square break."""
    rows[at, side] &= ~(_SQUARE << _at(square))


@kernel
def _spiked(word: np.uint64) -> np.uint64:
    """A bit for each square that has spikes in a word; there are never more than 5."""
    return (word | word >> _1 | word >> _2) & _EACH


@kernel
def _with_code(codes: np.uint64, code: int) -> np.uint64:
    """A bit for each square that has this special code."""
    other = codes ^ _EACH * np.uint64(code)
    return ~(other | other >> _1 | other >> _2 | other >> _3) & _EACH


@kernel
def live_pairs(rows: Rows, at: int) -> np.uint64:
    """The touching enemies with a spike between them (§4, step 3).

    Bit 4 * square is the pair of a square with the one to its east, the bit above it the pair
    with the one to its north.
    """
    blue, red = rows[at, MARKS] & _EACH, rows[at, MARKS] >> _1 & _EACH
    east = (blue & red >> _4 | red & blue >> _4) & _NOT_FILE_D
    east &= _spiked(rows[at, EAST]) | _spiked(rows[at, WEST]) >> _4
    north = blue & red >> _16 | red & blue >> _16
    north &= _spiked(rows[at, NORTH]) | _spiked(rows[at, SOUTH]) >> _16
    return east | north << _1


@kernel
def is_empty(rows: Rows, at: int, square: int) -> bool:
    """Whether no stone lies on a square."""
    return rows[at, MARKS] >> _at(square) & _EITHER_COLOUR == _0


@kernel
def hand_of(rows: Rows, at: int, colour: int) -> int:
    """The slots a colour has in hand, as a set."""
    return np.int64(rows[at, HANDS] >> np.uint64(8 * colour)) & 0xFF


@kernel
def list_moves(
    rows: Rows, at: int, twins: NDArray[np.int64], mover: int, listed: NDArray[np.int64], ply: int
) -> int:
    """Every different move into ``listed[ply]``, in canonical order; how many there are.

    Equal stones are one and the same move: the first in hand stands for them (§9).
    """
    hand, n = hand_of(rows, at, mover), 0
    for slot in range(SLOTS):
        if hand >> slot & 1 and not hand & twins[mover, slot]:
            for square in range(SQUARES):
                if is_empty(rows, at, square):
                    listed[ply, n] = slot * SQUARES + square
                    n += 1
    return n


@kernel
def _spikes_on(rows: Rows, at: int, squares: np.uint64) -> int:
    """All spikes on a set of squares (a bit each)."""
    fields, total = squares * _SQUARE, _0
    for side in range(4):
        word = rows[at, side] & fields
        total += (word & _LOW_NIBBLES) + (word >> _4 & _LOW_NIBBLES)
    total = (total & _LOW_BYTES) + (total >> _8 & _LOW_BYTES)
    return np.int64(total * _SUM_OF_SHORTS >> _48)


@kernel
def _points_on(rows: Rows, at: int, squares: np.uint64) -> int:
    """What the stones on a set of squares count; Pearl counts two (§5)."""
    total = (squares & _LOW_NIBBLES) + (squares >> _4 & _LOW_NIBBLES)
    if rows[at, CODES]:
        pearls = squares & _with_code(rows[at, CODES], _PEARL)
        total += (pearls & _LOW_NIBBLES) + (pearls >> _4 & _LOW_NIBBLES)
    return np.int64(total * _SUM_OF_BYTES >> _56)


@kernel
def lead(rows: Rows, at: int) -> int:
    """Blue's points and spikes less Red's, weighed (§9)."""
    blue, red = rows[at, MARKS] & _EACH, rows[at, MARKS] >> _1 & _EACH
    points = _points_on(rows, at, blue) - _points_on(rows, at, red)
    return _POINT * points + _spikes_on(rows, at, blue) - _spikes_on(rows, at, red)


@kernel
def value_for(rows: Rows, at: int, mover: int, first: int) -> int:
    """The sheet's value for a colour (§9): at the end its sign is the result."""
    blue = lead(rows, at)
    return 2 * (blue if mover == 0 else -blue) + (1 if mover == first else -1)


# A turn (§4)


@kernel
def place(rows: Rows, at: int, stones: Stones, mover: int, move: int) -> None:
    """The whole turn of a move, worked out on its row."""
    slot, square = move >> 4, move & 15
    shift = _at(square)
    for word in range(5):
        rows[at, word] |= stones[mover, slot, word] << shift
    rows[at, MARKS] |= _BLUE << np.uint64(4 * square + mover)
    rows[at, HANDS] ^= _1 << np.uint64(8 * mover + slot)
    code = np.int64(stones[mover, slot, CODES])
    if code == _SUE:
        _sharpen(rows, at, mover, square)
    elif code == _MILLSTONE:
        _grind(rows, at, mover, square)
    if live_pairs(rows, at):
        _placement_fights(rows, at, mover, square)
        _chain(rows, at, mover, square)
    if rows[at, MARKS] & _ANY_POISON:
        _end_of_turn(rows, at)


@kernel
def copy(rows: Rows, at: int, to: int) -> None:
    """Write the position in row ``at`` on row ``to`` as well."""
    for word in range(KEY):
        rows[to, word] = rows[at, word]


@kernel
def place_on(rows: Rows, at: int, to: int, stones: Stones, mover: int, move: int) -> None:
    """The whole turn of a move of the position in row ``at``, worked out on row ``to``."""
    copy(rows, at, to)
    place(rows, to, stones, mover, move)


@kernel
def _owned_by(rows: Rows, at: int, square: int, colour: int) -> bool:
    return rows[at, MARKS] >> np.uint64(4 * square + colour) & _1 != _0


@kernel
def _sharpen(rows: Rows, at: int, mover: int, square: int) -> None:
    """Every touching stone of the own colour gains a spike on each side that has 1 to 4."""
    touching = _0
    for side in range(4):
        other = _BEYOND[square, side]
        if other != NOBODY and _owned_by(rows, at, other, mover):
            touching |= _1 << _at(other)
    for side in range(4):
        word = rows[at, side]
        rows[at, side] = word + (touching & _spiked(word) & ~(word & word >> _2))


@kernel
def _grind(rows: Rows, at: int, mover: int, square: int) -> None:
    """Each enemy side that faces the new stone loses one spike."""
    for side in range(4):
        other = _BEYOND[square, side]
        if other != NOBODY and _owned_by(rows, at, other, 1 - mover):
            rows[at, side ^ 2] -= _spiked(rows[at, side ^ 2]) & _1 << _at(other)


@kernel
def _fight(rows: Rows, at: int, one: int, side: int, two: int) -> int:
    """Let a side fight the one that faces it (§4.1); the winner's square, or ``NOBODY``."""
    n, m = _bits(rows, at, side, one), _bits(rows, at, side ^ 2, two)
    _clear(rows, at, side, one)
    _clear(rows, at, side ^ 2, two)
    its_code = code_of_two = 0
    if rows[at, CODES]:
        its_code, code_of_two = _bits(rows, at, CODES, one), _bits(rows, at, CODES, two)
        if its_code == _VERONICA and code_of_two not in (_KING, _EDNA):
            rows[at, MARKS] |= _POISONED << _at(two)
        if code_of_two == _VERONICA and its_code not in (_KING, _EDNA):
            rows[at, MARKS] |= _POISONED << _at(one)
        if _KING in (its_code, code_of_two):
            return NOBODY
    if n > m:
        left = n - (1 if its_code == _DOT else max(1, m))
        rows[at, side] |= np.uint64(left) << _at(one)
        return one
    if n < m:
        left = m - (1 if code_of_two == _DOT else max(1, n))
        rows[at, side ^ 2] |= np.uint64(left) << _at(two)
        return two
    return NOBODY


@kernel
def _placement_fights(rows: Rows, at: int, mover: int, square: int) -> None:
    """All fights of the new stone at once; only then what they lead to (§4, step 2)."""
    beaten = lost = 0  # sets of sides, counted from the mover's front
    for turn in range(4):
        side = turn + 2 * mover & 3
        other = _BEYOND[square, side]
        if other == NOBODY or not _owned_by(rows, at, other, 1 - mover):
            continue
        if not (_bits(rows, at, side, square) or _bits(rows, at, side ^ 2, other)):
            continue
        winner = _fight(rows, at, square, side, other)
        if winner == square:
            beaten |= 1 << turn
        elif winner == other:
            lost |= 1 << turn
    if rows[at, CODES]:
        beaten, lost = _spare(rows, at, mover, square, beaten, lost)
    for turn in range(4):
        if beaten >> turn & 1:
            _turn_over(rows, at, _BEYOND[square, turn + 2 * mover & 3])
    if lost:
        _turn_over(rows, at, square)
    if rows[at, CODES]:
        for turn in range(4):
            if beaten >> turn & 1:
                _spin_or_burst(rows, at, _BEYOND[square, turn + 2 * mover & 3])
        if lost:
            _spin_or_burst(rows, at, square)


@kernel
def _spare(rows: Rows, at: int, mover: int, square: int, beaten: int, lost: int) -> tuple[int, int]:
    """Lucky Lou first among those beaten, then as the new stone; who is taken after that."""
    for turn in range(4):
        side = turn + 2 * mover & 3
        if beaten >> turn & 1 and _spared(rows, at, _BEYOND[square, side]):
            _clear(rows, at, side, square)
            beaten ^= 1 << turn
    if lost and _spared(rows, at, square):
        for turn in range(4):
            if lost >> turn & 1:
                side = turn + 2 * mover & 3
                _clear(rows, at, side ^ 2, _BEYOND[square, side])
        lost = 0
    return beaten, lost


@kernel
def _spared(rows: Rows, at: int, square: int) -> bool:
    """Whether Lucky Lou has his luck here; it is spent then."""
    spent = _SPENT << _at(square)
    if _bits(rows, at, CODES, square) != _LOU or rows[at, MARKS] & spent:
        return False
    rows[at, MARKS] |= spent
    return True


@kernel
def _turn_over(rows: Rows, at: int, square: int) -> None:
    """A stone changes its colour."""
    rows[at, MARKS] ^= _EITHER_COLOUR << _at(square)


@kernel
def _spin_or_burst(rows: Rows, at: int, square: int) -> None:
    """What Pirouette Pia and Bursting Bertha do when they have changed colour."""
    code = _bits(rows, at, CODES, square)
    if code == _PIA:
        shift = _at(square)
        last = rows[at, WEST] >> shift & _SQUARE
        for side in range(4):
            spikes = rows[at, side] >> shift & _SQUARE
            rows[at, side] ^= (spikes ^ last) << shift
            last = spikes
    elif code == _BERTHA:
        for side in range(4):
            other = _BEYOND[square, side]
            if other != NOBODY:
                _clear(rows, at, side ^ 2, other)


@kernel
def _chain(rows: Rows, at: int, mover: int, square: int) -> None:
    """While there is a live pair, the first one fights and its result holds at once."""
    live = live_pairs(rows, at)
    while live:
        nearest = 0
        while not live >> np.uint64(_CHAIN_ORDER[mover, square, nearest]) & _1:
            nearest += 1
        pair = _CHAIN_ORDER[mover, square, nearest]
        low, side = pair >> 2, (NORTH if pair & 1 else EAST)
        high = _BEYOND[low, side]
        winner = _fight(rows, at, low, side, high)
        if winner == low:
            _beaten_in_chain(rows, at, high, side ^ 2)
        elif winner == high:
            _beaten_in_chain(rows, at, low, side)
        live = live_pairs(rows, at)


@kernel
def _beaten_in_chain(rows: Rows, at: int, square: int, side: int) -> None:
    """A stone is beaten on one of its sides: it slips away, is spared, or taken."""
    if rows[at, CODES]:
        if _bits(rows, at, CODES, square) == _SID or _spared(rows, at, square):
            _clear(rows, at, side ^ 2, _BEYOND[square, side])
            return
        _turn_over(rows, at, square)
        _spin_or_burst(rows, at, square)
        return
    _turn_over(rows, at, square)


@kernel
def _end_of_turn(rows: Rows, at: int) -> None:
    """First Cure, then poison takes a spike of every side that has one (§4, step 4)."""
    marks = rows[at, MARKS]
    blue, red = marks & _EACH, marks >> _1 & _EACH
    ednas = _with_code(rows[at, CODES], _EDNA)
    if ednas & blue:
        marks &= ~(blue << _2)
    if ednas & red:
        marks &= ~(red << _2)
    rows[at, MARKS] = marks
    poisoned = marks >> _2 & _EACH
    for side in range(4):
        rows[at, side] -= _spiked(rows[at, side]) & poisoned
