"""Records of Hedgerow (rule sheet §9): the sheet's lines, read back and checked."""

import json

import pytest

from services.formats.draft import Notes
from services.formats.errors import FormatError
from services.formats.exporting import export_match, format_names
from services.games.hedgerow import notation, rules
from services.match import commands as cmd
from services.match.secret import Secret
from services.match.state import MatchState, initial
from tests.games.hedgerow_play import choose
from tests.kit.given import SEED
from tests.kit.playouts import Dice
from tests.kit.tree import ROOT
from tests.kit.verdicts import refused, taken, told

RECORD = "hedgerow 1"
SEEDS = sorted((ROOT / "seeds" / "hedgerow" / "matches").glob("*.record"))
EVEN = (ROOT / "seeds" / "hedgerow" / "matches" / "standard-even.record").read_text("utf-8")
WALLED = (ROOT / "seeds" / "hedgerow" / "matches" / "walled-one-game-stuck.record").read_text(
    "utf-8"
)
VECTORS = json.loads(
    (ROOT / "tests" / "games" / "vectors" / "hedgerow_vectors.json").read_text(encoding="utf-8")
)
STUCK = " ".join(next(c for c in VECTORS["cases"] if c["id"] == "s07")["moves"])
HEAD = "hedgerow 1\noptions boundary_edges=allowed cross_presence=no stuck_loss=match\n"
SHORT = f"{HEAD}A alice\nB Bob the 2nd  # a comment\ngame 1 first=B\nplace NE@d4 EN@d6\n"
AGREED = (
    ("player:A", cmd.MakeOffer("draw", "A")),
    ("player:B", cmd.AnswerOffer("draw", "B", yes=True)),
)
NAMES = Notes(names={"A": "Ann # the first", "B": "C#"})


def imported(text: str) -> MatchState:
    """The match a record becomes."""
    verdict = taken(text)
    return told(initial(verdict.match), ("file", verdict.command))


def live(plies: int, **options: str) -> MatchState:
    """A match between two people after some moves chosen at random."""
    state = told(
        initial("m-aaaaaaaaaaaaaaaa", Secret(SEED)),
        ("player:A", cmd.CreateMatch(rules.slug, options)),
        *((f"player:{seat}", cmd.TakeSeat(seat)) for seat in "AB"),
        ("player:A", cmd.StartMatch()),
    )
    dice = Dice(5)
    while state.status == "running" and len(state.line) < plies:
        seat = state.to_move() or ""
        move = choose(state.position, rules.moves(state.position).texts, dice)
        state = told(state, (f"player:{seat}", cmd.PlayMove(seat, move, state.turn)))
    return state


def test_a_record_as_the_sheet_shows_it_is_read() -> None:
    """Comments, names with blanks, letters in any order, a match that still runs."""
    verdict = taken(SHORT)
    assert verdict.command.ruleset["first"] == "B"
    assert verdict.command.moves == ("NE@d4", "NE@d6")
    assert verdict.notes.names == {"A": "alice", "B": "Bob the 2nd"}
    assert taken(SHORT.replace("A alice\n", "A -\n\n# nobody\n")).notes.names == {
        "B": "Bob the 2nd"
    }


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_a_demo_match_is_whole_and_written_again_the_same(path: object) -> None:
    """The demo matches keep the rules to the end; byte for byte, names included."""
    text = (ROOT / str(path)).read_text(encoding="utf-8")
    verdict = taken(text)
    assert verdict.is_over
    assert export_match(imported(text), RECORD, verdict.notes) == text


def test_the_demo_matches_show_every_option() -> None:
    """Each option's usual and other value."""
    shown = {(k, v) for path in SEEDS for k, v in taken(path.read_text()).command.ruleset.items()}
    assert len(shown) == 8


@pytest.mark.parametrize("plies", [0, 1, 30, 49, 52, 59, 61, 118])
@pytest.mark.parametrize("ending", ["", "resign", "draw"])
def test_a_match_at_any_stage_is_written_and_reads_back(plies: int, ending: str) -> None:
    """Running, given up, drawn by agreement, played out: the moves and the position return."""
    state = live(plies, stuck_loss="game", first="B")
    if ending == "resign" and state.status == "running":
        state = told(state, ("player:A", cmd.Resign("A")))
    elif ending == "draw" and state.status == "running":
        state = told(state, *AGREED)
    if not plies:
        with pytest.raises(FormatError, match="no move"):
            export_match(state, RECORD, NAMES)
        return
    text = export_match(state, RECORD, NAMES)
    verdict = taken(text)
    assert verdict.command.moves == tuple(ply.move for ply in state.line)
    assert verdict.notes.names == {"A": "Ann the first", "B": "C#"}
    assert ("ended loser=A by=resign\nresult B" in text) == (ending == "resign" and plies < 118)
    assert ("# the match ended" in text) == (ending == "draw" and plies < 118)
    assert format_names(state) == (RECORD,)


def test_a_stuck_match_is_told_by_its_line() -> None:
    """Instead of harvest and score; the result follows from it."""
    text = f"{HEAD}A -\nB -\ngame 1 first=A\nplace {STUCK}\nstuck seat=1\nresult B total=+0\n"
    assert taken(text).is_over
    assert export_match(imported(text), RECORD, Notes()) == text
    for was, is_now in [
        ("stuck seat=1", "stuck seat=2"),
        ("result B", "result A"),
        ("result B", "result draw"),
        ("+0", "+1"),
    ]:
        assert refused(text.replace(was, is_now)).code == "wrong-result"


