"""Blokus, rule by rule, where the law suite and the vectors say nothing: cites the sheet."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.games.blokus import rules
from services.games.blokus.position import NOBODY, Position
from services.games.contract import BadText, Over
from tests.games.test_vectors import BLOKUS


def opened(variant: str = "classic", *moves: str, corners: str = "any") -> Position:
    """The position after these moves in turn order."""
    position = rules.setup(rules.ruleset({"variant": variant, "corners": corners}))
    for move in moves:
        assert rules.objection(position, move) is None
        position = rules.apply(position, move).position
    return position


def code(position: Position, move: str) -> str:
    """The reason code of a move, or ``ok``."""
    objection = rules.objection(position, move)
    return objection.code if objection else "ok"


FIRST_FOUR = ("a18,a19,a20", "t20", "t1", "a1")


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("", "notation"),
        ("a", "notation"),
        ("a0", "notation"),
        ("a01", "notation"),
        ("a1,", "notation"),
        ("a1, b1", "notation"),
        ("a1;b1", "notation"),
        ("a\u0661", "notation"),  # a digit, but not one of ours
        ("\u212a1", "notation"),  # the Kelvin sign, whose lower case is k
        ("a1\n", "notation"),
        ("a1,a1", "duplicate-square"),
        ("z1,Z1", "duplicate-square"),
        ("a1,a1,z99", "duplicate-square"),
        ("z1", "off-board"),
        ("a21", "off-board"),
        ("a" + "9" * 5_000, "off-board"),
        ("u1,a1", "off-board"),
        ("a1,a2,a3,a4,a5,a6", "not-a-piece"),
        ("a1,b2", "not-a-piece"),
        ("a20,b20,c20", "piece-used"),
        ("t20,s20", "overlap"),
        ("a17,b17", "own-edge-contact"),
        ("j10,k10", "no-own-corner-contact"),
        ("B17,b16", "ok"),
    ],
)
def test_the_first_reason_that_applies_is_given(move: str, reason: str) -> None:
    """§3: notation, duplicate-square, off-board, not-a-piece, piece-used, overlap, contact."""
    assert code(opened("classic", *FIRST_FOUR), move) == reason


def test_reasons_have_the_order_of_the_sheet() -> None:
    """§3: a used piece before an overlap, an overlap before the contacts."""
    position = opened("classic", *FIRST_FOUR)
    assert code(position, "t20,s20,r20") == "piece-used"
    assert code(position, "a20,b20") == "overlap"
    assert code(opened("classic", "a20"), "a20,b20") == "overlap"
    assert code(opened("classic", "a20"), "j10") == "first-move-start-square"


@pytest.mark.parametrize("corner", ["a1", "a20", "t1", "t20"])
def test_a_first_piece_covers_any_free_corner_unless_corners_are_fixed(corner: str) -> None:
    """§3 rule 2: fixed corners are blue a20, yellow t20, red t1, green a1."""
    assert code(opened(), corner) == "ok"
    fixed = "ok" if corner == "a20" else "first-move-start-square"
    assert code(opened(corners="fixed"), corner) == fixed


@pytest.mark.parametrize(("move", "reason"), [("e10", "ok"), ("j5", "first-move-start-square")])
def test_duo_starts_on_its_own_squares(move: str, reason: str) -> None:
    """§5: e10 for blue, j5 for green, on 14 by 14 squares; o1 is off the board."""
    assert code(opened("duo"), move) == reason
    assert code(opened("duo", "e10"), "j5") == "ok"
    assert code(opened("duo"), "o1") == "off-board"


def test_whose_turn_it_is_follows_the_colours() -> None:
    """§3 and §5: blue, yellow, red, green; each seat for its colours."""
    orders = {"classic": "ABCD", "classic-2": "ABAB", "classic-3": "ABCA", "duo": "AB"}
    for variant, order in orders.items():
        position = opened(variant)
        for seat in order:
            assert rules.awaiting(position) == seat
            position = rules.apply(position, rules.moves(position).texts[0]).position


def test_the_shared_green_goes_round_the_seats() -> None:
    """§5, classic-3: green's k-th placement is made by seat k mod 3."""
    position, seats = opened("classic-3"), ""
    while len(seats) < 5:
        if rules.colour_to_place(position) == "green":
            seats += str(rules.awaiting(position))
        position = rules.apply(position, rules.moves(position).texts[-1]).position
    assert seats == "ABCAB"


