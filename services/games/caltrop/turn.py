"""A turn (sheet §4): a stone is placed, fights, and a chain may follow. Pure and always finite.

Each step is a function of ``Fray``, the one board under work; what happens is told in events,
in the sheet's notation and order (§10).
"""

from collections.abc import Sequence

import msgspec

from services.games.caltrop.board import (
    CHAIN_ORDER,
    LETTERS,
    NAMES,
    RED,
    SQUARES,
    TOUCHES,
    Board,
    Pair,
)
from services.games.caltrop.stones import (
    BERTHA,
    DOT,
    EDNA,
    KING,
    LOU,
    MILLSTONE,
    PIA,
    SID,
    SPIKES_MAX,
    SUE,
    VERONICA,
    Sides,
)

NOBODY = -1
"""No square: nobody wins a fight, or no pair fights on."""


class Turned(msgspec.Struct, frozen=True):
    """The board after a turn, and the turn's events in order."""

    board: Board
    events: tuple[str, ...]


class Fray:
    """A board while a turn is worked out on it."""

    __slots__ = ("codes", "events", "mover", "owners", "poisoned", "spent", "spikes", "square")

    def __init__(self, board: Board, mover: int, square: int) -> None:
        self.owners = list(board.owners)
        self.spikes = bytearray(board.spikes)
        self.codes = list(board.codes)
        self.poisoned = board.poisoned
        self.spent = board.spent
        self.mover = mover
        self.square = square
        self.events: list[str] = []

    def turned(self) -> Turned:
        """What has become of it."""
        board = Board(
            tuple(self.owners), bytes(self.spikes), tuple(self.codes), self.poisoned, self.spent
        )
        return Turned(board, tuple(self.events))


def put(board: Board, mover: int, square: int, special: str, lying: Sides) -> Fray:
    """The board with the new stone on it and nothing else done; ``lying`` is N E S W."""
    fray = Fray(board, mover, square)
    fray.owners[square] = mover
    fray.codes[square] = special
    fray.spikes[4 * square : 4 * square + 4] = bytes(lying)
    return fray


def play(board: Board, mover: int, square: int, special: str, lying: Sides) -> Turned:
    """The whole turn of a stone placed on an empty square, step by step (§4)."""
    fray = put(board, mover, square, special, lying)
    if special:
        powers_on_placing(fray)
    placement_fights(fray)
    chain(fray)
    end_of_turn(fray)
    return fray.turned()


# Step 1


def powers_on_placing(fray: Fray) -> None:
    """Sharpen and Grind work when placed, before the fights."""
    special = fray.codes[fray.square]
    if special == SUE:
        sharpen(fray)
    elif special == MILLSTONE:
        grind(fray)


def sharpen(fray: Fray) -> None:
    """Every touching stone of the own colour gains a spike on each side that still has one."""
    for touch in TOUCHES[fray.mover][fray.square]:
        if fray.owners[touch.other] == fray.mover:
            for side in range(4 * touch.other, 4 * touch.other + 4):
                if 0 < fray.spikes[side] < SPIKES_MAX:
                    fray.spikes[side] += 1


def grind(fray: Fray) -> None:
    """Each enemy side that faces the new stone loses one spike."""
    for touch in TOUCHES[fray.mover][fray.square]:
        if fray.owners[touch.other] == 1 - fray.mover and fray.spikes[touch.facing]:
            fray.spikes[touch.facing] -= 1


# A fight (§4.1)


def fight(fray: Fray, one: int, its_side: int, two: int, side_of_two: int) -> int:
    """Let two facing sides fight; the square of the winning one, or ``NOBODY``."""
    spikes, codes = fray.spikes, fray.codes
    n, m = spikes[its_side], spikes[side_of_two]
    spikes[its_side] = spikes[side_of_two] = 0
    if codes[one] or codes[two]:
        if VERONICA in (codes[one], codes[two]):
            poison(fray, one, two)
        if KING in (codes[one], codes[two]):
            return NOBODY
    if n > m:
        spikes[its_side] = n - used_up(m, codes[one])
        return one
    if n < m:
        spikes[side_of_two] = m - used_up(n, codes[two])
        return two
    return NOBODY


def used_up(met: int, special: str) -> int:
    """How many spikes the winning side uses up on so many that it met (§4.1, A1)."""
    return 1 if special == DOT else max(1, met)


def poison(fray: Fray, one: int, two: int) -> None:
    """Whoever fights Venom Veronica is poisoned; King Kobe and Edna never are."""
    for square, foe in ((one, two), (two, one)):
        if fray.codes[foe] == VERONICA and fray.codes[square] not in (KING, EDNA):
            fray.poisoned |= 1 << square


def _told(who: str, met: str, winner: int) -> str:
    return f"{who} {met} {'=' if winner == NOBODY else NAMES[winner]}"


# Step 2


