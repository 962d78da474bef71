"""The league: what it counts is right, no game is played twice, and a stop loses nothing kept."""

import signal
import subprocess
import sys
import time
from math import comb
from pathlib import Path

import pytest
from msgspec.structs import replace

from ops.dev.league.__main__ import main
from ops.dev.league.book import Book
from ops.dev.league.farm import GameFailed, played
from ops.dev.league.match import IllegalMove, InProcess, Turn
from ops.dev.league.meetings import Meeting, Result, meeting, play_game, rank_value
from ops.dev.league.page import HEAD, row, table
from ops.dev.league.plan import read_plan
from ops.dev.league.scoring import interval, standing
from ops.dev.league.sides import Side, WrongSide, seated, side
from services.games.registry import games
from services.levels import Levels
from tests.kit import gtp_player
from tests.kit.tree import ROOT


def met(
    slug: str = "blokus", ruleset: str = "duo", a: str = "level:1", b: str = "random"
) -> Meeting:
    """A meeting of two sides."""
    return meeting(slug, ruleset, side(slug, a), side(slug, b))


def scored(scores: list[float], seats: str = "duo") -> list[Result]:
    """Results of a meeting with these scores."""
    with_ruleset = met(ruleset=seats)
    return [
        Result(n, "A", score, 0.0, 1, 1, 1.0, 1.0, with_ruleset) for n, score in enumerate(scores)
    ]


def test_a_level_is_known_by_what_it_is_made_of() -> None:
    """A level and the engine it names are one side; results stay with the engine."""
    level = side("blokus", "level:2")
    assert level.name == "level:2"
    assert side("blokus", level.who).who == level.who


@pytest.mark.parametrize(
    "wrong",
    [
        "level:99", "level:", "best", "engine:blokus-greedy", "engine:blokus-greedy/7",
        "engine:blokus-greedy/1?budget=much", "engine:blokus-greedy/1?seed=1",
    ],
)  # fmt: skip
def test_nobody_plays_under_a_wrong_name(wrong: str) -> None:
    """A name that is no side is refused in a sentence."""
    with pytest.raises(WrongSide, match=r"\.$"):
        side("blokus", wrong)


@pytest.mark.parametrize(
    ("slug", "ruleset"),
    [("blokus", "duo"), ("blokus", "classic"), ("blokus", "classic-3"), ("triangles", "short")],
)
def test_every_seat_is_a_s_once_in_a_round(slug: str, ruleset: str) -> None:
    """Seats rotate: in a round each seat is A's once, the others B's."""
    between = met(slug, ruleset, "random", "random")
    a, b = seated(slug, between.a), seated(slug, between.b)
    seats = [play_game(between, number, a, b).seat for number in range(len(between.seats))]
    assert tuple(seats) == between.seats


def test_the_return_game_of_equals_is_the_same_game() -> None:
    """A round has one seed: with the same player on both sides the margins cancel out."""
    between = met("triangles", "short", "level:1", "level:1")
    player = seated("triangles", between.a)
    first, second, other = (play_game(between, number, player, player) for number in range(3))
    assert first.margin == -second.margin
    assert first.score + second.score == 1
    assert other.margin != first.margin


def test_ranks_of_more_seats_are_worth_even_steps() -> None:
    """1, ⅔, ⅓, 0; level seats share what they would have had together."""
    points = {"A": 4, "B": 3, "C": 3, "D": 3}
    assert rank_value(points, "A") == 1
    assert [rank_value(points, seat) for seat in "BCD"] == [1 / 3] * 3


def test_a_level_that_cannot_move_legally_stops_the_game() -> None:
    """An illegal move is nothing to count: the game fails and says whose it was."""

    class Wild(InProcess):
        def move(self, turn: Turn) -> str:
            return "a1" if turn.seat == "A" else "j5"

    between = met()
    with pytest.raises(IllegalMove, match="seat A played 'a1'"):
        play_game(between, 0, Wild(), Wild())


