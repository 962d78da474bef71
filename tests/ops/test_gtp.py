"""``plybook gtp``: other programs play ours, and every word they may say has its answer."""

import io
import shlex
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing

import pytest

from ops.cli import run
from ops.dev.league.match import Turn
from ops.gtp_protocol import answers, read_line
from ops.gtp_session import Session, game_named
from ops.rulesets import ruleset_named
from services.games import registry
from services.games.blokus import rules as blokus
from services.games.contract import Over
from services.levels import LevelSpec
from tests.kit.machine import PATIENCE_SECONDS
from tests.kit.tree import ROOT
from workers.engines.gtp import GtpEngine
from workers.engines.gtp_blokus import NAMES, FreeBoard, colour_name, placements

SEED = 11
OUTSIDER = LevelSpec("blokus", 9, "gtp-plybook", 1, 0)


class Talk:
    """A program's side of the talk: it says a line and hears what is told."""

    def __init__(self, name: str, level: int = 1, seed: int = SEED) -> None:
        self._session = Session(name, level, seed)

    def heard(self, line: str) -> str:
        """The whole answer as it is written."""
        return "".join(answers([line], self._session.commands))

    def __call__(self, line: str) -> str:
        """What a command that must succeed answers."""
        heard = self.heard(line)
        assert heard.startswith("= ")
        return heard[2:-2]

    def refused(self, line: str) -> str:
        """What a command that must fail answers."""
        heard = self.heard(line)
        assert heard.startswith("? ")
        return heard[2:-2]


def test_a_talk_goes_as_the_protocol_says() -> None:
    """Numbers come back, comments and empty lines are passed over, each answer ends by a line."""
    said = (
        "1 protocol_version\r\n\n# nothing\n  \t\n20\tname # who?\nnonsense\n3 play b\nquit\nname\n"
    )
    heard = "".join(answers(io.StringIO(said), Session("blokus duo", 1, SEED).commands))
    assert heard == (
        "=1 2\n\n=20 Plybook\n\n? unknown command\n\n?3 wrong number of arguments\n\n= \n\n"
    )


def test_a_number_alone_is_a_command_nobody_knows() -> None:
    """A line is never lost: whoever waits for an answer gets one."""
    assert Talk("blokus duo").heard("17\n") == "?17 unknown command\n\n"
    assert read_line("\x07\n") is None


def test_every_listed_command_is_known_and_no_answer_has_an_empty_line() -> None:
    """A program finds out what there is; the first empty line is the end of an answer."""
    talk = Talk("blokus duo")
    listed = talk("list_commands").split("\n")
    assert "genmove" in listed
    assert {talk(f"known_command {name}") for name in listed} == {"true"}
    assert talk("known_command fly") == "false"
    board = talk("showboard")
    assert "\n\n" not in board
    assert board.count("\n") > 14


@pytest.mark.parametrize("variant", NAMES)
def test_a_game_of_blokus_is_played_to_its_end(variant: str) -> None:
    """The level plays all colours: each move is legal, blocked colours pass, the score is ours."""
    talk = Talk(NAMES[variant])
    position = blokus.setup(blokus.ruleset({"variant": variant, "corners": "fixed"}))
    passed, colour, colours = set[int](), 0, len(position.sheet.colours)
    while len(passed) < colours:
        name = colour_name(position.ruleset, colour)
        if colour not in passed:
            assert tuple(talk(f"all_legal {name}").split()) == blokus.colour_moves(position, colour)
            move = talk(f"genmove {name}")
            if move == "pass":
                passed.add(colour)
            else:
                assert position.next == colour
                position = blokus.apply(position, move).position
        colour = (colour + 1) % colours
    outcome = blokus.outcome(position)
    assert outcome is not None
    if len(outcome.points) > 2:
        assert [int(n) for n in talk("final_score").split()] == [
            points + 89 for points in outcome.parts.values()
        ]
    else:
        ahead = outcome.points["A"] - outcome.points["B"]
        assert talk("final_score") == (
            f"{'B' if ahead > 0 else 'W'}+{abs(ahead)}" if ahead else "0"
        )


def test_any_colour_may_place_at_any_time() -> None:
    """Programs keep the turn themselves: legality for the named colour is all that is judged."""
    talk = Talk("blokus", level=2)
    talk("play 2 t20")
    talk("play 2 s19,r19")
    talk("play 4 a1")
    assert talk.refused("play 1 t1").startswith("illegal move: ")
    assert talk.refused("play 5 a20") == "invalid color argument '5'"
    move = talk("genmove blue")
    assert "a20" in move.split(",")
    assert talk("genmove 2") not in ("pass", move)


