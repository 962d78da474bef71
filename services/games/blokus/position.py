"""What a game of Blokus is made of: variants, rulesets, and positions as frozen values."""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec

from services.games.blokus.board import Board, board
from services.games.blokus.pieces import ALL_PIECES
from services.games.contract import SEATS, BadText, Seat

SHARED: Seat = ""
"""The owner of a colour that the seats play in turn (sheet §5, ``classic-3``)."""

NOBODY = -1
"""No colour: nobody can place any more, or nothing has been placed yet."""


class Variant(msgspec.Struct, frozen=True):
    """A way to play (sheet §5); colours stand in the order of play.

    ``owners`` and ``starts`` (a colour's own start square) go by colour. ``corners`` are the
    values the option of that name can have, the usual one first.
    """

    seats: int
    size: int
    colours: tuple[str, ...]
    owners: tuple[Seat, ...]
    starts: tuple[str, ...]
    corners: tuple[str, ...]

    @property
    def seat_names(self) -> tuple[Seat, ...]:
        """The seats, A first."""
        return SEATS[: self.seats]

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return board(self.size)

    def number(self, colour: str) -> int:
        """The place of a colour in the order of play; ``BadText`` if it is not in the game."""
        if colour not in self.colours:
            known = ", ".join(self.colours)
            raise BadText(f"{colour[:20]!r} is no colour here; there are {known}.")
        return self.colours.index(colour)


_FOUR = ("blue", "yellow", "red", "green")
_CORNERS = ("a20", "t20", "t1", "a1")
_CHOICE = ("any", "fixed")

VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {
        "classic": Variant(4, 20, _FOUR, ("A", "B", "C", "D"), _CORNERS, _CHOICE),
        "classic-2": Variant(2, 20, _FOUR, ("A", "B", "A", "B"), _CORNERS, _CHOICE),
        "classic-3": Variant(3, 20, _FOUR, ("A", "B", "C", SHARED), _CORNERS, _CHOICE),
        "duo": Variant(2, 14, ("blue", "green"), ("A", "B"), ("e10", "j5"), ("fixed",)),
    }
)


class Ruleset(msgspec.Struct, frozen=True):
    """A variant, and whether a colour starts in ``any`` corner or in its own (``fixed``)."""

    variant: str
    corners: str

    @property
    def sheet(self) -> Variant:
        """The variant's entry in the rule sheet."""
        return VARIANTS[self.variant]


class Position(msgspec.Struct, frozen=True):
    """A position; tuples go by colour, and sets (of squares, pieces, colours) are integers.

    ``placed`` holds each colour's pieces in the order of placing, ``covered`` all its squares,
    ``left`` the pieces it still has. ``done`` is the set of colours that place nothing more,
    ``out`` the seats that gave up. ``shares`` counts the turns of a shared colour that are used
    up. ``next`` is the colour to place, ``last`` the one that placed last (``NOBODY``: none).
    """

    ruleset: Ruleset
    placed: tuple[tuple[int, ...], ...]
    covered: tuple[int, ...]
    left: tuple[int, ...]
    done: int = 0
    out: tuple[Seat, ...] = ()
    shares: int = 0
    next: int = 0
    last: int = NOBODY

    @property
    def sheet(self) -> Variant:
        """The variant's entry in the rule sheet."""
        return VARIANTS[self.ruleset.variant]

    @property
    def board(self) -> Board:
        """The board it is played on."""
        return board(VARIANTS[self.ruleset.variant].size)

    def seat_of(self, colour: int) -> Seat:
        """The seat that places this colour's next piece."""
        sheet = self.sheet
        return sheet.owners[colour] or SEATS[self.shares % sheet.seats]


def empty(ruleset: Ruleset) -> Position:
    """The board before the first piece."""
    colours = len(ruleset.sheet.colours)
    return Position(ruleset, ((),) * colours, (0,) * colours, (ALL_PIECES,) * colours)


def put(position: Position, colour: int, mask: int) -> Position:
    """The position with one more piece on the board; whose turn it is does not move on."""
    sheet = position.sheet
    piece = 1 << sheet.board.by_mask[mask].piece
    placed, covered, left = position.placed, position.covered, position.left
    after = colour + 1
    return Position(
        position.ruleset,
        (*placed[:colour], (*placed[colour], mask), *placed[after:]),
        (*covered[:colour], covered[colour] | mask, *covered[after:]),
        (*left[:colour], left[colour] & ~piece, *left[after:]),
        position.done,
        position.out,
        position.shares + (sheet.owners[colour] == SHARED),
        position.next,
        colour,
    )