def test_a_seat_that_gave_up_has_its_share_of_green_skipped() -> None:
    """§3: a shared green skips the share, and the next round it is the next seat's turn."""
    position = opened("classic-3", *FIRST_FOUR)  # A made green's first placement
    position = rules.withdraw(position, "B").position
    assert rules.colour_to_place(position) == "blue"
    position = rules.apply(position, "b16,b17").position
    assert rules.colour_to_place(position) == "red"
    step = rules.apply(position, "s2,s3")
    assert step.facts == ("skip green",)
    assert rules.colour_to_place(step.position) == "blue"
    position = rules.apply(step.position, "c15").position
    position = rules.apply(position, "r4,r5,r6").position
    assert rules.colour_to_place(position) == "green"
    assert rules.awaiting(position) == "C"


def test_giving_up_in_ones_own_share_of_green_hands_the_turn_on() -> None:
    """§3: green's turn is skipped at once when the seat that had it gives up."""
    position = opened("classic-3", *FIRST_FOUR[:3])
    assert (rules.colour_to_place(position), rules.awaiting(position)) == ("green", "A")
    step = rules.withdraw(position, "A")
    assert step.facts == ("skip green",)
    assert rules.colour_to_place(step.position) == "yellow"


@pytest.mark.parametrize("variant", ["classic", "classic-2", "classic-3", "duo"])
def test_the_last_seat_that_plays_has_won(variant: str) -> None:
    """§3: if one seat remains the match ends and that seat wins, whatever the points."""
    position = opened(variant)
    seats = position.sheet.seat_names
    for seat in seats[:-1]:
        assert rules.outcome(position) is None
        position = rules.withdraw(position, seat).position
    assert rules.awaiting(position) == Over()
    outcome = rules.outcome(position)
    assert outcome is not None
    assert outcome.winners == seats[-1:]
    with pytest.raises(ValueError, match="cannot leave"):
        rules.withdraw(position, seats[-1])


def test_nobody_gives_up_twice_or_from_a_seat_that_is_not_there() -> None:
    """Withdrawing is for seats of the match that have not left it."""
    position = rules.withdraw(opened(), "B").position
    for seat in ("B", "E", ""):
        with pytest.raises(ValueError, match="cannot leave"):
            rules.withdraw(position, seat)


def test_points_count_on_for_a_seat_that_gave_up_but_it_cannot_win() -> None:
    """§3: its squares left count as usual; the best of the others wins."""
    position = opened("classic", "a16,a17,a18,a19,a20", "t20", "t1,t2")
    standing = rules.standing(rules.withdraw(position, "A").position)
    assert standing.points == {"A": -84, "B": -88, "C": -87, "D": -89}
    assert standing.winners == ("C",)


def test_level_scores_share_the_win() -> None:
    """§4: highest score wins, level is shared."""
    assert rules.standing(opened("classic", "a20", "t20")).winners == ("A", "B")
    assert rules.best({"A": 3, "B": 1, "C": 3}) == ("A", "C")


def test_two_colours_add_up_and_a_shared_one_counts_for_nobody() -> None:
    """§5: classic-2 adds blue and red, yellow and green; in classic-3 green is nobody's."""
    moves = ("a20", "t20,t19", "t1,t2,t3", "a1,a2,a3,a4")
    assert rules.standing(opened("classic-2", *moves)).points == {"A": -174, "B": -172}
    standing = rules.standing(opened("classic-3", *moves))
    assert standing.points == {"A": -88, "B": -87, "C": -86}
    assert standing.parts == {"blue": -88, "yellow": -87, "red": -86, "green": -85}
    assert standing.winners == ("C",)


def test_recorded_facts_that_do_not_follow_are_refused() -> None:
    """A record that says too much, or of a colour that is not in the game, is no record."""
    position = opened()
    for facts in (("pass pink",), ("skip green",), ("pass yellow", "pass yellow")):
        with pytest.raises(BadText):
            rules.apply(position, "a20", facts)


