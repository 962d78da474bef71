"""Caltrop as a match: two games, draws, decks, refusals, results, texts, and the view by seat."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.games.caltrop import drawing, notation, rules
from services.games.caltrop.board import BLUE, EMPTY_BOARD, RED, board_of, format_board, parse_board
from services.games.caltrop.position import Game, Position, new_game
from services.games.caltrop.preview import Faded, preview
from services.games.contract import BadText, Deal, Over
from services.games.picture import Circle, Label, to_svg
from tests.games.caltrop_play import choose
from tests.kit.playouts import Dice

ASH = "B0,Nn0,Ne0,Nw0,Pn0,Pe0,Ps0,Pw0"
STARTER = "Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1"


def opened(**options: Any) -> Position:
    """The first position under these options."""
    return rules.setup(rules.ruleset(options))


def played(position: Position, moves: int, seed: int = 1) -> Position:
    """The position after so many random moves."""
    dice = Dice(seed)
    for _ in range(moves):
        move = choose(position, rules.moves(position).texts, dice)
        position = rules.apply(position, move).position
    return position


def set_up(tokens: dict[str, str], first: int = BLUE, moves: tuple[str, ...] = ()) -> Position:
    """A game of the starter stones with this board; the moves count, not what they did."""
    position = opened()
    game = replace(position.game, board=board_of(tokens), first=first, moves=moves)
    return replace(position, games=(game,))


# Options


def test_a_duel_is_two_games_of_the_starter_stones_unless_something_else_is_said() -> None:
    """Classic, two games."""
    assert rules.ruleset_data(rules.ruleset({})) == {"form": "classic", "games": 2}


@pytest.mark.parametrize(
    ("data", "said"),
    [
        ({"form": "own"}, "form is one of classic, budget, run"),
        ({"form": 7}, "form is one of"),
        ({"games": 3}, "games is 2 or 1"),
        ({"games": True}, "games is 2 or 1"),
        ({"first": "b"}, "no option 'first'"),
        ({"form": "run", "games": 2}, "no option 'games'"),
        ({"form": "run", "blue": STARTER, "red": ASH}, "first is b or r"),
        ({"form": "run", "blue": STARTER, "first": "b"}, "red is a deck like"),
        ({"form": "run", "blue": "Q1", "red": ASH, "first": "b"}, "blue: A deck has 8 stones"),
        ({"form": "run", "blue": STARTER, "red": "pn1", "first": "b"}, "'pn1' is no stone"),
    ],
)
def test_options_that_do_not_fit_are_refused(data: dict[str, Any], said: str) -> None:
    """With a sentence that says what would be right."""
    with pytest.raises(BadText, match=said):
        rules.ruleset(data)


@pytest.mark.parametrize(
    ("options", "terms"),
    [
        ({}, (32, False, False)),
        ({"games": 1}, (16, True, False)),
        ({"form": "budget"}, (32, False, True)),
        ({"form": "budget", "games": 1}, (16, True, True)),
        ({"form": "run", "blue": STARTER, "red": ASH, "first": "r"}, (16, False, False)),
    ],
)
def test_terms_follow_from_the_options(options: Any, terms: tuple[int, bool, bool]) -> None:
    """Plies, whether chance draws the first placer, whether decks are handed in."""
    found = rules.terms(rules.ruleset(options))
    assert (found.plies_max, found.chance, found.sealed_entries) == terms
    assert (found.seats, found.hidden) == (2, False)


# Decks of a duel


@pytest.mark.parametrize(
    ("deck", "code"),
    [
        (STARTER, None),
        ("Q2,K,R1,B1,Nn1,Pn1,Pe1,Ps1", None),  # 12 + 6 + 6 + 4 + 3 + 1 + 1 + 1 = 34
        ("ED1,VV1,DD1,PP1,Pn1,Pe1,Ps1,Pw1", None),  # 9 + 8 + 7 + 8 + 4 = 36
        ("Q2,K,R2,B1,Nn1,Pn1,Pe1,Pw1", None),  # 12 + 6 + 10 + 4 + 3 + 3 = 38
        ("Q2,K,R2,B1,Nn2,Pn1,Pe1,Pw1", None),  # 40
        ("Q2,K,R2,B1,Nn2,Pn2,Pe1,Pw1", "too-dear"),  # 41
        ("Q1,Q1,R1,B1,Nn1,Pn1,Pe1,Pw1", "two-queens"),
        ("K,K,R1,B1,Nn1,Pn1,Pe1,Pw1", "two-kings"),
        ("ED1,ED1,R1,B1,Nn1,Pn1,Pe1,Pw1", "two-of-a-rare"),
        ("Pn0,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1", "level"),
        ("Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1", "deck-size"),
        ("Pn1, Pe1,Pw1,Nn1,Ne1,B1,R1,Q1", "not-a-deck"),
        ("Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,K1", "not-a-deck"),
        ("Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q5", "not-a-deck"),
        ("", "not-a-deck"),
    ],
)
def test_a_deck_for_a_budget_is_judged(deck: str, code: str | None) -> None:
    """Eight stones within 40 points; one king, one queen, one of each rare stone."""
    ruleset = rules.ruleset({"form": "budget"})
    wrong = rules.entry_objection(ruleset, "A", deck)
    assert (wrong.code if wrong else None) == code


def test_decks_are_handed_in_on_a_budget_only() -> None:
    """Elsewhere they are set."""
    wrong = rules.entry_objection(rules.ruleset({}), "A", STARTER)
    assert wrong is not None
    assert wrong.code == "no-entry"


def test_both_play_with_the_decks_they_handed_in() -> None:
    """A has the blue stones first; in the second game the colours are swapped."""
    ruleset = rules.ruleset({"form": "budget"})
    decks = {"A": STARTER, "B": "Q2,K,R1,B1,Nn1,Pn1,Pe1,Ps1"}
    position = rules.setup(ruleset, decks)
    assert [deck[0].text for deck in position.game.decks] == ["Pn1", "Q2"]
    second = played(position, 16)
    assert [deck[0].text for deck in second.game.decks] == ["Q2", "Pn1"]
    with pytest.raises(BadText, match="Seat B: The deck costs"):
        rules.setup(ruleset, {"A": STARTER, "B": "Q4,K,R1,B1,Nn1,Pn1,Pe1,Ps1"})


# Who places


def test_seats_take_turns_and_the_second_game_swaps_colours_and_the_first_placing() -> None:
    """A is Blue and first in game 1; B is Blue and first in game 2."""
    position, dice = opened(), Dice(3)
    order = []
    while not isinstance(rules.awaiting(position), Over):
        order.append((rules.awaiting(position), position.game.next))
        move = choose(position, rules.moves(position).texts, dice)
        position = rules.apply(position, move).position
    assert order == [("A", BLUE), ("B", RED)] * 8 + [("B", BLUE), ("A", RED)] * 8


@pytest.mark.parametrize(("number", "seat"), [(0, "A"), (1, "B")])
def test_who_begins_a_single_game_is_drawn(number: int, seat: str) -> None:
    """0 is Blue, so seat A; 1 is Red. The recorded draw leads to the same position."""

    class Drawn(Dice):
        def below(self, m: int) -> int:
            assert m == 2
            return number

    start = opened(games=1)
    assert rules.awaiting(start) == Deal(1)
    wrong = rules.objection(start, "1a1")
    assert wrong is not None
    assert wrong.code == "not-begun"
    step = rules.deal(start, Drawn(1))
    assert rules.awaiting(step.position) == seat
    assert rules.deal(start, None, step.facts) == step
    assert "first is drawn" in drawing.text(start, None)
    assert to_svg(drawing.picture(start, "B"))
    with pytest.raises(BadText):
        rules.deal(start, None, ("first a",))
    with pytest.raises(ValueError, match="drawn once"):
        rules.deal(step.position, Drawn(1))


def test_in_a_run_the_player_is_blue_and_the_ruleset_says_who_places_first() -> None:
    """One game, A against B."""
    position = opened(form="run", blue=STARTER, red=ASH, first="r")
    assert rules.awaiting(position) == "B"
    assert isinstance(rules.awaiting(played(position, 16)), Over)


# Refusals


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("3b2", None),
        ("3B2", None),
        ("3b2+2", None),
        ("3b2-", None),
        ("3b2+12-", None),
        ("", "notation"),
        ("b2", "notation"),
        ("3 b2", "notation"),
        ("3b2+", "notation"),
        ("3b2--", "notation"),
        ("\u0663b2", "notation"),
        ("0b2", "no-such-slot"),
        ("9e5", "no-such-slot"),
        ("3e2", "off-board"),
        ("3b5", "off-board"),
        ("3b02", "off-board"),
        ("1b2", "stone-used"),
        ("1a1", "stone-used"),
        ("2a1", "square-taken"),
        ("2d4", "square-taken"),
    ],
)
def test_a_move_is_refused_with_the_first_reason_that_applies(move: str, code: str | None) -> None:
    """Blue has placed 1 on a1, Red 8 on d4; suffixes are read and mean nothing."""
    position = opened()
    for before in ("1a1", "8d4"):
        position = rules.apply(position, before).position
    wrong = rules.objection(position, move)
    assert (wrong.code if wrong else None) == code
    if wrong is None:
        assert notation.canonical(position, move) == "3b2"
        assert rules.apply(position, move) == rules.apply(position, "3b2")


def test_every_stone_may_go_on_every_empty_square() -> None:
    """128 moves at first, and as many as stones times squares after that."""
    position, dice = opened(), Dice(5)
    for turn in range(16):
        stones, squares = 8 - turn // 2, 16 - turn
        assert len(rules.moves(position).texts) == stones * squares
        move = rules.moves(position).texts[dice.below(stones * squares)]
        position = rules.apply(position, move).position


# Results


FULL = {f"{file}{rank}": "b0000" for file in "abcd" for rank in "1234"}
ALL_MOVES = ("1a1",) * 16


def red(squares: int, spikes: int = 0) -> dict[str, str]:
    """The first squares red, spikes on the first of them."""
    names = list(FULL)[:squares]
    return dict.fromkeys(names, "r0000") | {names[0]: f"r00{spikes}0"}


@pytest.mark.parametrize(
    ("changes", "first", "winner", "fact"),
    [
        ({"a1": "r0000"}, RED, "A", "b 15:1 0:0 points"),
        (red(9), BLUE, "B", "r 7:9 0:0 points"),
        (red(8, 1), BLUE, "B", "r 8:8 0:1 spikes"),
        (red(8), BLUE, "A", "b 8:8 0:0 first"),
        (red(8), RED, "B", "r 8:8 0:0 first"),
        (red(8) | {"a1": "r0000PE"}, BLUE, "B", "r 8:9 0:0 points"),
    ],
)
def test_a_game_is_decided_by_points_then_spikes_then_who_placed_first(
    changes: dict[str, str], first: int, winner: str, fact: str
) -> None:
    """Sheet §5; Pearl counts two."""
    position = set_up(FULL | changes, first, ALL_MOVES)
    assert rules.result_text(rules.results(position)[0]) == fact
    position = replace(position, ruleset=replace(position.ruleset, games=1))
    assert rules.standing(position).winners == (winner,)


def duel(first_board: dict[str, str], second_board: dict[str, str]) -> Position:
    """A duel of two games that ended with these boards."""
    one = set_up(FULL | first_board, BLUE, ALL_MOVES)
    two = new_game(one, BLUE)
    game = replace(two.game, board=board_of(FULL | second_board), moves=ALL_MOVES)
    return replace(two, games=(one.games[0], game))


@pytest.mark.parametrize(
    ("first_board", "second_board", "points", "winners"),
    [
        (red(1), red(9), (15 + 9, 1 + 7), ("A",)),
        (red(9), red(1), (7 + 1, 9 + 15), ("B",)),
        (red(7), red(6), (9 + 6, 7 + 10), ("B",)),
        (red(7), red(7), (16, 16), ("A", "B")),
        (red(7, 3), red(7, 2), (16, 16), ("B",)),
    ],
    ids=["both games", "both games to B", "more points", "drawn", "more spikes"],
)
def test_a_duel_is_decided_by_games_then_points_then_spikes(
    first_board: dict[str, str],
    second_board: dict[str, str],
    points: tuple[int, int],
    winners: tuple[str, ...],
) -> None:
    """Level in all that, it is drawn (§8). Blue is A in the first game and B in the second."""
    outcome = rules.outcome(duel(first_board, second_board))
    assert outcome is not None
    assert tuple(outcome.points.values()) == points
    assert outcome.winners == winners


def test_the_end_of_a_game_is_a_fact() -> None:
    """The last of the turn, as the sheet's record ends with it."""
    position, dice, ends = opened(), Dice(9), []
    for _ in range(32):
        step = rules.apply(position, choose(position, rules.moves(position).texts, dice))
        position = step.position
        ends.append([fact for fact in step.facts if fact.startswith("end ")])
    assert [len(found) for found in ends] == ([0] * 15 + [1]) * 2
    results = [f"end {rules.result_text(result)}" for result in rules.results(position)]
    assert [ends[15][0], ends[31][0]] == results


