"""Programs hosted over GTP: asked like engines, killed when late, started again when gone."""

import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from services.games.blokus import rules
from services.games.blokus.notation import format_position
from services.games.blokus.position import Position
from tests.kit import gtp_player
from workers.engines.contract import Question
from workers.engines.gtp import GtpEngine, GtpFailure

SECONDS = 60.0
"""More than any answer takes on a busy machine."""


def command(*arguments: str) -> str:
    """The scripted program."""
    return shlex.join([sys.executable, gtp_player.__file__, *arguments])


def question(position: Position, game: str = "blokus") -> Question:
    """What a level that is an outside program is asked."""
    return Question(
        game=game,
        rules_version=rules.version,
        ruleset=rules.ruleset_data(position.ruleset),
        view=format_position(position),
        seat=str(rules.awaiting(position)),
        seed=1 << 40,
        engine="gtp-scripted",
        engine_version=7,
        level=9,
        budget=0,
        noise=0,
    )


def positions(variant: str = "duo", corners: str = "fixed", seed: int = 3) -> Iterator[Position]:
    """The positions of a game whose moves jump through the lists."""
    position = rules.setup(rules.ruleset({"variant": variant, "corners": corners}))
    while position.next >= 0:
        yield position
        moves = rules.moves(position).texts
        position = rules.apply(position, moves[seed * len(moves) // 7]).position


def after(plies: int, variant: str = "duo", corners: str = "fixed") -> Position:
    """The position after so many placements."""
    return next(islice(positions(variant, corners), plies, None))


Start = Callable[..., GtpEngine]


@pytest.fixture
def start() -> Iterator[Start]:
    """Engines over the scripted program, ended after the test."""
    engines: list[GtpEngine] = []

    def started(*arguments: str) -> GtpEngine:
        engines.append(GtpEngine(command(*arguments)))
        return engines[-1]

    yield started
    for engine in engines:
        engine.close()


@pytest.mark.parametrize("variant", ["duo", "classic", "classic-2"])
def test_a_program_plays_from_any_position(start: Start, variant: str) -> None:
    """It is brought to the position by the placements that lead there, and its move is legal."""
    engine = start()
    for position in list(positions(variant))[::9]:
        move = engine.choose(question(position), SECONDS).move
        assert move == rules.moves(position).texts[-1]


def test_a_program_is_told_only_what_is_new(start: Start, tmp_path: Path) -> None:
    """While a game goes on it keeps its board; another game begins from an empty one."""
    note = tmp_path / "told.txt"
    engine = start("--note", str(note))
    position = after(4)
    move = engine.choose(question(position), SECONDS).move
    answered = rules.apply(position, move).position
    reply = rules.moves(answered).texts[0]
    engine.choose(question(rules.apply(answered, reply).position), SECONDS)
    engine.choose(question(after(2)), SECONDS)
    told = [line.split()[1] for line in note.read_text().splitlines()]
    begun = ["set_game", *["play"] * 4, "set_random_seed", "genmove"]
    assert told[: len(begun)] == begun
    assert told[len(begun) :] == [
        *["play", "set_random_seed", "genmove"],
        *["clear_board", "play", "play", "set_random_seed", "genmove"],
    ]


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("crash", "crash"),
        ("resign", "resign"),
        ("pass", "pass"),
        ("refuse", "refused"),
        ("nonsense", "garbage"),
        ("garbage", "garbage"),
        ("flood", "garbage"),
    ],
)
def test_whatever_is_no_move_is_a_failure_with_its_word(
    start: Start, behaviour: str, reason: str
) -> None:
    """The word goes into the log; the next question is answered, by a new process if need be."""
    engine = start(f"{behaviour}@2")
    first = after(0)
    engine.choose(question(first), SECONDS)
    with pytest.raises(GtpFailure) as failed:
        engine.choose(question(after(5)), SECONDS)
    assert failed.value.reason == reason
    assert failed.value.detail
    again = engine.choose(question(after(5)), SECONDS)
    assert rules.objection(after(5), again.move) is None


def test_a_program_that_is_late_is_killed(start: Start) -> None:
    """The limit is for the whole question; the next one starts another process."""
    engine = start("hang@1")
    with pytest.raises(GtpFailure) as failed:
        engine.choose(question(after(1)), seconds=0.01)
    assert failed.value.reason == "time"
    with pytest.raises(GtpFailure) as failed:
        engine.choose(question(after(1)), seconds=0.01)
    assert failed.value.reason == "time"


def test_a_program_that_hangs_in_the_middle_of_a_game_is_replaced(start: Start) -> None:
    """What it was asked is answered by nobody; the same question again, by a new process."""
    engine = start("hang@2")
    engine.choose(question(after(0)), SECONDS)
    with pytest.raises(GtpFailure) as failed:
        engine.choose(question(after(1)), seconds=0.2)
    assert failed.value.reason == "time"
    assert engine.choose(question(after(1)), SECONDS).move


def test_an_illegal_move_is_handed_on_for_the_rules_to_judge(start: Start) -> None:
    """The program is not asked to judge itself; afterwards its board is made right again."""
    engine = start("illegal@1")
    position = after(6)
    move = engine.choose(question(position), SECONDS).move
    assert rules.objection(position, move) is not None
    assert engine.choose(question(position), SECONDS).move == rules.moves(position).texts[-1]


def test_a_program_that_cannot_be_started_is_a_failure() -> None:
    """A wrong command is told, not raised as something else."""
    for wrong in ("no-such-program-anywhere", "'unbalanced"):
        with pytest.raises(GtpFailure, match="cannot be started"):
            GtpEngine(wrong).choose(question(after(0)), SECONDS)


def test_questions_no_program_can_be_asked_are_said_to_be_unfit(start: Start) -> None:
    """Free corners and other games are not in what Blokus programs know."""
    for unfit in (question(after(3, "classic", "any")), question(after(0), game="hedgerow")):
        with pytest.raises(GtpFailure) as failed:
            start().choose(unfit, SECONDS)
        assert failed.value.reason == "unfit"


def test_a_program_says_who_it_is(start: Start) -> None:
    """Its name and version, for tables of results; its computing time counts up."""
    engine = start()
    assert engine.cpu_seconds() == 0
    assert engine.title(SECONDS) == "Scripted 7"
    before = engine.cpu_seconds()
    engine.choose(question(after(20)), SECONDS)
    assert engine.cpu_seconds() > before > 0


def test_closing_twice_is_closing() -> None:
    """An engine that was never asked has nothing to end."""
    with closing(GtpEngine(command())) as engine:
        engine.title(SECONDS)
        engine.close()
