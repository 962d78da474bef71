"""The players' rule book of Hedgerow says what the rules do: its tables are read and played."""

import re

import pytest

from services.games.hedgerow import harvest, rules
from services.games.hedgerow.board import AREA, EMPTY, SQUARES, Board, set_of
from services.games.hedgerow.pieces import GLYPHS, PIECE_NAMES, TYPE_OF, TYPE_TRIANGLES, TYPES
from services.games.hedgerow.position import OPTIONS
from services.games.hedgerow.regions import regions
from services.games.hedgerow.tokens import read_path
from tests.kit.tree import ROOT

BOOK = (ROOT / "seeds" / "hedgerow" / "RULES.md").read_text(encoding="utf-8")


def tables(heading: str) -> list[tuple[str, ...]]:
    """The rows of all tables whose heading begins like this, without marks of code."""
    bodies = [part.split("\n\n", 1)[0] for part in BOOK.split(f"\n| {heading} |")[1:]]
    rows = [row for body in bodies for row in body.replace("`", "").splitlines()[2:]]
    return [tuple(cell.strip() for cell in row.strip("|").split("|")) for row in rows]


def laid(pieces: str, around: str = "") -> Board:
    """A board with these pieces, and the piece ``around`` on every other square."""
    board = bytearray(EMPTY)
    if around:
        board = bytearray([PIECE_NAMES[around]] * AREA)
    for name, square in re.findall(r"(\w+)@(\w+)", pieces):
        board[SQUARES[square]] = PIECE_NAMES[name]
    return bytes(board)


REASONS = {reason for reason, _ in tables("reason")}


def test_the_book_lists_the_pieces() -> None:
    """Types, their triangles, and every way to lay them."""
    listed = {name: (int(number), ways.split()) for name, _, number, ways in tables("type")}
    triangles = {name: number for name, (number, _) in listed.items()}
    assert triangles == dict(zip(TYPES, TYPE_TRIANGLES, strict=True))
    ways = {(way, name) for name, (_, named) in listed.items() for way in named}
    assert ways == {(glyph, TYPES[TYPE_OF[number]]) for number, glyph in enumerate(GLYPHS)}


def test_the_book_lists_the_options() -> None:
    """Names and values, the usual one first."""
    listed = {name: tuple(values.split()) for name, values, _ in tables("option")}
    assert listed == dict(OPTIONS)


@pytest.mark.parametrize("row", tables("played"), ids=" ".join)
def test_an_example_of_a_placement_is_right(row: tuple[str, ...]) -> None:
    """The reason in the book is the reason given."""
    played, move, reason = row
    position = rules.setup(rules.ruleset({}))
    for earlier in played.split():
        assert rules.objection(position, earlier) is None
        position = rules.apply(position, earlier).position
    objection = rules.objection(position, move)
    assert (objection.code if objection else "-") == reason
    assert reason in {"-", *REASONS}


@pytest.mark.parametrize("row", [row for row in tables("pieces") if len(row) == 4], ids=" ".join)
def test_an_example_of_a_field_is_right(row: tuple[str, ...]) -> None:
    """The field's kind and points."""
    pieces, field, kind, points = row
    found = {region.name: region for region in regions(laid(pieces, around="2X"))}
    assert (found[field].kind, found[field].points) == (kind, int(points))


@pytest.mark.parametrize("row", [row for row in tables("pieces") if len(row) == 3], ids=" ".join)
def test_an_example_of_a_harvest_is_right(row: tuple[str, ...]) -> None:
    """The points of a path, or the reason why there is none."""
    pieces, text, expected = row
    board, path = laid(pieces), read_path(text)
    standing = set_of(square for square in range(AREA) if board[square])
    objection = harvest.path_objection(board, standing, 1, path)
    found = objection.code if objection else harvest.path_score(board, 1, path, isolation=2)
    assert found == (expected if expected in REASONS else int(expected))


def test_the_book_names_every_reason() -> None:
    """The reasons of the book are those of the program."""
    source = "".join(
        (ROOT / "services" / "games" / "hedgerow" / f"{name}.py").read_text(encoding="utf-8")
        for name in ("rules", "placement", "harvest")
    )
    given = set(re.findall(r'Objection\(\s*"([a-z-]+)"', source)) - {"no-entry"}
    assert given == REASONS