def test_recorded_facts_that_do_not_follow_are_refused() -> None:
    """They are compared, never believed."""
    position = played(opened(), 6)
    move = rules.moves(position).texts[0]
    with pytest.raises(BadText, match="do not follow"):
        rules.apply(position, move, ("T a1 b",))


def test_whoever_gives_up_has_lost_the_match() -> None:
    """Also the one who won the first game."""
    position = played(opened(), 20)
    for seat, other in (("A", "B"), ("B", "A")):
        left = rules.withdraw(position, seat).position
        outcome = rules.outcome(left)
        assert outcome is not None
        assert outcome.winners == (other,)
        assert outcome.points == rules.standing(position).points
        assert f"seat {seat} gave up" in drawing.text(left, None)
        with pytest.raises(ValueError, match="cannot leave"):
            rules.withdraw(left, other)


# Texts


def test_the_board_is_written_as_the_sheet_writes_it() -> None:
    """Both ways, with luck spent and poison."""
    text = "-,-,-,-/-,r1000K,b0102LL-,-/-,b0210*,-,-/-,-,-,b0121VV*"
    assert format_board(parse_board(text)) == text
    for bad in ("", "-,-,-,-", text + "/-,-,-,-", text.replace("LL", "XX"), "b6000" + text[1:]):
        with pytest.raises(BadText):
            parse_board(bad)


