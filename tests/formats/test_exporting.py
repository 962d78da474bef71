"""A match written down: as Pentobi writes it, as our record, or refused, but never otherwise."""

from random import Random

import pytest

from services.formats.draft import Notes
from services.formats.errors import FormatError
from services.formats.exporting import export_match, format_names
from services.formats.judge import Judged, judge
from services.games.registry import REGISTRY
from services.match import commands as cmd
from services.match.secret import Secret
from services.match.state import MatchState, initial
from tests.kit.given import SEED
from tests.kit.samples import blksgf_manifest, read_blksgf
from tests.kit.tree import ROOT
from tests.kit.verdicts import told

RECORD = "plybook-blokus 1"
SEED_SECRET = Secret(SEED)
NAMES = Notes(names={"A": "Ann [the] first\\", "B": "Bob"})
SEEDS = sorted((ROOT / "seeds" / "blokus" / "matches").glob("*.record"))


def imported(data: bytes, file: str = "") -> MatchState:
    """The match that the first game of a file becomes."""
    judged = judge(data, file)[0]
    assert isinstance(judged, Judged), judged
    return told(initial(judged.match), ("file", judged.command))


def played(corners: str, *moves: str, variant: str = "classic") -> MatchState:
    """A live match with these first moves, everybody seated."""
    ruleset = {"variant": variant, "corners": corners}
    seats = {"classic": "ABCD", "classic-3": "ABC"}.get(variant, "AB")
    state = told(
        initial("m-aaaaaaaaaaaaaaaa", SEED_SECRET),
        ("player:A", cmd.CreateMatch("blokus", ruleset)),
        *((f"player:{seat}", cmd.TakeSeat(seat)) for seat in seats),
        ("player:A", cmd.StartMatch()),
    )
    for move in moves:
        seat = state.to_move() or ""
        state = told(state, (f"player:{seat}", cmd.PlayMove(seat, move, state.turn)))
    return state


def same_game(state: MatchState, text: str) -> bool:
    """Whether a text reads back as the line that stands."""
    again = imported(text.encode())
    return (again.start, [ply.move for ply in again.line], again.position) == (
        state.start,
        [ply.move for ply in state.line],
        state.position,
    )


@pytest.mark.parametrize("path", SEEDS, ids=lambda path: path.stem)
def test_a_record_that_is_written_again_is_the_same_text(path: object) -> None:
    """Byte for byte, names included."""
    text = (ROOT / str(path)).read_text(encoding="utf-8")
    (judged,) = judge(text.encode(), "")
    assert isinstance(judged, Judged)
    assert export_match(imported(text.encode()), RECORD, judged.notes) == text


def test_the_layout_is_that_of_pentobi() -> None:
    """Our text of a sample differs from the sample in the two lines that say who wrote it."""
    written = 0
    for name, entry in blksgf_manifest().items():
        if name.startswith("generated__") and "game_trees" not in entry:
            text = export_match(imported(read_blksgf(name)), "blksgf", Notes())
            lines = [line for line in text.splitlines() if line[:4] not in (" CA[", " AP[")]
            assert lines == read_blksgf(name).decode().splitlines(), name
            written += 1
    assert written == 12


@pytest.mark.parametrize("name", ["blksgf", RECORD])
@pytest.mark.parametrize(
    "sample", ["generated__setup-classic.blksgf", "generated__setup-duo.blksgf"]
)
def test_a_set_up_position_is_exported_with_its_turn(sample: str, name: str) -> None:
    """The same start, whoever reads it."""
    state = imported(read_blksgf(sample))
    assert same_game(state, export_match(state, name, NAMES))


