"""The players' rule book of Triangles says what the rules do: its tables are read and played."""

import pytest

from services.games.triangles import play, points, rules
from services.games.triangles.notation import read_placement
from services.games.triangles.options import VALUES, option_text
from services.games.triangles.position import Position
from services.games.triangles.tiles import ALL_TILES, NUMBERS, TILES, as_set, value_of
from tests.games.triangles_tables import laid
from tests.kit.tree import ROOT

BOOK = (ROOT / "seeds" / "triangles" / "RULES.md").read_text(encoding="utf-8")


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table with this heading, without marks of code."""
    body = BOOK.split(f"\n| {heading} |\n", 1)[1].split("\n\n", 1)[0]
    rows = body.replace("`", "").splitlines()[1:]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]


def on_table(board: str) -> Position:
    """A position with these tiles lying; the seat to move holds every tile."""
    return laid(board.split(), hands=(ALL_TILES, ALL_TILES))


def test_the_book_knows_the_values() -> None:
    """Each row of the table of values."""
    for name, value in table("tile | value"):
        assert value_of(1 << NUMBERS[name]) == int(value)


@pytest.mark.parametrize("row", table("on the table | move | reason"), ids=" ".join)
def test_an_example_of_a_move_is_right(row: tuple[str, ...]) -> None:
    """The reason in the book is the reason given."""
    board, move, reason = row
    objection = rules.objection(on_table(board), move)
    assert (objection.code if objection else "-") == reason
    assert reason in {"-", *(code for code, _ in table("reason | what is wrong"))}


@pytest.mark.parametrize("row", table("on the table | move | points"), ids=" ".join)
def test_an_example_of_points_is_right(row: tuple[str, ...]) -> None:
    """The points in the book are the points given."""
    board, move, expected = row
    position = on_table(board)
    assert rules.objection(position, move) is None
    earned = points.placement_points(position.ruleset, position.layout, read_placement(move))
    assert earned.total == int(expected)


def test_the_examples_of_openers_are_right() -> None:
    """Largest triple, else the highest tile."""
    for hands, seat, tile in table("hands | opens | with"):
        held = [as_set(NUMBERS[n] for n in hand.split()[1:]) for hand in hands.split(",")]
        opening = play.qualifying(held)
        assert ("AB"[opening.seat], TILES[opening.tile]) == (seat, tile)


def test_the_book_lists_the_options() -> None:
    """Names in their order, and what they usually are."""
    usual = rules.ruleset_data(rules.ruleset({}))
    listed = [(name, value) for name, value, _ in table("option | usually | values")]
    assert listed == [(name, option_text(usual[name])) for name in VALUES]