def test_the_full_state_of_a_game_is_the_sheets() -> None:
    """Board, side to move, first placer, slots left of Blue and of Red (§10)."""
    position = opened()
    for move in ("2d1", "4c2"):
        position = rules.apply(position, move).position
    assert notation.state_text(position.game) == (
        "-,-,-,-/-,-,-,-/-,-,r0021,-/-,-,-,b0100 b b 1345678 1235678"
    )


def test_a_position_line_that_claims_what_does_not_follow_is_refused() -> None:
    """Board, next and left are compared with the moves."""
    line = notation.format_position(played(opened(), 3))
    assert notation.format_position(notation.parse_position(line)) == line
    for old, new in (
        ("next=r", "next=b"),
        ("out=-", "out=C"),
        ("games=2", "games=4"),
        ("form=classic", "form=run"),
        ("first=b", "first=r"),
        (" board=", " "),
    ):
        assert old in line
        with pytest.raises(BadText):
            notation.parse_position(line.replace(old, new))


# Dry run


def test_the_dry_run_of_the_sheets_example() -> None:
    """§13: N2 E1 on b2, against S1 on b3 and W3 on c2; everything ends red."""
    position = set_up({"b3": "r0010", "c2": "r0003"}, moves=())
    dry = preview(position, "4b2")
    assert dry.yellow == ()
    assert dry.red == ("b2",)
    assert dry.faded == (
        Faded("b2", "north", 2),
        Faded("b2", "east", 1),
        Faded("c2", "west", 1),
        Faded("b3", "south", 1),
    )
    assert dry.events[-1] == "T b3 r"


