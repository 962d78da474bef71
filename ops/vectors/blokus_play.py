"""What the Blokus formats share: records replayed, and what can be read off a position."""

from collections import Counter
from collections.abc import Iterable, Sequence

from services.games.blokus import rules
from services.games.blokus.pieces import pieces_in
from services.games.blokus.position import Position, Ruleset


def played(ruleset: Ruleset, record: Iterable[Sequence[str]]) -> Position:
    """The position after (colour, move) pairs in turn order, each judged; passes follow."""
    position = rules.setup(ruleset)
    for ply, (colour, move) in enumerate(record, start=1):
        due = rules.colour_to_place(position)
        if colour != due:
            raise ValueError(f"ply {ply}: {colour} plays, but it is the turn of {due or 'nobody'}")
        if wrong := rules.objection(position, move):
            raise ValueError(f"ply {ply}: {colour} {move}: {wrong.code}: {wrong.sentence}")
        position = rules.apply(position, move).position
    return position


def by_piece(position: Position, moves: Iterable[str]) -> Counter[int]:
    """How many of these moves place each piece, by piece number."""
    placements = position.board.by_text
    return Counter(placements[move].piece for move in moves)


def pieces_left(position: Position) -> dict[str, tuple[int, ...]]:
    """The numbers of the pieces each colour has left."""
    left = map(pieces_in, position.left)
    return dict(zip(position.sheet.colours, left, strict=True))