@pytest.mark.parametrize(
    ("record", "was", "is_now"),
    [
        (EVEN, "regions=-5", "regions=-4"),
        (EVEN, "isolation=+1", "isolation=+2"),
        (EVEN, "harvest=-9", "harvest=-8"),
        (EVEN, "net=-13", "net=-12"),
        (EVEN, "result B total=-10", "result B total=-11"),
        (EVEN, "result B", "result A"),
        (EVEN, "result B", "result draw"),
        (WALLED, "stuck seat=1", "stuck seat=2"),
    ],
)
def test_what_a_record_claims_is_derived_and_not_believed(
    record: str, was: str, is_now: str
) -> None:
    """A score or winner that does not follow from the moves refuses the record."""
    assert was in record
    assert refused(record.replace(was, is_now, 1)).code == "wrong-result"


def test_a_score_is_checked_before_the_match_has_a_result() -> None:
    """A record of a running match can lie about its first game no more than a whole one."""
    running = EVEN.split("game 2")[0]
    assert not taken(running).is_over
    assert refused(running.replace("net=-13", "net=+13")).code == "wrong-result"


def test_a_match_cannot_be_over_by_points_before_its_end() -> None:
    """A result under half of the moves."""
    running = EVEN.split("game 2")[0]
    assert refused(f"{running}result B total=-13\n").code == "wrong-result"
    resigned = f"{running}game 2 first=B\nended loser=A by=time\nresult B total=-13\n"
    assert not taken(resigned).is_over
    assert refused(resigned.replace("total=-13", "total=-12")).code == "wrong-result"


@pytest.mark.parametrize(
    ("was", "is_now"),
    [
        ("game 1 first=B\nplace NE@d4 EN@d6\n", ""),
        ("game 1 first=B\n", ""),
        ("game 1", "game 2"),
        ("first=B", "first=C"),
        ("first=B", "beginner=B"),
        ("A alice", "A"),
        ("A alice", "A alice\nA anna"),
        ("A alice", "C carl"),
        ("options", "option"),
        ("allowed", "open"),
        ("boundary_edges=allowed ", ""),
        ("stuck_loss=match", "stuck_loss=match first=A"),
        ("place NE@d4", "place c3-c6"),
        ("place NE@d4", "harvest c3-c6"),
        ("EN@d6\n", "EN@d6\nplace X@a1\n"),
        ("EN@d6\n", "EN@d6\nharvest X@a1\n"),
        ("EN@d6\n", "EN@d6\nscore regions=+0 isolation=+1 harvest=+0 net=+1\n"),
        ("EN@d6\n", "EN@d6\nstuck seat=3\n"),
        ("EN@d6\n", "EN@d6\nstuck\n"),
        ("EN@d6\n", "EN@d6\nended loser=B by=boredom\n"),
        ("EN@d6\n", "EN@d6\nended loser=B by=time\ngame 2 first=A\n"),
        ("EN@d6\n", "EN@d6\nended loser=B by=time\nresult B total=+0\n"),
        ("EN@d6\n", "EN@d6\nended loser=B by=time\nresult draw total=+0\n"),
        ("EN@d6\n", "EN@d6\nresult A total=0\n"),
        ("EN@d6\n", "EN@d6\nresult C total=+0\n"),
        ("EN@d6\n", "EN@d6\nresult A total=+0\nplace X@a1\n"),
        ("EN@d6\n", "EN@d6\nA late\n"),
        ("EN@d6\n", "EN@d6\nweather fine\n"),
        ("EN@d6\n", "EN@d6\ngame 2 first=B\n"),
    ],
)
def test_a_line_that_cannot_be_meant_is_refused(was: str, is_now: str) -> None:
    """With the number of the line, or what is missing."""
    assert was in SHORT
    verdict = refused(SHORT.replace(was, is_now, 1))
    assert verdict.code in {"bad-record", "empty"}
    assert verdict.sentence.startswith(("Line ", "No line ", "Game 1"))


@pytest.mark.parametrize(
    ("was", "is_now", "code", "number"),
    [
        ("EN@d6", "S@d5", "overlap", 2),
        ("EN@d6", "X@d4", "occupied", 2),
        ("NE@d4", "N@d4", "opening", 1),
        ("EN@d6", "XN@d6", "notation", 2),
        ("EN@d6", "N@d6\ngame 2 first=A\nplace NE@d4", "not-your-turn", 3),
    ],
)
def test_a_move_against_the_rules_is_refused_with_its_number(
    was: str, is_now: str, code: str, number: int
) -> None:
    """Moves are numbered from 1 through both games, and none slips into another game."""
    verdict = refused(SHORT.replace(was, is_now, 1))
    assert (verdict.code, verdict.node) == (code, number)


def test_a_match_from_a_position_of_its_own_is_not_written() -> None:
    """The sheet's record has no line for a start."""
    position = rules.apply(rules.setup(rules.ruleset({})), "NE@d4").position
    start = notation.format_position(position)
    command = cmd.ImportMatch(rules.slug, rules.ruleset_data(position.ruleset), ("X@a1",), start)
    state = told(initial("m-aaaaaaaaaaaaaaaa"), ("file", command))
    with pytest.raises(FormatError, match="begins with the empty board"):
        export_match(state, RECORD, Notes())
