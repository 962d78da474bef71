"""Records of Caltrop: a line a game as the sheet has it, and whole matches with a heading."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.formats.draft import Notes
from services.formats.exporting import export_match, format_names
from services.games.caltrop import rules
from services.match import commands as cmd
from services.match.secret import Secret
from services.match.state import MatchState, initial
from tests.games.caltrop_play import choose
from tests.kit.given import SEED
from tests.kit.playouts import Dice
from tests.kit.tree import ROOT
from tests.kit.verdicts import refused, taken, told

RECORD = "plybook-caltrop 1"
SEEDS = sorted((ROOT / "seeds" / "caltrop" / "matches").glob("*.record"))
VECTORS = ROOT / "tests" / "games" / "vectors" / "caltrop_vectors.json"
CASES = {
    case["id"]: case
    for case in json.loads(VECTORS.read_text(encoding="utf-8"))["cases"]
    if case["type"] == "game"
}
SG1: str = CASES["SG1"]["record"]
NAMES = Notes(names={"A": "Ann the first", "B": "Bob"})


def imported(text: str) -> MatchState:
    """The match a record becomes."""
    judged = taken(text)
    return told(initial(judged.match), ("file", judged.command))


def live(moves: int, **ruleset: Any) -> MatchState:
    """A live match with so many random moves; whoever is asked for chance declines."""
    state = told(
        initial("m-aaaaaaaaaaaaaaaa", Secret(SEED)),
        ("player:A", cmd.CreateMatch("caltrop", ruleset)),
        ("player:A", cmd.TakeSeat("A")),
        ("player:B", cmd.TakeSeat("B")),
    )
    if state.terms.chance:
        declined = [(f"player:{s}", cmd.GiveEntropy(s, "", state.seed_commit)) for s in ("A", "B")]
        state = told(state, *declined)
    if state.status == "open":
        state = told(state, ("player:A", cmd.StartMatch()))
    dice = Dice(4)
    for _ in range(moves):
        seat = state.to_move() or ""
        move = choose(state.position, rules.moves(state.position).texts, dice)
        state = told(state, (f"player:{seat}", cmd.PlayMove(seat, move, state.turn)))
    return state


# The sheet's line


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_line_of_the_sheet_is_a_whole_record(case: dict[str, Any]) -> None:
    """One game with set decks; its result is right."""
    verdict = taken(case["record"] + "\n")
    assert verdict.is_over
    assert verdict.command.ruleset["form"] == "run"
    assert verdict.command.ruleset["first"] == case["first"]
    assert list(verdict.command.moves) == case["moves"]
    assert tuple(verdict.points.values()) == tuple(case["expect"]["points"])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_line_of_the_sheet_is_written_as_it_was_read(case: dict[str, Any]) -> None:
    """It is the middle of the record with a heading."""
    text = export_match(imported(case["record"]), RECORD, Notes())
    assert case["record"] in text.splitlines()


def test_what_old_records_put_behind_a_move_is_ignored() -> None:
    """Stones gained, and the sign of a new stone that ended lost."""
    marked = SG1.replace(" 4d3 ", " 4d3+1 ").replace(" 2b2 ", " 2b2- ")
    assert marked != SG1
    assert taken(marked).digest == taken(SG1).digest


@pytest.mark.parametrize(
    ("was", "is_now", "code"),
    [
        ("= b 9:7 18:14 points", "= b 10:6 18:14 points", "wrong-result"),
        ("= b 9:7 18:14 points", "= b 9:7 18:15 points", "wrong-result"),
        ("= b 9:7 18:14 points", "= r 9:7 18:14 points", "bad-record"),
        ("= b 9:7 18:14 points", "= b 9:7 18:14 spikes", "bad-record"),
        ("= b 9:7 18:14 points", "= b 9:7 18:14 resign", "bad-record"),
        ("= b 9:7 18:14 points", "= b 9-7 18:14 points", "bad-record"),
        ("= b 9:7 18:14 points", "= b 9:7", "bad-record"),
        (" 4c1 = b 9:7 18:14 points", " = b 9:7 18:14 points", "bad-record"),
        ("CT1 b", "CT1 x", "bad-record"),
        ("CT1 b", "CT2 b", "unknown-format"),
        ("Pn1,Pe1", "Pn1,Pe9", "bad-record"),
        ("R1,Q1 B1", "R1 B1", "bad-record"),
        (" 8c2", " 8d1", "square-taken"),
        (" 5c3", " 8c3", None),
        (" 7d4", " 5d4", "stone-used"),
        (" 7d4", " 7e4", "off-board"),
        (" 7d4", " 7", "notation"),
        (" 4c1 =", " 4c1 4c1 =", "bad-record"),
    ],
)
def test_a_line_that_is_not_right_is_refused(was: str, is_now: str, code: str | None) -> None:
    """Numbers are derived from the moves, the winner and the reason from the numbers."""
    assert was in SG1
    verdict = refused(SG1.replace(was, is_now, 1))
    assert code is None or verdict.code == code


def test_a_resigned_game_keeps_the_numbers_it_stood_at() -> None:
    """Who won is not on the board; points and spikes are."""
    head = " ".join(SG1.split()[:6])
    assert not taken(f"{head} = r 1:1 8:1 resign").is_over
    assert refused(f"{head} = r 2:1 8:1 resign").code == "wrong-result"
    assert not taken(f"{head} = -").is_over


# Whole matches


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_every_seed_match_is_whole_and_names_its_own_id(path: Path) -> None:
    """The demo matches keep the rules to the end, their results are right, they read back."""
    text = path.read_text(encoding="utf-8")
    verdict = taken(text)
    assert verdict.is_over
    assert f"\nmatch {verdict.match}\n" in text
    assert export_match(imported(text), RECORD, verdict.notes) == text


def test_there_is_a_seed_match_for_each_form() -> None:
    """Classic, budget, set decks."""
    forms = {taken(path.read_text(encoding="utf-8")).command.ruleset["form"] for path in SEEDS}
    assert forms == {"classic", "budget", "run"}


@pytest.mark.parametrize("moves", [1, 9, 16, 17, 25, 32])
def test_a_duel_is_written_and_read_back_at_any_time(moves: int) -> None:
    """In either game, between the two, and at the end."""
    state = live(moves)
    text = export_match(state, RECORD, NAMES)
    again = imported(text)
    assert [ply.move for ply in again.line] == [ply.move for ply in state.line]
    assert again.position == state.position
    assert again.ruleset == state.ruleset
    assert taken(text).notes == NAMES
    assert text.endswith("result -\n") == (moves < 32)
    assert format_names(state) == (RECORD,)


@pytest.mark.parametrize("moves", [0, 5, 16, 20])
def test_a_duel_that_was_given_up_says_so_in_its_last_line(moves: int) -> None:
    """The numbers are those of the moment, the winner is the other seat."""
    state = live(moves)
    state = told(state, ("player:A", cmd.Resign("A")))
    if not moves:
        return  # a match without a move is no record
    text = export_match(state, RECORD, Notes())
    *_, last, result = text.splitlines()
    assert last.endswith(" resign")
    assert result.endswith("winners=B resign")
    assert [ply.move for ply in imported(text).line] == [ply.move for ply in state.line]


@pytest.mark.parametrize("moves", [3, 16])
def test_a_game_whose_first_placer_was_drawn_is_written_as_one_with_set_decks(moves: int) -> None:
    """A record cannot prove a draw; the moves and the board are the same."""
    state = live(moves, games=1)
    again = imported(export_match(state, RECORD, NAMES))
    assert [ply.move for ply in again.line] == [ply.move for ply in state.line]
    assert again.position.game == state.position.game
    assert again.ruleset.form == "run"


DUEL = (ROOT / "seeds" / "caltrop" / "matches" / "classic-two-games.record").read_text("utf-8")
BUDGET = (ROOT / "seeds" / "caltrop" / "matches" / "budget-cure-against-poison.record").read_text(
    "utf-8"
)


def without(text: str, *numbers: int) -> str:
    """A record without some of its lines, counted from 1."""
    lines = text.splitlines(keepends=True)
    return "".join(line for n, line in enumerate(lines, start=1) if n not in numbers)


@pytest.mark.parametrize(
    "record",
    [
        f"{RECORD}\n",
        f"{RECORD}\nform classic\n",
        f"{RECORD}\nform own\n{SG1}\n",
        f"{RECORD}\n{SG1}\n{SG1}\n",
        f"{RECORD}\n{SG1}\nform run\n",
        f"{RECORD}\nseat C Eve\n{SG1}\n",
        f"{RECORD}\nseat A Ann\nseat A Eve\n{SG1}\n",
        f"{RECORD}\n{SG1}\nresult A=9 B=7 winners=A won\n",
        f"{RECORD}\n{SG1}\nresult A=9 winners=A points\n",
        f"{RECORD}\n{SG1}\nresult A=9 B=7 winners=C points\n",
        f"{RECORD}\n{SG1}\nresult -\n{SG1}\n",
        f"{RECORD}\nmove 1a1\n",
        f"{RECORD}\nform classic\n{SG1}\n",
        f"{SG1}\n{SG1}\n",
        DUEL.replace("form classic", "form run"),
        DUEL.replace("CT1 b", "CT1 r", 1),
        without(DUEL, 6) + DUEL.splitlines()[6],
        BUDGET.replace("VV1", "VV2", 1),
        BUDGET.replace("form budget", "form classic"),
    ],
)
def test_a_record_that_does_not_fit_together_is_refused(record: str) -> None:
    """With the number of the line, or a sentence on the whole."""
    verdict = refused(record)
    assert verdict.code == "bad-record"
    assert verdict.sentence.startswith(("Line ", "The record "))


@pytest.mark.parametrize(
    ("was", "is_now"),
    [("A=14 B=18", "A=15 B=17"), ("winners=B", "winners=A"), ("winners=B", "winners=A,B")],
)
def test_the_result_of_a_duel_is_derived_and_not_believed(was: str, is_now: str) -> None:
    """Points of both games, and who won."""
    assert was in DUEL
    assert refused(DUEL.replace(was, is_now)).code == "wrong-result"


def test_decks_of_a_budget_are_judged() -> None:
    """Whoever paid too much for a deck has no match."""
    dear = BUDGET.replace("ED1", "ED4")
    assert "41" not in dear
    assert "points; 40 may be spent" in refused(dear).sentence