def test_nothing_is_applied_after_the_end() -> None:
    """The end is the end, for judging and for applying."""
    position = rules.withdraw(opened("duo"), "A").position
    assert code(position, "e10") == "match-over"
    with pytest.raises(BadText):
        rules.apply(position, "e10")


@pytest.mark.parametrize(
    "data",
    [
        {"variant": "trigon"},
        {"variant": None},
        {"variant": ["duo"]},
        {"corners": "some"},
        {"corners": True},
        {"corners": ["any"]},
        {"Variant": "duo"},
        {"variant": "duo", "board": 14},
    ],
)
def test_a_ruleset_that_is_not_in_the_sheet_is_refused(data: dict[str, Any]) -> None:
    """§5: variants and options are those of the sheet, nothing else."""
    with pytest.raises(BadText):
        rules.ruleset(data)


def test_rulesets_are_whole_in_the_log() -> None:
    """Every default is written out; in Duo the start squares are fixed whatever is asked."""
    assert rules.ruleset_data(rules.ruleset({})) == {"variant": "classic", "corners": "any"}
    for data in ({"variant": "duo"}, {"variant": "duo", "corners": "any"}):
        assert rules.ruleset_data(rules.ruleset(data)) == {"variant": "duo", "corners": "fixed"}


def test_blokus_takes_no_entries() -> None:
    """§6: nothing is hidden, so nothing is handed in sealed."""
    assert rules.entry_objection(rules.ruleset({}), "A", "deck") is not None
    assert not rules.terms(rules.ruleset({})).sealed_entries


def test_a_set_up_position_is_for_the_named_colour() -> None:
    """Puzzles name the pieces by colour and who is to place."""
    ruleset = rules.ruleset({"variant": "classic", "corners": "fixed"})
    pieces = [("red", "t1,s1"), ("blue", "j10,k10"), ("red", "t3")]
    position = rules.arrange(ruleset, pieces, "red")
    assert rules.colour_to_place(position) == "red"
    assert position.last == NOBODY
    assert [len(placed) for placed in position.placed] == [1, 0, 2, 0]
    assert code(position, "r2,q2,p2") == "ok"


def test_a_set_up_position_passes_over_colours_that_cannot_place() -> None:
    """If the named colour is blocked the next one that can is to place."""
    cases = json.loads(Path(BLOKUS).read_text(encoding="utf-8"))["cases"]
    record = next(case for case in cases if case["id"] == "BG2")["record"]
    ruleset = rules.ruleset({"variant": "duo"})
    almost = rules.arrange(ruleset, record[:-1], "green")
    assert rules.colour_to_place(almost) == "blue"
    assert rules.awaiting(rules.arrange(ruleset, record, "green")) == Over()


@pytest.mark.parametrize(
    ("pieces", "to_place", "said"),
    [
        ([("pink", "a1")], "blue", "'pink' is no colour here"),
        ([], "yellow", "'yellow' is no colour here"),
        ([("blue", "a1,c1")], "blue", "one of the 21 pieces"),
        ([("blue", "a1"), ("blue", "c3")], "blue", "has placed its I1"),
        ([("blue", "a1"), ("green", "a1,a2")], "blue", "Taken: a1"),
        ([("blue", "")], "blue", "list of squares"),
    ],
)
def test_a_set_up_position_has_sound_material(
    pieces: list[tuple[str, str]], to_place: str, said: str
) -> None:
    """Whole pieces, none twice, none on another, colours of the variant."""
    with pytest.raises(BadText, match=said):
        rules.arrange(rules.ruleset({"variant": "duo"}), pieces, to_place)


def test_steps_name_squares_in_any_order() -> None:
    """Squares are named as fingers find them; the end is told, and what else can follow."""
    position = opened("duo")
    steps = {step.text: step for step in rules.steps(position, "")}
    assert steps["e10"].ends
    assert steps["e10"].completable
    assert not steps["e9"].ends
    further = {step.text for step in rules.steps(position, "e9")}
    assert "e9,e10" in further
    assert "e9,e8" in further
    assert "e9,f9" in further
    assert "e9,n14" not in further
    (last,) = [s for s in rules.steps(position, "e6,e7,e8,e9") if s.text.endswith("e10")]
    assert last.ends
    assert not last.completable