@pytest.mark.parametrize("games", [10, 25, 60])
@pytest.mark.parametrize("chance", [0.03, 0.1, 0.3, 0.5, 0.8, 0.97])
def test_the_interval_holds_the_truth_as_often_as_it_says(games: int, chance: float) -> None:
    """Over all outcomes of independent rounds, weighed exactly: at least 93 in 100."""
    covered = 0.0
    for won in range(games + 1):
        low, high = interval([1.0] * won + [0.0] * (games - won))
        weight = comb(games, won) * chance**won * (1 - chance) ** (games - won)
        covered += weight * (low <= chance <= high)
    assert covered >= 0.93


def test_a_verdict_needs_enough_rounds() -> None:
    """The same score settles nothing over few games and everything over many."""
    few, many = standing(scored([1, 1, 1, 0])), standing(scored([1, 1, 1, 0] * 20))
    assert few is not None
    assert many is not None
    assert (few.score, few.verdict) == (0.75, "not settled")
    assert (many.score, many.verdict) == (0.75, "A wins, 95 %")
    lost = standing(scored([0, 0] * 20))
    assert lost is not None
    assert lost.verdict == "B wins, 95 %"


def test_swapped_games_that_always_go_to_one_seat_prove_that_the_sides_are_level() -> None:
    """The round is the unit: wins of the first seat alone say nothing about the sides."""
    found = standing(scored([1, 0] * 50))
    assert found is not None
    low, high = interval([1.0, 0.0] * 50)
    assert found.high - found.low < (high - low) / 2


def test_games_come_out_the_same_however_many_are_played_at_a_time() -> None:
    """A result follows from meeting and number, but for the computing time."""
    between = met(a="level:2")
    a, b = seated("blokus", between.a), seated("blokus", between.b)
    here = [play_game(between, number, a, b) for number in range(4)]
    tasks = [(between, number) for number in range(4)]
    there = sorted(played(tasks, jobs=2), key=lambda result: result.number)
    assert list(map(_timeless, here)) == list(map(_timeless, there))


def _timeless(result: Result) -> Result:
    return replace(result, cpu_ms_a=0, cpu_ms_b=0)


def test_a_game_that_cannot_be_played_is_named() -> None:
    """A side that fails in its process ends the run with a sentence, not with a hang."""
    broken = replace(met(), a=Side("level:1", "level:1", "engine:gone/1"))
    with pytest.raises(GameFailed, match="level:1 against random, game 0: WrongSide"):
        list(played([(broken, 0)], jobs=1))


