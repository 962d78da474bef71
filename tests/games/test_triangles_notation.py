"""Triangles as text: one spelling a placement, one line a position, and nothing else is read."""

import pytest

from services.games.contract import BadText
from services.games.triangles import notation, rules
from services.games.triangles.tiles import NUMBERS, tiles_in
from tests.kit.playouts import Dice

OPTIONS = (
    "triangles target=400 hand_size=8 score_placement=true opening_tile=qualifying"
    " bridge_two_sides=false max_rounds=40 players=2"
)
LINE = (
    f"{OPTIONS} round=2 totals=36,159 start=B reason=previous-winner tile=-"
    " turns=B:333u0.0,A++:133d0.-1,B+ A=000+012+013+?6 B=?8 market=?37 out=-"
)
FIRST = f"{OPTIONS} round=0 totals=0,0 start=- reason=- tile=- turns=- A=- B=- market=?56 out=-"


def test_a_position_line_keeps_the_public_history() -> None:
    """Who drew how often, on which table; points, counts and turns follow from it."""
    position = notation.parse_position(LINE)
    assert notation.format_position(position) == LINE
    assert position.points == (-3, 14)
    assert [position.hand_count(seat) for seat in (0, 1)] == [9, 8]
    assert rules.awaiting(position) == "B"
    assert position.drawn == 1
    assert position.sums() == (33, 173)


def test_the_first_position_is_a_line_too() -> None:
    """Nothing has been dealt yet."""
    assert notation.parse_position(FIRST) == rules.setup(rules.ruleset({}))
    assert notation.format_position(rules.setup(rules.ruleset({}))) == FIRST


def test_hands_are_written_in_the_order_of_the_tiles() -> None:
    """§11: where a tile stands in the line tells nothing of when it came."""
    position = rules.deal(rules.setup(rules.ruleset({})), Dice(1)).position
    line = notation.format_position(rules.view(position, "A"))
    (hand,) = (field for field in line.split(" ") if field.startswith("A="))
    names = hand.removeprefix("A=").split("+")
    assert names == sorted(names)
    assert " B=?8 market=?40 " in line


@pytest.mark.parametrize("text", ["", "333", "333u0", "333u0.0.0", "021u0.0", "333u-0.0", "pass"])
def test_what_is_no_placement_has_no_canonical_spelling(text: str) -> None:
    """A text is never mended on the way into the log."""
    with pytest.raises(BadText):
        notation.canonical(rules.setup(rules.ruleset({})), text)


@pytest.mark.parametrize(
    ("drawn", "expected"),
    [(0, "B:433d0.-1"), (2, "B++:433d0.-1"), ((), "B:433d0.-1"), ((2, 55), "B+002+555:433d0.-1")],
)
def test_a_turn_is_written_as_the_sheet_does(drawn: int | tuple[int, ...], expected: str) -> None:
    """§12: tiles drawn by name in a full record, by count in a public one."""
    placement = notation.read_placement("433d0.-1")
    assert notation.turn_text("B", drawn, placement) == expected
    assert notation.turn_text("A", 0, None) == "A:-"


