"""Pentobi's dialects of SGF: the new one, the old ones, and what is plainly refused."""

import pytest

from services.formats import blksgf
from services.formats.draft import Claimed, LeftOut
from services.formats.errors import FormatError


def game(text: str) -> blksgf.Game:
    """The one game of a text, read."""
    (read,) = blksgf.read(text)
    assert isinstance(read, blksgf.Game), read
    return read


def refusal(text: str) -> FormatError:
    """The refusal of the one game of a text."""
    (read,) = blksgf.read(text)
    assert isinstance(read, FormatError), read
    return read


@pytest.mark.parametrize(
    "text",
    [
        "(;GM[Blokus];1[a19,a20];2[t20])",
        "(;GM[Blokus];BLUE[a19,a20];YELLOW[t20])",
        "(;GM[Blokus];BLUE[a19][a20];2[t20])",
        "(;GM[ Blokus ];1[a19,a20]TE[1];2[t20]BM[1])",
        "(;GM[Blokus];1[a19,a20];3[];2[t20])",
    ],
    ids=["today", "colour names", "a value a square, mixed", "marks", "an empty move"],
)
def test_every_dialect_of_four_colours_says_the_same(text: str) -> None:
    """Blue a19,a20, then yellow t20, in whichever words."""
    assert [(move.who, move.move) for move in game(text).moves] == [
        ("blue", "a19,a20"),
        ("yellow", "t20"),
    ]


@pytest.mark.parametrize("marks", ["BW", "12", ("BLUE", "GREEN")])
def test_every_dialect_of_two_colours_says_the_same(marks: tuple[str, str]) -> None:
    """Duo is written with B and W; older files have numbers or names."""
    read = game(f"(;GM[Blokus Duo];{marks[0]}[e10];{marks[1]}[j5])")
    assert read.variant == "duo"
    assert read.moves == (Claimed(2, "blue", "e10"), Claimed(3, "green", "j5"))


@pytest.mark.parametrize(
    ("title", "variant"),
    [
        ("Blokus", "classic"),
        ("Blokus Two-Player", "classic-2"),
        ("Blokus Three-Player", "classic-3"),
        ("Blokus Duo", "duo"),
    ],
)
def test_the_games_we_play_are_read(title: str, variant: str) -> None:
    """GM names the game; it is a variant here."""
    assert game(f"(;GM[{title}])").variant == variant


@pytest.mark.parametrize(
    "title", ["Blokus Junior", "Blokus Trigon", "Nexos", "Callisto", "GembloQ Two-Player", "blokus"]
)
def test_another_game_is_refused_by_its_name(title: str) -> None:
    """The reason names the game and those that are read."""
    error = refusal(f"(;GM[{title}];1[a1])")
    assert error.code == "game-not-played"
    assert title in error.sentence
    assert "Blokus Duo" in error.sentence


def test_a_name_without_end_does_not_fill_the_answer() -> None:
    """What a stranger wrote is cut before it is repeated."""
    assert len(refusal(f"(;GM[{'x' * 10_000}])").sentence) < 300


@pytest.mark.parametrize(
    ("text", "code", "node"),
    [
        ("(;C[no name];1[a20])", "no-game-name", 1),
        ("(;GM[Blokus];1[a20];1[b19]2[t20])", "two-moves", 3),
        ("(;GM[Blokus];B[a20])", "no-such-colour", 2),
        ("(;GM[Blokus Duo];3[e10])", "no-such-colour", 2),
        ("(;GM[Blokus Duo]A3[e10])", "no-such-colour", 1),
        ("(;GM[Blokus]PL[B])", "no-such-colour", 1),
        ("(;GM[Blokus];1[a20];A2[t20])", "setup-after-start", 3),
        ("(;GM[Blokus];1[a20];PL[3])", "setup-after-start", 3),
        ("(;GM[Blokus]A1[a20]AE[t20])", "nothing-to-remove", 1),
    ],
)
def test_what_cannot_be_meant_is_refused_with_its_node(text: str, code: str, node: int) -> None:
    """Nodes count from 1; the sentence repeats game and node."""
    error = refusal(text)
    assert (error.code, error.node) == (code, node)
    assert f"node {node}" in error.sentence


def test_pieces_are_set_up_in_the_root() -> None:
    """Added by colour, taken away by AE, and PL says whose turn it is."""
    read = game("(;GM[Blokus]A1[a20][a18,b19]A4[a1]AE[B19,a18]PL[3];3[t1])")
    assert [(piece.who, piece.move) for piece in read.setup] == [("blue", "a20"), ("green", "a1")]
    assert read.to_play == "red"
    assert read.moves == (Claimed(2, "red", "t1"),)


def test_names_date_and_comments_stand_apart() -> None:
    """Comments go by the number of moves played; names by seat, on one line, cut."""
    text = (
        "(;GM[Blokus Two-Player]PB[Ann\nB.]PW[" + "w" * 200 + "]DT[2024-05-01]C[start]"
        ";1[a20]C[first];C[a note];2[t20]C[second\\]])"
    )
    notes = game(text).notes
    assert notes.names == {"A": "Ann B.", "B": "w" * blksgf.NAME_CHARS_MAX}
    assert notes.date == "2024-05-01"
    assert notes.comments == {0: "start", 1: "first\n\na note", 2: "second]"}


def test_other_lines_of_play_are_counted() -> None:
    """The main line is that of the first variations; the rest is left out, and said."""
    read = game("(;GM[Blokus](;1[a20](;2[t20];3[t1])(;2[t19]))(;1[a19];2[t20];9[what]))")
    assert [move.move for move in read.moves] == ["a20", "t20", "t1"]
    assert read.left_out == LeftOut(lines=2, nodes=4)


def test_games_of_one_file_are_judged_apart() -> None:
    """One that is not read does not hide the others."""
    first, second, third = blksgf.read("(;GM[Blokus];1[a20])(;GM[Nexos])(;GM[Blokus Duo])")
    assert isinstance(first, blksgf.Game)
    assert isinstance(second, FormatError)
    assert second.game == 2
    assert isinstance(third, blksgf.Game)


def test_a_game_written_reads_back_whole() -> None:
    """Names, date, set-up pieces, moves and comments."""
    text = "(;GM[Blokus Duo]PB[Ann]PW[B\\]b]DT[1999]C[0]AB[e10]AW[j5][i6]PL[W];W[h7]C[1\\\\];B[f9])"
    read = game(text)
    assert game(blksgf.write(read)) == read
