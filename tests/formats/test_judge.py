"""A file from a stranger: judged whole, by the rules, and answered in any case."""

from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.formats.judge import Judged, Refused, judge
from services.match.decider import decide
from services.match.refusals import Refusal
from services.match.state import initial
from tests.kit import verdicts

FIRST = "a20,b20,c20"
GAME = f"(;GM[Blokus];1[{FIRST}];2[t20];3[t1];4[a1])"


one = partial(verdicts.one, file="test.blksgf")
taken = partial(verdicts.taken, file="test.blksgf")
refused = partial(verdicts.refused, file="test.blksgf")


def test_a_good_game_becomes_a_command_with_canonical_moves() -> None:
    """Squares in the sheet's order, whole ruleset, Pentobi's fixed corners, points so far."""
    verdict = taken("(;GM[Blokus];1[C20][a20][B20];2[t20])")
    assert verdict.command.moves == (FIRST, "t20")
    assert verdict.command.ruleset == {"variant": "classic", "corners": "fixed"}
    assert verdict.command.start == ""
    assert dict(verdict.parts) == {"blue": -86, "yellow": -88, "red": -89, "green": -89}
    assert not verdict.is_over


def test_the_decider_takes_what_the_judge_took() -> None:
    """The command comes through the one door and is judged there again."""
    verdict = taken(GAME)
    events = decide(initial(verdict.match), verdict.command, "file", 0)
    assert not isinstance(events, Refusal)
    assert len(events) == verdict.plies + 2


@pytest.mark.parametrize(
    ("moves", "code", "node"),
    [
        (";2[t20]", "not-your-turn", 2),
        (";1[a20];3[t1]", "not-your-turn", 3),
        (";1[a0]", "notation", 2),
        (";1[a 20]", "notation", 2),
        (";1[a20,a20]", "duplicate-square", 2),
        (";1[z1]", "off-board", 2),
        (";1[a20,c20]", "not-a-piece", 2),
        (";1[t20]", "first-move-start-square", 2),
        (";1[a20];2[t20];3[t1];4[a1];1[b19,b18];2[s19];", "piece-used", 7),
        (";1[a20];2[t20];3[t1];4[a1];1[a20,b20]", "overlap", 6),
        (";1[a20];2[t20];3[t1];4[a1];1[a19,a18]", "own-edge-contact", 6),
        (";1[a20];2[t20];3[t1];4[a1];1[e5,e6]", "no-own-corner-contact", 6),
    ],
)
def test_a_move_against_the_rules_is_refused_with_node_and_reason(
    moves: str, code: str, node: int
) -> None:
    """The code is the sheet's, the node is counted from 1."""
    verdict = refused(f"(;GM[Blokus]{moves})")
    assert (verdict.code, verdict.node) == (code, node)
    assert verdict.sentence.startswith(f"Game 1, node {node}: ")


def test_other_lines_are_not_judged() -> None:
    """They do not become part of the match; what is wrong in them refuses nothing."""
    verdict = taken("(;GM[Blokus];1[a20](;2[t20])(;2[a20];1[nonsense]))")
    assert verdict.left_out.lines == 1
    assert verdict.left_out.nodes == 2


def test_a_file_with_nothing_to_keep_is_refused() -> None:
    """No move and no set-up position."""
    assert refused("(;GM[Blokus];C[hello])").code == "empty"


@pytest.mark.parametrize(
    "setup", ["A1[a20]A2[a20]", "A1[a20][b19]", "A1[a20,c20]", "A1[z99]", "A1[]", "A1[a20][A20]"]
)
def test_an_impossible_position_is_refused(setup: str) -> None:
    """Pieces on each other, used twice, no pieces at all, off the board."""
    verdict = refused(f"(;GM[Blokus]{setup})")
    assert (verdict.code, verdict.node) == ("bad-setup", 1)