def test_placements_in_order_lead_to_the_position_of_a_match() -> None:
    """A level answers over GTP what it would answer in a match: it is asked the same question."""
    board = FreeBoard(blokus.setup(blokus.ruleset({"variant": "duo"})))
    position = board.position
    while not isinstance(blokus.awaiting(position), Over):
        moves = blokus.moves(position).texts
        move = moves[len(moves) // 2]
        board = board.place(position.next, move)
        position = blokus.apply(position, move).position
        assert board.position == position
    order = placements(position)
    again = FreeBoard(blokus.setup(blokus.ruleset({"variant": "duo"})))
    for colour, move in order:
        again = again.place(colour, move)
    assert again.position.placed == position.placed


def test_undo_takes_back_one_placement_and_no_more_than_there_are() -> None:
    """After ``undo`` the same question gets the same answer; an empty board cannot be undone."""
    talk = Talk("blokus duo")
    first = talk("genmove b")
    talk("undo")
    assert talk("reg_genmove b") == first
    assert talk("genmove b") == first
    talk("undo")
    assert talk.refused("undo") == "cannot undo"


def test_a_seed_decides_the_answers() -> None:
    """The same seed is the same game; another seed leads to others, also by ``set_random_seed``."""

    def first(talk: Talk) -> str:
        return talk("reg_genmove b")

    assert first(Talk("blokus duo")) == first(Talk("blokus duo"))
    seeds = Talk("blokus duo")
    answers_of = set()
    for seed in range(20):
        seeds(f"set_random_seed {seed}")
        answers_of.add(first(seeds))
    assert len(answers_of) > 1
    for no_seed in ("soon", "-", "--1", "9" * 5000):  # Python itself reads 4,300 digits
        assert seeds.refused(f"set_random_seed {no_seed}").startswith("the seed is a whole number")


def test_set_game_knows_the_names_of_programs_and_ours() -> None:
    """Blokus by its programs' names has fixed corners; ours are a game and a ruleset."""
    assert game_named("BLOKUS two-player") == (
        "blokus",
        ruleset_named("blokus", "classic-2-fixed-corners"),
    )
    assert game_named("hedgerow walled")[1] == ruleset_named("hedgerow", "walled")
    talk = Talk("blokus duo")
    talk("play b e10")
    talk("set_game Blokus")
    assert talk("all_legal 1").count("\n") == 57
    for wrong in ("Halma", "hedgerow uphill", "blokus classic-5"):
        talk.refused(f"set_game {wrong}")
    assert "Blokus Duo, blokus, caltrop, hedgerow" in talk.refused("set_game Halma")
    assert talk("all_legal 1").count("\n") == 57


def test_hidden_hands_are_refused_in_a_sentence() -> None:
    """Triangles over GTP would be a game nobody could know anything of."""
    talk = Talk("blokus duo")
    assert "a program is told every move and no hand" in talk.refused("set_game triangles")
    assert "decks" in talk.refused("set_game caltrop budget")


@pytest.mark.parametrize("name", ["caltrop classic", "hedgerow standard"])
def test_the_other_open_games_are_played_in_their_own_notation(name: str) -> None:
    """Seats in turn to the end; whoever is not to move is told whose turn it is."""
    slug, options = game_named(name)
    rules = registry.game(slug).rules
    talk, plies = Talk(name), 0
    for side in _sides(talk):
        waiting = "w" if side == "b" else "b"
        assert talk.refused(f"genmove {waiting}") == f"it is the turn of {side}"
        assert talk(f"all_legal {waiting}") == ""
        move = talk(f"reg_genmove {side}")
        assert move in talk(f"all_legal {side}").split("\n")
        talk(f"play {side} {move}")
        plies += 1
    assert 10 < plies <= rules.terms(rules.ruleset(options)).plies_max
    talk("undo")
    assert talk.refused("play b nonsense")


def _sides(talk: Talk) -> Iterator[str]:
    """Whose turn it is, until play is over."""
    while True:
        told = talk.heard("reg_genmove b") if not talk("all_legal b") else "="
        if "play is over" in told:
            return
        yield "b" if told == "=" else "w"


def test_the_command_talks_over_its_standard_input() -> None:
    """Started with game, level and seed, it answers until ``quit``, and ends well."""
    asked = ("--game=blokus", "--ruleset=duo", "--level=1", f"--seed={SEED}")
    program = subprocess.run(
        [sys.executable, "-c", "from ops.cli import main; main()", "gtp", *asked],
        input="1 genmove b\n2 quit\n3 name\n",
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=False,
    )
    assert program.returncode == 0, program.stderr
    assert program.stdout == f"=1 {Talk('blokus duo')('genmove b')}\n\n=2 \n\n"


@pytest.mark.parametrize(
    "asked",
    [
        ("triangles", "1", "classic"),
        ("blokus", "99", "duo"),
        ("blokus", "1", "huge"),
        ("go", "1", ""),
    ],
)
def test_what_cannot_be_played_is_said_at_once(
    asked: tuple[str, str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    """One sentence on standard error and nothing on standard output."""
    game, level, ruleset = asked
    status = run(["gtp", "--game", game, "--level", level, "--ruleset", ruleset])
    told = capsys.readouterr()
    assert (status, told.out) == (1, "")
    assert told.err.startswith("It cannot be played here: ")
    assert told.err.endswith(".\n")
    assert told.err.count("\n") == 1


@pytest.mark.parametrize("variant", ["duo", "classic-3"])
def test_our_level_can_be_hosted_as_an_outside_program(variant: str) -> None:
    """Both halves speak the same language: our own adapter plays our own program."""
    program = [sys.executable, "-c", "from ops.cli import main; main()", "gtp"]
    asked = shlex.join([*program, "--game=blokus", "--level=1", "--seed=1"])
    position = blokus.setup(blokus.ruleset({"variant": variant, "corners": "fixed"}))
    with closing(GtpEngine(asked)) as engine:
        assert engine.title(PATIENCE_SECONDS).startswith("Plybook ")
        for _ in range(12):
            seat = str(blokus.awaiting(position))
            turn = Turn(registry.game("blokus"), position.ruleset, position, seat, SEED)
            move = engine.choose(turn.question(OUTSIDER), PATIENCE_SECONDS).move
            assert blokus.objection(position, move) is None
            position = blokus.apply(position, move).position