def test_lists_of_tiles_are_read_in_their_order() -> None:
    """The market's order is part of a full position."""
    assert notation.read_tiles("555+000") == (NUMBERS["555"], NUMBERS["000"])
    assert notation.read_tiles("-") == ()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("triangles", "blokus", "begins with triangles"),
        ("target=400", "target=300", "target is one of"),
        ("target=400 ", "", "stand the options"),
        ("players=2", "players=3", "stand round, totals"),
        ("hand_size=8", "hand_size=08", "hand_size is one of 7 to 16"),
        ("round=2", "round=02", "leading zeros"),
        ("round=2", "round=-2", "leading zeros"),
        ("round=2", "round=1", "No round is dealt"),
        ("totals=36,159", "totals=36", "a number for each seat"),
        ("totals=36,159", "totals=36,-0", "leading zeros"),
        ("totals=36,159", "totals=36,400", "No round is dealt"),
        ("start=B", "start=C", "start is a seat"),
        ("previous-winner", "luck", "one of triple"),
        ("tile=-", "tile=333", "tile is - where none"),
        ("previous-winner", "triple", "tile is the qualifying tile"),
        ("reason=previous-winner tile=-", "reason=triple tile=334", "a triple exactly"),
        ("reason=previous-winner tile=-", "reason=triple tile=222", "qualifying tile 222"),
        ("B:333u0.0", "A:333u0.0", "turn 1 is that of B"),
        ("B:333u0.0", "B+:333u0.0", "Nobody draws on an empty table"),
        ("B:333u0.0", "B:-", "Nobody passes"),
        ("B:333u0.0", "B:333u1.0", "written at u0.0"),
        ("A++:133d0.-1", "A++:-", "Nobody passes"),
        ("A++:133d0.-1", "A++:313d0.-1", "would meet"),
        ("A++:133d0.-1", "A++:133d5.5", "shares no side"),
        ("A++:133d0.-1", "A++:333d0.-1", "placed twice"),
        ("A++:133d0.-1", "A++", "Only the last turn"),
        (",B+ ", ",B ", "Only the last turn"),
        (",B+ ", ",A+ ", "turn 3 is that of B"),
        (",B+ ", f",B{'+' * 39} ", "more than there is"),
        (",B+ ", ",pass ", "is no turn"),
        ("A=000+012+013+?6", "A=000+012+013+?5", "A has 9 tiles"),
        ("A=000+012+013+?6", "A=000+000+013+?6", "different tiles"),
        ("A=000+012+013+?6", "A=000+012+333+?6", "No tile is in two places"),
        ("A=000+012+013+?6", "A=012+000+013+?6", "is spelled"),
        ("A=000+012+013+?6", "A=000+012+013?6", "no list of tiles"),
        ("B=?8", "B=?08", "leading zeros"),
        ("B=?8", "B=000+001+002+003+004+005+011+022", "No tile is in two places"),
        ("B=?8", "B=001+002+003+004+005+011+022+024", "nothing to place"),
        ("market=?37", "market=?36", "The market has 37"),
        ("market=?37", "market=055+?36", "all shown or none"),
        ("out=-", "out=C", "the seat that gave up"),
        (" out=-", " out=- ", "each once"),
        (LINE, LINE + "x" * 3_000, "at most"),
        (LINE, "", "begins with triangles"),
    ],
)
def test_a_line_that_is_not_whole_is_refused(old: str, new: str, said: str) -> None:
    """Each part is checked, and a position has exactly one spelling."""
    assert old in LINE
    with pytest.raises(BadText, match=said):
        notation.parse_position(LINE.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"), [("totals=0,0", "totals=0,1"), ("turns=-", "turns=A:333u0.0"), ("A=-", "A=?8")]
)
def test_before_the_first_round_there_is_nothing(old: str, new: str) -> None:
    """No totals, turns or hands."""
    with pytest.raises(BadText):
        notation.parse_position(FIRST.replace(old, new))


def test_hands_are_shown_when_a_round_is_over() -> None:
    """§11: nothing is hidden then, no turn follows, and the end is counted again."""
    position, dice = rules.setup(rules.ruleset({})), Dice(2)
    while not position.end:
        if position.is_running:
            moves = rules.moves(position).texts
            position = rules.apply(position, moves[dice.below(len(moves))]).position
        else:
            position = rules.deal(position, dice).position
    view = rules.view(position, None)
    line = notation.format_position(view)
    assert notation.parse_position(line) == view
    held = next(n for n in (0, 1) if view.hands[n])
    hand = f"{view.seats[held]}={notation.tiles_text(tiles_in(view.hands[held]))} "
    hidden = f"{view.seats[held]}=?{view.hand_count(held)} "
    with pytest.raises(BadText, match="all hands are shown"):
        notation.parse_position(line.replace(hand, hidden))
    last = notation.turn_text("A", 0, None)
    with pytest.raises(BadText, match="No turn follows"):
        notation.parse_position(line.replace(f" {view.seats[0]}=", f",{last} {view.seats[0]}=", 1))