@pytest.mark.parametrize("variant", ["classic", "classic-2", "classic-3", "duo"])
def test_any_game_with_fixed_corners_reads_back_in_every_format(variant: str) -> None:
    """Random to its end: same start, moves, position and result."""
    dice, rules = Random(variant), REGISTRY.game("blokus").rules
    state = played("fixed", variant=variant)
    while (seat := state.to_move()) is not None:
        move = dice.choice(rules.moves(state.position).texts)
        state = told(state, (f"player:{seat}", cmd.PlayMove(seat, move, state.turn)))
    for name in format_names(state):
        assert same_game(state, export_match(state, name, NAMES))


def test_names_and_comments_survive_their_brackets() -> None:
    """They are written only when given, and read back as they were."""
    state = played("fixed", "a20", "t20")
    notes = Notes(names=NAMES.names, date="2024-05-01", comments={0: "a]", 2: "b\\"})
    (plain,) = judge(export_match(state, "blksgf", Notes()).encode(), "")
    (noted,) = judge(
        export_match(played("fixed", "e10", variant="duo"), "blksgf", notes).encode(), ""
    )
    assert isinstance(plain, Judged)
    assert plain.notes.is_empty
    assert isinstance(noted, Judged)
    assert noted.notes == Notes(names=NAMES.names, date="2024-05-01", comments={0: "a]"})


def test_free_corners_are_exported_when_everybody_took_their_own() -> None:
    """Pentobi can read it then, and so the file is written."""
    state = played("any", "a20", "t20", "t1", "a1", "b19,b18")
    (judged,) = judge(export_match(state, "blksgf", Notes()).encode(), "")
    assert isinstance(judged, Judged)
    assert judged.command.moves == tuple(ply.move for ply in state.line)


def test_free_corners_that_pentobi_cannot_read_are_refused_as_blksgf() -> None:
    """Blue began in green's corner: the sentence says which move; our own record holds it."""
    state = played("any", "a1", "t20", "t1", "a20")
    with pytest.raises(FormatError) as refused:
        export_match(state, "blksgf", Notes())
    assert refused.value.code == "cannot-export"
    assert "a20" in refused.value.sentence
    assert same_game(state, export_match(state, RECORD, Notes()))


def test_a_resignation_at_the_end_is_in_the_record() -> None:
    """The last word says how it ended; the moves are whole."""
    state = told(played("any", "e10", "j5", variant="duo"), ("player:A", cmd.Resign("A")))
    text = export_match(state, RECORD, Notes())
    assert text.endswith("winners=green resign\n")
    assert [ply.move for ply in imported(text.encode()).line] == ["e10", "j5"]


def test_a_match_that_went_on_after_a_resignation_is_refused() -> None:
    """No format can say that red could have placed and no longer did."""
    state = told(played("any", "a20", "t20"), ("player:C", cmd.Resign("C")))
    state = told(state, ("player:D", cmd.PlayMove("D", "a1", state.turn)))
    for name in format_names(state):
        with pytest.raises(FormatError) as refused:
            export_match(state, name, Notes())
        assert refused.value.code == "cannot-export"


def test_only_the_line_that_stands_is_exported() -> None:
    """A move taken back by consent is in the log, not in the file."""
    state = played("any", "e10", variant="duo")
    state = told(
        state,
        ("player:A", cmd.MakeOffer("takeback", "A", 0)),
        ("player:B", cmd.AnswerOffer("takeback", "B", yes=True)),
        ("player:A", cmd.PlayMove("A", "e9,e10", 2)),
    )
    assert [ply.move for ply in imported(export_match(state, "blksgf", Notes()).encode()).line] == [
        "e9,e10"
    ]


def test_a_match_that_has_not_begun_and_a_format_nobody_knows_are_refused() -> None:
    """With what would be right."""
    lobby = told(initial("m-x", SEED_SECRET), ("player:A", cmd.CreateMatch("blokus")))
    with pytest.raises(FormatError, match="not started"):
        export_match(lobby, "blksgf", Notes())
    with pytest.raises(FormatError, match="blksgf, plybook-blokus 1"):
        export_match(played("any", "a20"), "pgn", Notes())
