"""The players' rule book says what the rules do: its tables are read and played."""

import re

import pytest

from services.games.blokus import rules
from services.games.blokus.notation import read_placement
from services.games.blokus.pieces import PIECE_NUMBERS, PIECES
from services.games.blokus.position import VARIANTS, put
from tests.kit.tree import ROOT

BOOK = (ROOT / "seeds" / "blokus" / "RULES.md").read_text(encoding="utf-8")


def table(heading: str) -> list[tuple[str, ...]]:
    """The rows of the table whose heading begins like this, without marks of code."""
    body = BOOK.split(f"\n| {heading} |", 1)[1].split("\n\n", 1)[0]
    rows = body.replace("`", "").splitlines()[2:]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]


def test_the_book_names_every_piece_by_its_squares() -> None:
    """The table of pieces is that of the program."""
    named = {name: int(size) for size, names in table("squares") for name in names.split()}
    assert named == {piece.name: piece.size for piece in PIECES}


def test_the_book_lists_the_variants() -> None:
    """Names and numbers of seats."""
    assert {name: int(seats) for name, seats, _ in table("variant")} == {
        name: variant.seats for name, variant in VARIANTS.items()
    }


def test_the_examples_of_scores_are_right() -> None:
    """Each row of the table of scores."""
    for left, last, score in table("left"):
        names = [] if left == "nothing" else left.split()
        pieces = sum(1 << PIECE_NUMBERS[name] for name in names)
        assert rules.colour_score(pieces, PIECE_NUMBERS[last]) == int(score)


@pytest.mark.parametrize("row", table("on the board"), ids=" ".join)
def test_an_example_of_a_move_is_right(row: tuple[str, ...]) -> None:
    """The reason in the book is the reason given."""
    on_board, colour, move, reason = row
    position = rules.setup(rules.ruleset({}))
    for name, squares in re.findall(r"(\w+) (\S+)", on_board):
        mask = read_placement(position.board, squares).mask
        position = put(position, position.sheet.number(name), mask)
    objection = rules.colour_objection(position, position.sheet.number(colour), move)
    assert (objection.code if objection else "-") == reason
    assert reason in {"-", *(code for code, _ in table("reason"))}
