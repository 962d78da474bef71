"""Positions of Triangles set up for tests: tiles lying, hands and market as wished."""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from services.games.triangles import play, rules
from services.games.triangles.lattice import Layout
from services.games.triangles.notation import read_placement
from services.games.triangles.position import Opening, Position
from services.games.triangles.tiles import ALL_TILES, NUMBERS, as_set


def tiles(names: str) -> int:
    """The set of the tiles named."""
    return as_set(NUMBERS[name] for name in names.split())


def laid(
    board: Sequence[str],
    hands: Sequence[int],
    market: str = "",
    to_move: int = 0,
    **options: Any,
) -> Position:
    """A running first round with this board; it need not have been reachable."""
    ruleset = rules.ruleset(options)
    opener = (to_move - len(board)) % ruleset.players
    position = replace(
        rules.setup(ruleset),
        round=1,
        opening=Opening(opener, "triple"),
        hands=(ALL_TILES,) * ruleset.players,
        next=opener,
        unseen=0,
    )
    for move in board:
        assert rules.objection(position, move) is None, move
        position = play.place(position, read_placement(move))[0]
    return replace(
        position,
        hands=tuple(hands),
        points=(0,) * ruleset.players,
        market=tuple(NUMBERS[name] for name in market.split()),
    )


def layout_of(board: Sequence[str]) -> Layout:
    """The tiles as they lie."""
    return laid(board, (0, 0)).layout
