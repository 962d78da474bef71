"""The first Blokus engine: legal, reproducible, and stronger from level to level."""

import itertools
import subprocess
import sys

import pytest
from msgspec.structs import replace

from services.games.blokus import rules as blokus
from services.games.registry import game
from tests.engines.arena import LEVELS, RANDOM, contest, play, question, seats_of
from tests.engines.golden import golden
from workers.engines.contract import Question, UnknownEngine
from workers.engines.dice import Dice
from workers.engines.registry import think

VARIANTS = ("duo", "classic", "classic-2", "classic-3")
GREEDY = [
    spec.level for spec in LEVELS.specs() if (spec.game, spec.engine) == ("blokus", "blokus-greedy")
]


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden("blokus")
    assert len(cases) >= 24
    assert {case.question.ruleset["variant"] for case in cases} == set(VARIANTS)
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_another_process_with_other_hashes_answers_the_same() -> None:
    """No answer leans on the order of sets or on anything else a process is born with."""
    program = (
        "from tests.engines.golden import golden\n"
        "from workers.engines.registry import think\n"
        "assert all(think(case.question).move == case.move for case in golden('blokus'))\n"
    )
    for seed in ("1", "2"):
        hashed = {"PYTHONHASHSEED": seed}
        assert subprocess.call([sys.executable, "-c", program], env=hashed) == 0


def test_the_seed_decides_and_nothing_else() -> None:
    """The same question twice has one answer; other seeds lead to other moves."""
    asked = golden("blokus")[0].question
    moves = {think(replace(asked, seed=seed)).move for seed in range(20)}
    assert len(moves) > 1
    assert think(asked) == think(asked)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("level", GREEDY)
def test_every_move_of_every_level_is_legal_in_every_variant(variant: str, level: int) -> None:
    """A whole game between equals: the rules object to no move."""
    judge, asked = game("blokus"), 0

    def objections(q: Question, move: str) -> None:
        nonlocal asked
        asked += 1
        position = judge.notation.parse_position(q.view)
        assert judge.rules.objection(position, move) is None

    play(variant, dict.fromkeys(seats_of(variant), level), seed=5, watch=objections)
    assert asked > 20


@pytest.mark.parametrize("variant", VARIANTS)
def test_level_1_beats_random_play_in_every_seat(variant: str) -> None:
    """Even the weakest level plays on purpose: it wins from every seat, far ahead."""
    seats = len(seats_of(variant))
    won, ahead = contest(variant, 1, RANDOM, games=seats)
    assert won == seats
    assert ahead >= 10 * seats


@pytest.mark.parametrize("variant", VARIANTS)
def test_level_2_beats_level_1(variant: str) -> None:
    """One step up is felt: most games won, and clearly more points."""
    won, ahead = contest(variant, 2, 1, games=6)
    assert won >= 4
    assert ahead >= 60


def test_level_3_is_ahead_of_level_2() -> None:
    """The next step is smaller, and still there in every variant's sum of points."""
    assert all(contest(variant, 3, 2, games=4)[1] > 0 for variant in VARIANTS)


def test_the_opening_is_played_with_large_pieces_towards_the_middle() -> None:
    """The strongest level starts with fives, and is near the middle with its third piece."""
    rules, moves = game("blokus").rules, []
    play("classic", dict.fromkeys("ABCD", 3), 3, lambda q, move: moves.append((q.seat, move)))
    blue = [move for seat, move in moves if seat == "A"]
    assert [len(move.split(",")) for move in blue[:6]] == [5] * 6
    board = rules.setup(rules.ruleset({})).board
    third = [divmod(board.squares[name], board.size) for name in blue[2].split(",")]
    assert min(max(abs(2 * row - 19), abs(2 * column - 19)) for row, column in third) <= 7


def test_a_partner_is_not_fought_in_classic_2() -> None:
    """Seat A plays blue and red: with the same squares as rivals blue takes more from red."""
    taken = {variant: _contacts_taken_from_red(variant) for variant in ("classic", "classic-2")}
    assert taken["classic-2"] < taken["classic"]


def _contacts_taken_from_red(variant: str) -> int:
    """Over one game's positions: red's contact points that blue's chosen moves cover."""
    notation, total = game("blokus").notation, 0
    for case in itertools.islice(_blue_to_move(), 8):
        text = case.replace("blokus classic ", f"blokus {variant} ", 1)
        position = notation.parse_position(text)
        board, red = position.board, position.covered[2]
        asked = question(game("blokus"), position, position.ruleset, 3, seed=1)
        mask = board.by_text[think(asked).move].mask
        contacts = board.diagonal(red) & ~board.beside(red) & ~blokus.taken(position)
        total += (mask & contacts).bit_count()
    return total


def _blue_to_move() -> list[str]:
    views: list[str] = []
    play("classic", dict.fromkeys("ABCD", 2), 7, lambda q, _: views.append(q.view))
    return [view for view in views if " next=blue " in view][4:]


def test_where_play_is_over_or_the_engine_is_unknown_there_is_no_answer() -> None:
    """What cannot be answered is an error, never a move made up."""
    asked = golden("blokus")[0].question
    fields = asked.view.replace("done=-", "done=blue,green").split(" next=")
    ended = f"{fields[0]} next=-{fields[1][fields[1].index(' ') :]}"
    with pytest.raises(ValueError, match="nothing to choose"):
        think(replace(asked, view=ended))
    with pytest.raises(UnknownEngine, match="blokus-greedy version 99"):
        think(replace(asked, engine_version=99))


def test_a_question_does_not_print_its_seed() -> None:
    """Whoever logs a question does not publish the chance of a turn that is still to be played."""
    asked = golden("blokus")[0].question
    assert str(asked.seed) not in repr(asked)


def test_dice_are_even() -> None:
    """Every number below m comes up, about as often as the others."""
    dice = Dice(2026)
    counts = [0] * 7
    for _ in range(7_000):
        counts[dice.below(7)] += 1
    assert all(900 < count < 1_100 for count in counts)