def test_no_game_is_played_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A rerun plays what is missing; a cut line costs its own game alone."""
    book = tmp_path / "book.jsonl"

    def shown(games: int) -> str:
        asked = ["play", "--game=blokus", "--ruleset=duo", "--a=level:1", "--b=random", "--jobs=1"]
        assert main([*asked, f"--games={games}", f"--book={book}"]) == 0
        return capsys.readouterr().out

    first, whole = shown(3), book.read_bytes()
    assert whole.count(b"\n") == 1 + 3  # who meets, and three games
    assert (shown(3), book.read_bytes()) == (first, whole)
    book.write_bytes(whole[:-20])
    shown(4)
    assert sorted(Book(book).results(met())) == [0, 1, 2, 3]
    assert book.read_bytes().startswith(whole[:-20] + b"\n")


def test_books_of_two_machines_are_joined_by_cat(tmp_path: Path) -> None:
    """Each tells who met; a game that both have counts once, as the first one has it."""
    for name, numbers in (("one", (0, 1)), ("two", (1, 2))):
        book = Book(tmp_path / name)
        for number in numbers:
            book.add(replace(scored([1.0])[0], meeting=met(), number=number))
    (tmp_path / "both").write_bytes(b"".join((tmp_path / n).read_bytes() for n in ("one", "two")))
    assert sorted(Book(tmp_path / "both").results(met())) == [0, 1, 2]


def test_games_whose_meeting_was_cut_off_are_played_again(tmp_path: Path) -> None:
    """A game under an id that no line tells of says nothing."""
    path = tmp_path / "book.jsonl"
    Book(path).add(replace(scored([1.0])[0], meeting=met()))
    told, *games = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(told[:40] + b"\n" + b"".join(games))
    assert not Book(path).results(met())
    Book(path).add(replace(scored([1.0])[0], meeting=met()))
    assert sorted(Book(path).results(met())) == [0]


def test_another_engine_version_begins_anew(tmp_path: Path) -> None:
    """Results are kept for who played, not for what the level is called."""
    book, between = Book(tmp_path / "book.jsonl"), met()
    book.add(replace(scored([1.0])[0], meeting=between))
    later = replace(
        between, a=Side("level:1", "level:1", "engine:blokus-greedy/2?budget=0&noise=800")
    )
    assert len(book.results(between)) == 1
    assert not book.results(later)
    assert len(book.named(later)) == 1


def test_ctrl_c_keeps_what_was_played(tmp_path: Path) -> None:
    """An interrupted run leaves whole lines, no process, and says so by its exit status."""
    book = tmp_path / "book.jsonl"
    asked = ("--game=triangles", "--ruleset=marathon", "--a=level:2", "--b=level:1")
    command = [sys.executable, "-m", "ops.dev.league", "play", *asked]
    run = subprocess.Popen([*command, "--games=500", "--jobs=1", f"--book={book}"], cwd=ROOT)
    deadline = time.monotonic() + 60
    while (
        not (book.exists() and book.read_bytes().count(b"\n") > 1) and time.monotonic() < deadline
    ):
        time.sleep(0.05)
    run.send_signal(signal.SIGINT)
    assert run.wait(30) == 130
    assert book.read_bytes().endswith(b"\n")
    assert [len(results) for _, results in Book(book).meetings()] == [
        book.read_bytes().count(b"\n") - 1
    ]


def test_a_row_says_everything_a_reader_compares() -> None:
    """Each column of the table is filled, and a meeting without games says so."""
    rows = [row(met(), scored([1.0, 0.5])), row(met(), [])]
    lines = list(table(rows))
    assert len({len(line) for line in lines}) == 1
    assert all(rows[0][:-1])
    assert rows[1][-2] == "not played"
    assert len(rows[0]) == len(HEAD)


def test_an_outside_program_plays_and_is_known_by_what_it_says_it_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Its command may name a variable, and results hold no path of this machine."""
    monkeypatch.setenv("SCRIPTED", f"{sys.executable} {gtp_player.__file__}")
    between = met(a="gtp:$SCRIPTED", b="random")
    assert between.a.who == "gtp:$SCRIPTED (Scripted 7)"
    result = next(played([(between, 1)], jobs=1))
    assert result.moves_a > 10
    assert result.cpu_ms_a > 0
    monkeypatch.delenv("SCRIPTED")
    with pytest.raises(WrongSide, match="The variable SCRIPTED is not set"):
        met(a="gtp:$SCRIPTED")


PLAN = """
[programs]
"Scripted" = "gtp:$NOT_HERE"

[[meetings]]
title = "Neighbours"
game = "blokus"
rulesets = ["duo"]
neighbours = true
games = 2

[[meetings]]
title = "A round"
game = "triangles"
rulesets = ["one round"]
options = { max_rounds = 1 }
a = "level:1"
b = "random"
games = 4
reach_margin = 1.0

[[meetings]]
title = "Outside"
game = "blokus"
rulesets = ["duo"]
a = "level:1"
b = "Scripted"
games = 2
reach = 0.9
"""


def test_a_plan_is_played_and_written_down(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page holds a row for each meeting, what was asked of it, and what was not to be had."""
    plan, book, written = (tmp_path / name for name in ("plan.toml", "book.jsonl", "league.md"))
    plan.write_text(PLAN)
    asked = ["plan", f"--file={plan}", f"--book={book}", "--jobs=1", "--games=2"]
    assert main([*asked, "--game=triangles", f"--write={written}"]) == 0
    page = written.read_text()
    assert capsys.readouterr().out == page
    rows = [line for line in page.splitlines() if line.startswith("| level:")]
    assert len(rows) == len(Levels.load().known("blokus")) - 1 + 2
    assert [row.count(" 2 ") for row in rows if "one round" in row] == [1]
    assert "margin ≥ 1, 95 %" in page
    assert "score ≥ 0.9 " in page
    assert "- The variable NOT_HERE is not set." in page


def test_the_plan_of_the_house_can_be_played() -> None:
    """Its games, rulesets, levels and engines exist; only outside programs may be away."""
    entries = read_plan()
    assert {entry.met.game for entry in entries} == {known.rules.slug for known in games()}
    away = {why for entry in entries for why in entry.hindrances}
    assert away <= {"The variable PENTOBI is not set."}
