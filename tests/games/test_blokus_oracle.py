"""Blokus against a second program that shares no code with it, and against counted trees."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.games.blokus import rules
from services.games.blokus.board import board
from services.games.blokus.notation import parse_position
from services.games.blokus.pieces import PIECES, orientations
from services.games.blokus.position import NOBODY, Position
from services.games.registry import game
from tests.games import blokus_reference as reference
from tests.kit.playouts import Dice, playout, seeded_rulesets

BLOKUS = game("blokus")
GOLDEN = Path(__file__).parent / "golden"


def as_shape(size: int, mask: int) -> reference.Shape:
    """A set of squares as the second program has it."""
    return frozenset((i % size, i // size) for i in range(size * size) if mask >> i & 1)


def as_text(shape: reference.Shape) -> str:
    """A shape in canonical spelling, written a second time."""
    return ",".join(
        f"{'abcdefghijklmnopqrst'[x]}{y + 1}" for y, x in sorted((y, x) for x, y in shape)
    )


def reference_moves(position: Position, colour: int) -> set[str]:
    """A colour's legal moves by the second program."""
    size = position.board.size
    shapes = [[as_shape(size, mask) for mask in masks] for masks in position.placed]
    starts = as_shape(size, rules.start_squares(position.ruleset)[colour])
    others = [s for other, own in enumerate(shapes) if other != colour for s in own]
    return {as_text(s) for s in reference.legal(size, shapes[colour], others, set(starts))}


def test_the_pieces_are_all_shapes_of_one_to_five_squares() -> None:
    """Grown shapes number 1, 2, 6, 19, 63 fixed and 21 free ones; the table has exactly these."""
    assert [len(reference.fixed_shapes(n)) for n in range(1, 6)] == [1, 2, 6, 19, 63]
    ours = {
        frozenset((column, row) for row, column in cells)
        for piece in PIECES
        for cells in orientations(piece)
    }
    grown = frozenset().union(*map(reference.fixed_shapes, range(1, 6)))
    assert ours == grown
    assert len(ours) == 91
    assert len({reference.kind(shape) for shape in grown}) == len(PIECES) == 21


@pytest.mark.parametrize(("size", "count"), [(20, 30_433), (14, 13_729)])
def test_a_board_knows_every_placement_once(size: int, count: int) -> None:
    """As many placements as the second program finds, and the same ones."""
    found = {placement.text for placement in board(size).placements}
    assert len(found) == len(board(size).placements) == count
    assert found == {as_text(shape) for shape, _ in reference.placements(size)}


@pytest.mark.parametrize(
    "data", [pytest.param(d, id=n) for n, d in seeded_rulesets("blokus").items()]
)
def test_both_programs_list_the_same_moves(data: dict[str, Any]) -> None:
    """Along a random game every colour's moves agree, and so does who has none left."""
    start = rules.setup(rules.ruleset(data))
    for ply, turn in enumerate(playout(BLOKUS, start, Dice(5))):
        if ply % 9 == 0:
            position: Position = turn.step.position
            for colour in range(len(position.sheet.colours)):
                expected = reference_moves(position, colour)
                assert set(rules.colour_moves(position, colour)) == expected
                assert not (position.done >> colour & 1 and expected)
                assert position.next != colour or expected


def leaves(position: Position, depth: int) -> int:
    """How many lines of play there are, ``depth`` plies deep or to the end before that."""
    if position.next == NOBODY:
        return 1
    moves = rules.moves(position).texts
    if depth == 1:
        return len(moves)
    return sum(leaves(rules.apply(position, move).position, depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("data", "count"),
    [
        ({"variant": "classic", "corners": "fixed"}, 58 * 58),
        ({"variant": "classic", "corners": "any"}, 232 * 174),
        ({"variant": "duo"}, 414 * 414),
    ],
)
def test_the_opening_tree_has_its_known_size(data: dict[str, str], count: int) -> None:
    """First pieces cannot meet: 58 a corner, 414 a start square of Duo."""
    assert leaves(rules.setup(rules.ruleset(data)), 2) == count


def test_endgame_trees_have_the_sizes_both_programs_counted() -> None:
    """Ends of play, passes and skipped colours included, one to four plies deep."""
    trees = json.loads((GOLDEN / "blokus_endgame_trees.json").read_text(encoding="utf-8"))
    assert len(trees) == 3
    for tree in trees:
        position = parse_position(tree["position"])
        assert [leaves(position, depth) for depth in (1, 2, 3, 4)] == tree["leaves"]
