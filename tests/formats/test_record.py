"""Our own record of Blokus (rule sheet §9): the sheet's words, read back and checked."""

import pytest

from tests.kit.tree import ROOT
from tests.kit.verdicts import refused, taken

SEEDS = sorted((ROOT / "seeds" / "blokus" / "matches").glob("*.record"))
HEAD = "plybook-blokus 1\nmatch b-0001\nvariant classic corners=any\n"
SEATS = "seat A alice blue\nseat B Bob the 2nd yellow\nseat C - red\nseat D dora green\n"
MOVES = "blue:a16,a17,a18,a19,a20 yellow:t16,t17,t18,t19,t20\nred:t1 green:a1\n"
DUO = (ROOT / "seeds" / "blokus" / "matches" / "duo-engine-level-4.record").read_text("utf-8")


def test_a_record_as_the_sheet_shows_it_is_read() -> None:
    """Names may hold blanks, ``-`` is no name, ``result -`` is a match that still ran."""
    verdict = taken(HEAD + SEATS + MOVES + "result -\n")
    assert verdict.command.ruleset == {"variant": "classic", "corners": "any"}
    assert verdict.command.moves[2:] == ("t1", "a1")
    assert verdict.notes.names == {"A": "alice", "B": "Bob the 2nd", "D": "dora"}


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_every_seed_match_is_whole_and_names_its_own_id(path: object) -> None:
    """The demo matches keep the rules to the end, and their result lines are right."""
    text = (ROOT / str(path)).read_text(encoding="utf-8")
    verdict = taken(text)
    assert verdict.is_over
    assert f"\nmatch {verdict.match}\n" in text


def test_there_is_a_seed_match_for_each_variant() -> None:
    """Classic, two seats, three seats, Duo."""
    variants = {taken(path.read_text(encoding="utf-8")).variant for path in SEEDS}
    assert variants == {"classic", "classic-2", "classic-3", "duo"}


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ("blue=-11", "blue=-12"),
        ("winners=blue", "winners=green"),
        ("winners=blue", "winners=blue,green"),
        ("winners=blue", "winners=-"),
    ],
)
def test_a_result_is_derived_and_not_believed(was: str, is_now: str) -> None:
    """A score or a winner that does not follow from the moves refuses the record."""
    assert was in DUO
    assert refused(DUO.replace(was, is_now)).code == "wrong-result"


def test_a_match_cannot_be_over_by_points_before_its_end() -> None:
    """The result of a whole game under half of its moves."""
    lines = DUO.splitlines(keepends=True)
    assert refused("".join([*lines[:8], lines[-1]])).code == "wrong-result"


def test_a_resigned_match_keeps_the_score_it_stood_at() -> None:
    """Who won a resigned match is not on the board; the points are."""
    result = "result blue=-84 yellow=-84 red=-88 green=-88 winners=blue,yellow,green resign\n"
    assert not taken(HEAD + MOVES + result).is_over
    assert refused(HEAD + MOVES + result.replace("-84", "-83", 1)).code == "wrong-result"


@pytest.mark.parametrize(
    "record",
    [
        "plybook-blokus 1\n",
        "plybook-blokus 1\nseat A alice blue\n",
        "plybook-blokus 1\nvariant classic-5\n",
        "plybook-blokus 1\nvariant classic corners=round\n",
        "plybook-blokus 1\nvariant classic speed=1\n",
        HEAD + "variant duo\n",
        HEAD + "seat A alice red\n",
        HEAD + "seat E eve blue\n",
        HEAD + "seat A alice blue\nseat A anna blue\n",
        HEAD + "a16,a17\n",
        HEAD + MOVES + "result blue=-84\n",
        HEAD + MOVES + "result blue=x yellow=-84 red=-88 green=-88 winners=blue\n",
        HEAD + MOVES + "result blue=-84 yellow=-84 red=-88 green=-88 winners=A won\n",
        HEAD + MOVES + "result blue=-84 yellow=-84 red=-88 green=-88 winners=A resign\n",
        HEAD + MOVES + "result -\nblue:b15\n",
        HEAD + "start blokus\n" + MOVES,
    ],
)
def test_a_line_that_cannot_be_meant_is_refused(record: str) -> None:
    """With the number of the line, or what is missing."""
    verdict = refused(record)
    assert verdict.code == "bad-record"
    assert verdict.sentence.startswith(("Line ", "No line "))


@pytest.mark.parametrize(
    ("moves", "code", "number"),
    [
        ("blue:a20 red:t1", "not-your-turn", 2),
        ("purple:a20", "not-your-turn", 1),
        ("blue:a20 yellow:t20 red:t1 green:a1 blue:a19,a18", "own-edge-contact", 5),
        ("blue:", "notation", 1),
    ],
)
def test_a_move_against_the_rules_is_refused_with_its_number(
    moves: str, code: str, number: int
) -> None:
    """Moves are numbered from 1."""
    verdict = refused(f"{HEAD}{moves}\n")
    assert (verdict.code, verdict.node) == (code, number)
    assert f"move {number}:" in verdict.sentence


def test_a_start_position_claims_nothing_but_pieces_and_turn() -> None:
    """A colour said to be out although it can place would be a pass nobody was forced to."""
    pieces = "last=- shares=0 done={} out=- blue=a20 yellow=t20 red=- green=-"
    start = f"{HEAD}start blokus classic corners=any next=red {pieces}\nred:t1\n"
    assert taken(start.format("-")).command.start.startswith("blokus classic")
    assert refused(start.format("green")).code == "bad-record"
