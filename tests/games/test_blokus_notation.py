"""Blokus as text: one spelling a move, one line a position, and nothing else is read."""

import pytest

from services.games.blokus import notation, rules
from services.games.contract import BadText

LINE = (
    "blokus duo corners=fixed next=green last=blue shares=0 done=- out=- "
    "blue=e9,e10/f6,f7,f8 green=i5,j5"
)


def test_a_move_is_kept_row_by_row_from_the_bottom() -> None:
    """Sheet §2: any order and upper case on input, one spelling in the record."""
    position = rules.setup(rules.ruleset({}))
    for text in ("f11,f10,e10,g10,f9", "F9,E10,f10,g10,f11"):
        assert notation.canonical(position, text) == "f9,e10,f10,g10,f11"


@pytest.mark.parametrize("text", ["", "a1,a1", "z1", "a1,c1", "a1 ,b1", "pass"])
def test_what_is_no_piece_has_no_canonical_spelling(text: str) -> None:
    """A text is never mended on the way into the log."""
    with pytest.raises(BadText):
        notation.canonical(rules.setup(rules.ruleset({})), text)


def test_a_position_line_keeps_the_order_of_placing() -> None:
    """The last piece decides about a bonus, so the order is part of the position."""
    position = notation.parse_position(LINE)
    assert notation.format_position(position) == LINE
    assert [position.board.text(mask) for mask in position.placed[0]] == ["e9,e10", "f6,f7,f8"]


def test_a_set_up_position_survives_as_a_line() -> None:
    """Setup positions travel as lines, pieces beside each other included."""
    ruleset = rules.ruleset({"variant": "classic-3", "corners": "fixed"})
    position = rules.arrange(ruleset, [("green", "a1"), ("green", "b1,c1"), ("red", "t1")], "green")
    assert rules.awaiting(position) == "C"
    line = notation.format_position(position)
    assert "shares=2" in line
    assert notation.parse_position(line) == position


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("blokus", "chess", "begins with blokus"),
        ("duo", "trigon", "begins with blokus"),
        ("fixed", "any", "corners is one of fixed"),
        ("fixed", "", "corners is one of fixed"),
        ("next=green", "next=red", "'red' is no colour"),
        ("next=green", "next=-", "next is a colour that is not done"),
        ("done=-", "done=green", "next is a colour that is not done"),
        ("done=-", "done=blue,-", "'-' is no colour"),
        ("done=-", "done=blue,blue", "is spelled"),
        ("out=-", "out=A", "colours of a seat that gave up"),
        ("out=-", "out=C", "out lists seats"),
        ("out=-", "out=A,B", "out lists seats"),
        ("last=blue", "last=", "'' is no colour"),
        ("shares=0", "shares=1", "shares counts the turns"),
        ("shares=0", "shares=00", "is spelled"),
        ("shares=0", "shares=-1", "two digits"),
        ("shares=0", "shares=\u00b2", "two digits"),
        ("f6,f7,f8", "f7,f6,f8", "canonical spelling"),
        ("f6,f7,f8", "g1,g2", "is used already"),
        ("i5,j5", "e8,e9", "lies on another piece"),
        ("i5,j5", "", "canonical spelling"),
        (" out=-", "", "each once"),
        (" out=-", " out=- out=-", "is spelled"),
        (" blue", "  blue", "is spelled"),
        (LINE, LINE + " ", "is spelled"),
        (LINE, LINE + " note=1", "each once"),
        (LINE, LINE + "x" * 3_000, "at most"),
        (LINE, "", "begins with blokus"),
    ],
)
def test_a_line_that_is_not_whole_is_refused(old: str, new: str, said: str) -> None:
    """Each part is checked, and a position has exactly one spelling."""
    with pytest.raises(BadText, match=said):
        notation.parse_position(LINE.replace(old, new))