def placement_fights(fray: Fray) -> None:
    """All fights of the new stone at once; only then what they lead to (§4, step 2)."""
    new, owners, spikes = fray.square, fray.owners, fray.spikes
    foe = 1 - fray.mover
    beaten: list[int] = []
    sides_of_beaten: list[int] = []
    winning_sides: list[int] = []
    for touch in TOUCHES[fray.mover][new]:
        n, m = spikes[touch.own], spikes[touch.facing]
        if owners[touch.other] != foe or not (n or m):
            continue
        winner = fight(fray, new, touch.own, touch.other, touch.facing)
        fray.events.append(_told(f"F {NAMES[new]} {NAMES[touch.other]}", f"{n}:{m}", winner))
        if winner == new:
            beaten.append(touch.other)
            sides_of_beaten.append(touch.own)
        elif winner != NOBODY:
            winning_sides.append(touch.facing)
    taken = [
        square
        for square, side in zip(beaten, sides_of_beaten, strict=True)
        if not spared(fray, square, (side,))
    ]
    if winning_sides and not spared(fray, new, winning_sides):
        taken.append(new)
    if taken:
        change_colours(fray, taken)


def spared(fray: Fray, square: int, winning_sides: Sequence[int]) -> bool:
    """Lucky Lou is not taken, once: the spikes facing him on the winning sides break."""
    if fray.codes[square] != LOU or fray.spent >> square & 1:
        return False
    fray.spent |= 1 << square
    for side in winning_sides:
        fray.spikes[side] = 0
    fray.events.append(f"L {NAMES[square]}")
    return True


def change_colours(fray: Fray, squares: Sequence[int]) -> None:
    """Colours change together; then Spin and Burst of the changed stones work in order."""
    for square in squares:
        fray.owners[square] ^= RED
        fray.events.append(f"T {NAMES[square]} {LETTERS[fray.owners[square]]}")
    for square in squares:
        if fray.codes[square] == PIA:
            spin(fray, square)
        elif fray.codes[square] == BERTHA:
            burst(fray, square)


def spin(fray: Fray, square: int) -> None:
    """Pirouette Pia turns a quarter clockwise: north to east, and so on."""
    first = 4 * square
    north, east, south, west = fray.spikes[first : first + 4]
    fray.spikes[first : first + 4] = bytes((west, north, east, south))


def burst(fray: Fray, square: int) -> None:
    """All spikes that face Bursting Bertha break, friend or foe."""
    for touch in TOUCHES[fray.mover][square]:
        fray.spikes[touch.facing] = 0


# Step 3


def chain(fray: Fray) -> None:
    """While there is a live pair, the first one fights and its result holds at once."""
    order = CHAIN_ORDER[fray.mover][fray.square]
    while (pair := live_pair(fray, order)) is not None:
        low, high, its_side, side_of_high = pair
        met = f"{fray.spikes[its_side]}:{fray.spikes[side_of_high]}"
        winner = fight(fray, low, its_side, high, side_of_high)
        fray.events.append(_told(f"C {NAMES[low]} {NAMES[high]}", met, winner))
        if winner == low:
            _beaten_in_chain(fray, high, its_side)
        elif winner == high:
            _beaten_in_chain(fray, low, side_of_high)


def live_pair(fray: Fray, order: Sequence[Pair]) -> Pair | None:
    """The first two touching enemies with a spike between them."""
    owners, spikes = fray.owners, fray.spikes
    for pair in order:
        low, high, its_side, side_of_high = pair
        if owners[low] ^ owners[high] == 1 and (spikes[its_side] or spikes[side_of_high]):
            return pair
    return None


def _beaten_in_chain(fray: Fray, square: int, winning_side: int) -> None:
    if slips(fray, square):
        fray.spikes[winning_side] = 0
        fray.events.append(f"S {NAMES[square]}")
    elif not spared(fray, square, (winning_side,)):
        change_colours(fray, (square,))


def slips(fray: Fray, square: int) -> bool:
    """Slippery Sid cannot be taken in a chain."""
    return fray.codes[square] == SID


# Step 4


def end_of_turn(fray: Fray) -> None:
    """First Cure, then poison takes a spike of every side that has one."""
    if fray.poisoned:
        cure(fray)
        poison_works(fray)


def cure(fray: Fray) -> None:
    """All stones of Experienced Edna's present colour lose their poison."""
    cured = {fray.owners[square] for square in range(SQUARES) if fray.codes[square] == EDNA}
    for square in range(SQUARES):
        if fray.poisoned >> square & 1 and fray.owners[square] in cured:
            fray.poisoned ^= 1 << square
            fray.events.append(f"H {NAMES[square]}")


def poison_works(fray: Fray) -> None:
    """Each poisoned stone loses one spike on every side that has one."""
    for square in range(SQUARES):
        if fray.poisoned >> square & 1:
            sides = fray.spikes[4 * square : 4 * square + 4]
            if any(sides):
                fray.spikes[4 * square : 4 * square + 4] = bytes(max(0, n - 1) for n in sides)
                fray.events.append(f"P {NAMES[square]}")


def is_at_rest(board: Board) -> bool:
    """The resting rule (§4.2): no two enemies touch with a spike between them."""
    return live_pair(Fray(board, RED, 0), CHAIN_ORDER[RED][0]) is None