def test_pias_spikes_are_compared_as_she_stands_herself() -> None:
    """She turns a quarter when she is lost; only what is broken has faded."""
    position = opened(form="run", blue="PP1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1", red=STARTER, first="b")
    game: Game = replace(position.game, board=board_of({"c2": "r0002"}))
    dry = preview(replace(position, games=(game,)), "1b2")
    assert dry.red == ("b2",)
    assert dry.faded == (Faded("c2", "west", 1),)


# To look at


def test_red_sees_the_board_turned() -> None:
    """Square d4 is at the lower left, and spikes lie as they are seen from there."""
    position = rules.apply(opened(), "4a1").position
    blue, red_side = drawing.text(position, "A"), drawing.text(position, "B")
    assert blue.splitlines()[4].split()[:2] == ["1", ">b2100"]
    assert red_side.splitlines()[1].split()[-1] == ">b0021"
    assert red_side.splitlines()[0].split() == ["d", "c", "b", "a"]


def test_the_picture_shows_poison_luck_and_shields() -> None:
    """Each as a shape of its own, so that no colour has to be told apart."""
    deck = "LL1,K,VV1,Nn1,Ne1,B1,R1,Q1"
    plain = opened(form="run", blue=deck, red=STARTER, first="b")
    clubs = [s for s in drawing.picture(plain, None).shapes if isinstance(s, Label)]
    assert sum(label.text == "♣" for label in clubs) == 1
    board = replace(EMPTY_BOARD, **fields_of(board_of({"a1": "b1211LL-*"})))
    game = replace(plain.game, board=board, moves=("1a1",), left=(0b11111110, 0xFF))
    shapes = drawing.picture(replace(plain, games=(game,)), None).shapes
    assert any(isinstance(s, Label) and s.text == "*" for s in shapes)
    assert any(isinstance(s, Circle) and s.fill == "owner-4" for s in shapes)
    words = drawing.text(replace(plain, games=(game,)), None)
    assert "luck spent poisoned" in words


def fields_of(board: Any) -> dict[str, Any]:
    """A board's fields by name."""
    return {name: getattr(board, name) for name in board.__struct_fields__}


def test_the_first_game_stays_to_be_seen_in_the_second() -> None:
    """Its result in words, its stones in small."""
    position = played(opened(), 17)
    assert "Game 1: " in drawing.text(position, "B")
    assert drawing.picture(position, "B").height > drawing.picture(opened(), "B").height
