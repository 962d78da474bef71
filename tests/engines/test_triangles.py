"""The Triangles engines: blind to what is hidden, legal, reproducible, stronger by level."""

import subprocess
import sys
from statistics import fmean
from typing import Any

import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.contract import Over
from services.games.triangles.notation import read_placement
from services.games.triangles.points import placement_points
from services.games.triangles.position import Position
from tests.engines.arena import LEVELS, RANDOM, lead, play_match, question
from tests.engines.golden import golden
from tests.engines.triangles_deals import swapped
from tests.kit.playouts import Dice, playout
from workers.engines.contract import Question
from workers.engines.registry import think

GAME = registry.game("triangles")
ONE_ROUND = {"max_rounds": 1}
PAIRS = 100
"""A swapped deal strays by some 60 points, so it takes many to see a gain of 10."""
PLAYOUTS = 100
"""At most so many for a move, where only the kind of the move matters."""
OPTIONS: tuple[dict[str, Any], ...] = (
    {"max_rounds": 1, "players": 3},
    {"max_rounds": 1, "players": 4, "score_placement": False},
    {"max_rounds": 1, "hand_size": 16, "opening_tile": "free", "bridge_two_sides": True},
)


def positions(seed: int, options: dict[str, Any]) -> list[Position]:
    """The positions of a match at random in which a seat chooses."""
    start = GAME.rules.setup(GAME.rules.ruleset(options))
    return [turn.position for turn in playout(GAME, start, Dice(seed))]


def quick(asked: Question) -> Question:
    """The question with a budget for tests: what a level may do does not depend on how long."""
    return replace(asked, budget=min(asked.budget, PLAYOUTS))


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden("triangles")
    assert {case.question.level for case in cases} == {1, 2, 3}
    assert len(cases) >= 12
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_another_process_with_other_hashes_answers_the_same() -> None:
    """No answer leans on the order of sets: the cells of a table are one."""
    program = (
        "from tests.engines.golden import golden\n"
        "from workers.engines.registry import think\n"
        "assert all(think(c.question).move == c.move for c in golden('triangles')[::2])\n"
    )
    assert subprocess.call([sys.executable, "-c", program], env={"PYTHONHASHSEED": "7"}) == 0


@pytest.mark.parametrize("level", LEVELS.known("triangles"))
@pytest.mark.parametrize("options", [ONE_ROUND, *OPTIONS[:2]])
def test_no_level_sees_what_is_hidden(level: int, options: dict[str, Any]) -> None:
    """Other hands and market permuted: the same move, even if the whole position is handed over."""
    permuted = 0
    for number, position in enumerate(positions(3, options)):
        if number % 4:
            continue
        asked = quick(question(GAME, position, position.ruleset, level, seed=number))
        view = GAME.rules.view(position, asked.seat)
        other = GAME.rules.imagine(view, Dice(number))
        assert GAME.rules.view(other, asked.seat) == view
        texts = [GAME.notation.format_position(p) for p in (view, position, other)]
        assert asked.view == texts[0]
        permuted += texts[1] != texts[2]
        assert len({think(replace(asked, view=text)).move for text in texts}) == 1
    assert permuted >= 5


@pytest.mark.parametrize("level", LEVELS.known("triangles"))
@pytest.mark.parametrize("options", OPTIONS)
def test_every_move_of_every_level_is_legal(level: int, options: dict[str, Any]) -> None:
    """In all the positions of a round, under every option and with every number of seats."""
    asked = 0
    for position in positions(4, options)[:: 1 + (level > 3)]:
        asked += 1
        move = think(quick(question(GAME, position, position.ruleset, level, seed=asked))).move
        assert GAME.rules.objection(position, move) is None
    assert asked > 12


def test_level_2_never_gives_away_more_than_the_weight_of_a_tile() -> None:
    """A hexagon or a bridge is never overlooked: a fifth of 15 points at most."""

    def given_away(q: Question, move: str) -> None:
        position = GAME.notation.parse_position(q.view)
        points = {
            text: placement_points(q_rules, position.layout, read_placement(text)).total
            for text in GAME.rules.moves(position).texts
        }
        assert max(points.values()) - points[move] <= 3

    q_rules = GAME.rules.ruleset(ONE_ROUND)
    for seed in range(3):
        play_match("triangles", ONE_ROUND, {"A": 2, "B": 2}, seed, given_away)


def test_the_seed_decides_between_the_moves_of_a_weak_level() -> None:
    """The same question twice has one answer; other seeds lead to other moves."""
    for position in positions(5, ONE_ROUND):
        asked = question(GAME, position, position.ruleset, 1, seed=0)
        assert think(asked) == think(asked)
        if len({think(replace(asked, seed=seed)).move for seed in range(20)}) > 1:
            return
    raise AssertionError("no seed ever made a difference")


def test_level_1_beats_random_play() -> None:
    """Even the weakest level plays on purpose: ahead over the same deals from both seats."""
    assert sum(lead("triangles", ONE_ROUND, 1, RANDOM, pairs=PAIRS)) >= 600


def test_level_3_beats_level_1() -> None:
    """What a placement leaves and opens is felt over the same deals from both seats."""
    assert sum(lead("triangles", ONE_ROUND, 3, 1, pairs=PAIRS)) >= 600


def test_level_7_beats_level_3() -> None:
    """A tree over imagined worlds tells more than a glance."""
    assert fmean(swapped(7, 3, deal) for deal in range(12)) >= 15


def test_an_engine_answers_for_the_seat_to_move_only() -> None:
    """Neither for somebody else's turn, nor when the match is over, nor by other rules."""
    position = positions(5, ONE_ROUND)[7]
    asked = question(GAME, position, position.ruleset, 2, seed=1)
    other = "B" if asked.seat == "A" else "A"
    over = GAME.rules.withdraw(position, other).position
    assert isinstance(GAME.rules.awaiting(over), Over)
    for engine in ("triangles-greedy", "triangles-sampling", "triangles-tree"):
        named = replace(asked, engine=engine)
        for wrong in (
            replace(named, seat=other),
            replace(named, view=GAME.notation.format_position(GAME.rules.view(over, asked.seat))),
            replace(named, rules_version=2),
        ):
            with pytest.raises(ValueError, match="nothing to choose"):
                think(wrong)


def test_the_sampling_engine_stays_in_its_budget() -> None:
    """Playouts are counted: never more than the budget, and one placement needs none."""
    for position in positions(6, ONE_ROUND)[::3]:
        asked = question(GAME, position, position.ruleset, 3, seed=2)
        asked = replace(asked, engine="triangles-sampling", engine_version=1, budget=80)
        assert think(asked).nodes <= asked.budget
