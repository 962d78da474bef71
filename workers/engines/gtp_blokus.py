"""Blokus as programs speak of it over GTP: names of variants and colours, and a free board.

Programs know fixed start corners only, name a variant as ``set_game`` does, and let any colour
place at any time: who keeps the turn is the other side's business. A colour that cannot place is
skipped without a word.
"""

from collections.abc import Mapping
from itertools import zip_longest
from types import MappingProxyType

import msgspec
from msgspec.structs import replace

from services.games.blokus import rules
from services.games.blokus.notation import read_placement
from services.games.blokus.position import Position, Ruleset, put
from services.games.contract import BadText

NAMES = MappingProxyType(
    {
        "classic": "Blokus",
        "classic-2": "Blokus Two-Player",
        "classic-3": "Blokus Three-Player",
        "duo": "Blokus Duo",
    }
)
"""What ``set_game`` calls our variants."""

Placed = tuple[int, str]
"""A colour's place in the order of play, and the squares of its piece."""

POINTS_OF_ALL = 89
"""Programs count squares placed, the rule sheet squares left: this much apart (§4)."""


def colour_name(ruleset: Ruleset, colour: int) -> str:
    """How a colour is named in commands: ``b`` and ``w`` of two, else 1 to 4."""
    colours = ruleset.sheet.colours
    return "bw"[colour] if len(colours) == 2 else str(colour + 1)  # noqa: PLR2004 - two colours


def colour_named(ruleset: Ruleset, name: str) -> int:
    """The colour of a name, by ``colour_name``, its number or its own name; ``BadText`` if none.

    >>> colour_named(Ruleset("duo", "fixed"), "W"), colour_named(Ruleset("classic", "any"), "red")
    (1, 2)
    """
    for colour, own in enumerate(ruleset.sheet.colours):
        short = colour_name(ruleset, colour)
        if name.lower() in (own, short, str(colour + 1), {"b": "black", "w": "white"}.get(short)):
            return colour
    raise BadText(f"invalid color argument '{name}'")


def placements(position: Position) -> tuple[Placed, ...]:
    """The pieces on the board in the order in which they were placed.

    Every colour places once a round until it cannot, so the rounds tell the order. (Where a
    seat gave up, turns of a shared colour are missing: any order of rounds is legal all the same,
    for a colour's pieces stand in each other's way alone and keep theirs.)
    """
    board = position.board
    return tuple(
        (colour, board.text(mask))
        for pieces in zip_longest(*position.placed)
        for colour, mask in enumerate(pieces)
        if mask is not None
    )


class FreeBoard(msgspec.Struct, frozen=True):
    """A board on which any colour may place, and which keeps the turn for those who ask."""

    position: Position

    def place(self, colour: int, move: str) -> "FreeBoard":
        """The board with a piece more; ``BadText`` where the colour may not place it.

        While everybody keeps to the order of play the position is exactly that of a match.
        """
        at = self.position
        if wrong := rules.colour_objection(at, colour, move):
            raise BadText(wrong.sentence)
        if colour == at.next:
            return FreeBoard(rules.apply(at, move).position)
        mask = read_placement(at.board, move).mask
        return FreeBoard(_turn_to(put(at, colour, mask), colour + 1))

    def to_place(self, colour: int) -> Position | None:
        """The position with this colour to place next; None if it cannot place any more."""
        at = self.position if self.position.next == colour else _turn_to(self.position, colour)
        return at if at.next == colour else None

    def legal(self, colour: int) -> tuple[str, ...]:
        """Every legal placement of a colour."""
        return rules.colour_moves(self.position, colour)

    def points(self) -> Mapping[str, int]:
        """The points of each colour, counted in squares placed."""
        sheet, standing = self.position.sheet, rules.standing(self.position)
        return {colour: standing.parts[colour] + POINTS_OF_ALL for colour in sheet.colours}


def _turn_to(position: Position, colour: int) -> Position:
    """The same board with another colour to place, or the next one that still can."""
    names = position.sheet.colours
    pieces = ((names[owner], squares) for owner, squares in placements(position))
    turned = rules.arrange(position.ruleset, pieces, names[colour % len(names)])
    # A colour that passed stays out of play: its contact points only ever get fewer.
    return replace(turned, done=turned.done | position.done, last=position.last)
