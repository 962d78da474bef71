"""What the sheet of Blokus says of every match, read off the squares one by one."""

from collections.abc import Sequence

from services.games.blokus import rules
from services.games.blokus.notation import canonical
from tests.games.blokus_reference import Shape, corners_of, kind, neighbours_of
from tests.kit.playouts import Turn


def shape(move: str) -> Shape:
    """The squares of a move, as columns and rows."""
    return frozenset((ord(text[0]) - ord("a"), int(text[1:]) - 1) for text in move.split(","))


def pieces_touch_their_own_colour_at_corners_alone(match: Sequence[Turn]) -> None:
    """§3: free squares, no edge of the own colour, a corner of it from the second piece on."""
    taken: set[tuple[int, int]] = set()
    own: dict[str | None, set[tuple[int, int]]] = {}
    for turn in match:
        mine = own.setdefault(rules.colour_to_place(turn.position), set())
        piece = shape(turn.move)
        assert not piece & taken
        assert not any(neighbours_of(square) & mine for square in piece)
        assert not mine or any(corners_of(square) & mine for square in piece)
        taken |= piece
        mine |= piece


def a_piece_is_placed_once(match: Sequence[Turn]) -> None:
    """§1, §3: 21 pieces a colour, each of another shape; 84 placements at most."""
    placed = [(rules.colour_to_place(turn.position), kind(shape(turn.move))) for turn in match]
    assert len(placed) == len(set(placed)) <= 84
    assert all(canonical(turn.position, turn.move) == turn.move for turn in match)


def a_pass_is_final(match: Sequence[Turn]) -> None:
    """§3: a colour that has passed never places again, and all have passed at the end."""
    passed: set[str] = set()
    for turn in match:
        assert rules.colour_to_place(turn.position) not in passed
        passed |= {fact.removeprefix("pass ") for fact in turn.step.facts if fact[:5] == "pass "}
    assert passed == set(match[-1].position.sheet.colours)


LAWS = (pieces_touch_their_own_colour_at_corners_alone, a_piece_is_placed_once, a_pass_is_final)
SIGHTS = {
    "a colour passes while others place": lambda match: any(t.step.facts for t in match[:-1]),
}
