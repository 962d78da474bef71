"""The Triangles engine that searches: reproducible, exact at the end, playing for the match."""

from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.triangles import rules
from services.games.triangles.options import Ruleset
from services.games.triangles.position import Position, RoundEnd
from tests.engines.golden import stands_on_a_plain_processor
from tests.engines.triangles_golden import FILE, asked, ends, golden
from tests.kit.playouts import Dice
from workers.engines.kernels import triangles as kernel
from workers.engines.kernels import triangles_search as search
from workers.engines.kernels.triangles import TABLES
from workers.engines.kernels.triangles_endgame import best_move
from workers.engines.kernels.triangles_search import Stakes
from workers.engines.registry import think
from workers.engines.triangles_arrays import move_text, round_of
from workers.engines.triangles_stakes import chances, stakes_of
from workers.engines.triangles_tree import POSITIONS

GAME = registry.game("triangles")


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden()
    assert len(cases) >= 20
    assert {case.question.ruleset["players"] for case in cases} == {2, 3, 4}
    assert any("market=-" in case.question.view for case in cases)
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_a_processor_without_its_special_instructions_answers_the_same() -> None:
    """Compiled for the plainest processor there is, in another process, nothing changes."""
    assert stands_on_a_plain_processor(FILE, PYTHONHASHSEED="7")


def test_the_seed_leads_to_other_worlds_and_the_budget_is_kept() -> None:
    """Few playouts depend on the worlds they met; there are never more than the budget."""
    position = _dealt({}, 5)
    moves = set()
    for seed in range(12):
        answer = think(asked(position, seed, budget=20))
        assert answer.nodes <= 20
        moves.add(answer.move)
    assert len(moves) > 1


def _dealt(options: dict[str, Any], seed: int) -> Position:
    found: Position = rules.deal(
        rules.setup(rules.ruleset({"opening_tile": "free"} | options)), Dice(seed)
    ).position
    return found


# The end of a round


def worth(position: Position, stakes: Stakes, seat: int) -> float:
    """What a position is worth to a seat, by the rules and every line there is."""
    if not position.is_running:
        rewards = np.zeros(kernel.SEATS_MAX)
        search.rewards_of(stakes, round_of(position), rewards)
        return float(rewards[seat])
    values = [
        worth(rules.apply(position, move).position, stakes, seat)
        for move in rules.moves(position).texts
    ]
    return max(values) if position.next == seat else min(values)


def test_the_end_of_a_round_is_searched_exactly() -> None:
    """No move is better than the one that is found, tried by plain minimax over the rules."""
    tried = 0
    for position in ends(7, range(40)):
        stakes, seat = stakes_of(position), position.next
        move, _ = best_move(TABLES, round_of(position), stakes, 10**6)
        values = {
            text: worth(rules.apply(position, text).position, stakes, seat)
            for text in rules.moves(position).texts
        }
        assert values[move_text(move)] == max(values.values())
        assert values[think(asked(position, seed=1)).move] == max(values.values())
        tried += len(set(values.values())) > 1
    assert tried >= 3


def test_an_end_that_is_too_far_is_left_to_playouts() -> None:
    """An exact search says when its positions are used up, and leaves the round as it was."""
    position = next(ends(20, range(40)))
    found = round_of(position)
    assert best_move(TABLES, found, stakes_of(position), 5)[0] == -1
    for name, array in round_of(position)._asdict().items():
        if name not in ("edge", "log"):
            assert (getattr(found, name) == array).all(), name
    assert think(asked(position, seed=1, budget=2)).nodes <= 2 * POSITIONS


# What an end is worth


@pytest.mark.parametrize("left", [1, 2, 12])
@pytest.mark.parametrize("options", [{}, {"target": 200}, {"score_placement": False}])
def test_chances_are_fair_and_grow_with_the_points(options: dict[str, Any], left: int) -> None:
    """What one seat has, the other lacks; who has more points never has less of a chance."""
    found = chances(Ruleset(**options), left)
    assert np.allclose(found + found.T, 1.0)
    assert (np.diff(found, axis=0) >= -1e-12).all()
    assert (np.diff(found, axis=1) <= 1e-12).all()
    assert found[-1, 0] > 0.9


def test_the_end_of_the_match_is_what_counts() -> None:
    """At the target the points of a lead are worth little; in the last round all is decided."""
    ended = replace(
        _dealt({}, 1),
        totals=(390, 380),
        points=(10, 15),
        round=5,
        ruleset=Ruleset(target=400),
        end=RoundEnd("out", 0, (0, 0)),
    )
    won = _rewards(ended)
    assert won[0] > 0.95
    assert won[0] < _rewards(replace(ended, points=(110, 15)))[0]
    assert _rewards(replace(ended, points=(0, 15)))[1] > 0.4
    last = replace(ended, points=(0, 15), ruleset=Ruleset(max_rounds=5))
    assert _rewards(last)[1] > 0.95
    assert _rewards(replace(ended, points=(5, 15)))[0] == 0.5


def test_a_lead_decides_nothing_while_the_round_goes_on() -> None:
    """The nearer to the end the surer: over the target, and still worth more with more points."""
    running = replace(_dealt({}, 1), totals=(390, 380), points=(20, 15), round=5)
    assert 0.5 < _rewards(running)[0] < _rewards(replace(running, points=(60, 15)))[0] < 0.9


def _rewards(position: Position) -> list[float]:
    rewards = np.zeros(kernel.SEATS_MAX)
    search.rewards_of(stakes_of(position), round_of(position), rewards)
    assert abs(rewards.sum() - 1) < 1e-12
    return [float(reward) for reward in rewards[:2]]