def test_a_colour_that_is_named_to_play_and_cannot_is_passed_over() -> None:
    """Blue stands on yellow's corner, so yellow has no first move with ``corners: fixed``."""
    verdict = taken("(;GM[Blokus]A1[s20,t20]PL[2];3[t1])")
    assert verdict.command.start.split()[3] == "next=red"
    assert refused("(;GM[Blokus]A1[s20,t20]PL[2];2[s19])").code == "not-your-turn"


def test_one_setting_is_one_match_however_it_is_said() -> None:
    """PL on a colour that is blocked, and on the one that is really to place."""
    said = [taken(f"(;GM[Blokus]A1[s20,t20]PL[{colour}];3[t1])") for colour in "23"]
    assert said[0].match == said[1].match


def test_an_empty_setting_is_the_usual_start() -> None:
    """PL[1] with an empty board adds nothing; PL[2] is another start."""
    assert taken(f"(;GM[Blokus]PL[1];1[{FIRST}])").match == taken(f"(;GM[Blokus];1[{FIRST}])").match
    assert taken("(;GM[Blokus]PL[2];2[t20])").command.start != ""


def test_the_match_id_follows_from_the_game_alone() -> None:
    """Names, comments, other lines and spelling change nothing; one more move does."""
    same = "(;GM[Blokus]P1[Ann];BLUE[a20][c20][b20]C[!](;2[t20];3[t1];4[a1])(;2[t19,t20]))"
    assert taken(same).match == taken(GAME).match
    assert taken(GAME[:-1] + ";1[d19])").match != taken(GAME).match
    assert len(taken(GAME).match) == len("m-") + 16


def test_every_game_of_a_file_is_answered() -> None:
    """Good ones and bad ones, in order, each with its number."""
    verdicts = judge(f"{GAME}(;GM[Nexos]){GAME}".encode(), "three.blksgf")
    assert [type(verdict) for verdict in verdicts] == [Judged, Refused, Judged]
    assert [verdict.number for verdict in verdicts] == [1, 2, 3]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "unknown-format"),
        (b"PK\x03\x04", "unknown-format"),
        (b"plybook-chess 1\n", "unknown-format"),
        (b"(;GM[Blokus]", "bad-sgf"),
        (b"\xff\xfe", "not-utf-8"),
        (b"(;\0)", "not-text"),
        (b"(" * 2_000_000, "too-large"),
    ],
)
def test_what_is_no_file_of_ours_is_refused_as_a_whole(data: bytes, code: str) -> None:
    """One refusal, and a sentence that says what would be right."""
    (verdict,) = judge(data, "what.ever")
    assert isinstance(verdict, Refused)
    assert verdict.code == code
    assert verdict.sentence.endswith(".")


def test_a_byte_order_mark_changes_nothing() -> None:
    """The same game with and without."""
    (marked,) = judge(b"\xef\xbb\xbf" + GAME.encode(), "test.blksgf")
    assert marked == taken(GAME)


WORDS = st.sampled_from(
    (
        *("(", ")", ";", "[", "]", "\\", "\ufeff", "\0", "\n"),
        *("GM[Blokus]", "GM[Blokus Duo]", "A1[a1]", "AE[a1]", "PL[2]", "C[\\]]"),
        *("1[a20]", "2[t20]", "B[e10]", "W[j5]"),
        *("plybook-blokus 1\n", "variant classic corners=any\n", "seat A x blue\n"),
        *("blue:a1 ", "red:t1 ", "result -\n"),
    )
)


@settings(max_examples=400)
@given(st.one_of(st.binary(max_size=200), st.lists(WORDS, max_size=25).map("".join)))
def test_nothing_in_a_file_makes_the_judge_fail(file: bytes | str) -> None:
    """Any bytes, and any order of the words of our formats: an answer for every game."""
    data = file if isinstance(file, bytes) else file.encode()
    for verdict in judge(data, "fuzz"):
        assert isinstance(verdict, Judged) or verdict.sentence
