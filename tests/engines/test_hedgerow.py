"""The Hedgerow engine: never stuck by accident, legal, reproducible, stronger by level."""

import subprocess
import sys
from typing import Any

import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.hedgerow.pieces import TRIANGLES
from services.games.hedgerow.position import Position
from services.games.hedgerow.regions import placement_score
from services.games.hedgerow.tokens import path_text, read_placement
from tests.engines.arena import RANDOM, lead, play_match, question
from tests.engines.golden import golden
from tests.engines.hedgerow_minimax import harvested
from tests.kit.playouts import Dice, playout
from workers.engines.contract import Question
from workers.engines.hedgerow_fields import Fields
from workers.engines.hedgerow_harvest import PATHS_MAX, Search
from workers.engines.registry import think

GAME = registry.game("hedgerow")


def positions(seed: int, **options: str) -> list[Position]:
    """The positions of a match at random, by the policies of the sheet."""
    start = GAME.rules.setup(GAME.rules.ruleset(options))
    return [turn.position for turn in playout(GAME, start, Dice(seed))]


def first(found: list[Position], turns: int) -> Position:
    """The position of game 1 after so many placements and harvests."""
    return next(p for p in found if p.turns == turns)


@pytest.mark.parametrize("presence", ["no", "yes"])
def test_the_gain_of_a_placement_is_what_the_rules_score_more(presence: str) -> None:
    """The quick running score and the sheet's regions agree on every listed placement."""
    for position in positions(8, cross_presence=presence, stuck_loss="game")[2:49:4]:
        fields, before = Fields(position.board, presence), placement_score(position.board, presence)
        for move in GAME.rules.moves(position).texts[:: 1 + position.mover * 5]:
            square, glyph = read_placement(move)
            code = position.mover << 4 | glyph
            board = position.board[:square] + bytes((code,)) + position.board[square + 1 :]
            gained = placement_score(board, presence) - before
            assert fields.gain(square, position.mover, glyph) == (
                gained if position.mover == 1 else -gained
            )


@pytest.mark.parametrize("seed", range(4))
def test_the_end_of_the_harvest_is_searched_exactly(seed: int) -> None:
    """Over the last four turns alpha-beta and plain minimax agree on the best value."""
    position = first(positions(seed, stuck_loss="game"), turns=55)
    values = Search(position, budget=10**9).values(slack=0)
    assert max(values.values()) == harvested(position, left=4)


def test_slack_keeps_the_values_of_nearly_best_harvests_exact() -> None:
    """A level that slips chooses among true values: as near the best as it may stray."""
    position = first(positions(2, stuck_loss="game"), turns=56)
    exact = Search(position, budget=10**9).values(slack=1_000)
    near = Search(position, budget=10**9).values(slack=2)
    best = max(exact.values())
    for harvest, value in exact.items():
        assert near[harvest] == value if value >= best - 2 else near[harvest] < best - 2


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden("hedgerow")
    assert {case.question.level for case in cases} == {1, 2, 3}
    assert len(cases) >= 24
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_another_process_with_other_hashes_answers_the_same() -> None:
    """No answer leans on the order of sets or on anything else a process is born with."""
    program = (
        "from tests.engines.golden import golden\n"
        "from workers.engines.registry import think\n"
        "assert all(think(c.question).move == c.move for c in golden('hedgerow')[::3])\n"
    )
    assert subprocess.call([sys.executable, "-c", program], env={"PYTHONHASHSEED": "7"}) == 0


def test_the_seed_decides_and_nothing_else() -> None:
    """The same question twice has one answer; other seeds lead to other moves, in both phases."""
    found = positions(4, stuck_loss="game")
    for turns in (6, 49):
        position = first(found, turns)
        asked = question(GAME, position, position.ruleset, 1, seed=0)
        assert think(asked) == think(asked)
        assert len({think(replace(asked, seed=seed)).move for seed in range(20)}) > 1


CASES: tuple[tuple[int, dict[str, Any]], ...] = (
    (1, {}),
    (1, {"cross_presence": "yes", "first": "B"}),
    (2, {}),
    (2, {"cross_presence": "yes"}),
    (1, {"boundary_edges": "forbidden", "stuck_loss": "game"}),
    (2, {"boundary_edges": "forbidden", "stuck_loss": "game"}),
)


@pytest.mark.parametrize(("level", "options"), CASES)
def test_heavy_pieces_come_first_and_crosses_last(level: int, options: dict[str, Any]) -> None:
    """Every move is legal, and no lighter piece is placed while a heavier one fits anywhere."""
    asked = 0

    def watch(q: Question, move: str) -> None:
        nonlocal asked
        asked += 1
        position = GAME.notation.parse_position(q.view)
        assert GAME.rules.objection(position, move) is None
        if position.is_placing:
            heaviest = max(
                TRIANGLES[read_placement(text)[1]] for text in GAME.rules.moves(position).texts
            )
            assert TRIANGLES[read_placement(move)[1]] == heaviest

    play_match("hedgerow", options, {"A": level, "B": level}, 11, watch)
    assert asked > 40


@pytest.mark.parametrize("seed", range(6))
def test_no_level_is_ever_stuck_and_seat_2_is_left_with_a_single_one(seed: int) -> None:
    """Against random policies that do get stuck: our supply lasts, and our V is 1 (§12)."""
    options = {"stuck_loss": "game"}
    levels = {"A": 1 + seed % 2, "B": RANDOM}
    parts = play_match("hedgerow", options, levels, seed).parts
    assert parts.get("game 1 stuck") != 1
    assert parts.get("game 2 stuck") != 2
    assert parts.get("game 2 isolation", 1) == 1


def test_level_1_beats_random_play() -> None:
    """Even the weakest level plays on purpose: far ahead of heavy pieces placed anywhere."""
    assert min(lead("hedgerow", {"stuck_loss": "game"}, 1, RANDOM, pairs=3)) > 0


def test_level_2_beats_level_1() -> None:
    """Weighing many placements instead of a few is felt in every pair of matches."""
    assert min(lead("hedgerow", {}, 2, 1, pairs=3)) > 0


def test_level_3_beats_level_2() -> None:
    """The reply looked up, and turns ahead in the harvest: ahead again."""
    assert sum(lead("hedgerow", {}, 3, 2, pairs=2)) >= 10


def test_the_work_of_a_move_is_bounded() -> None:
    """Placements weighed never exceed the budget; paths do by one position's at most."""
    found = positions(9, stuck_loss="game")
    for level in (1, 2, 3):
        for turns in (0, 5, 30, 48, 49, 55):
            position = first(found, turns)
            asked = question(GAME, position, position.ruleset, level, seed=turns)
            extra = 0 if position.is_placing else 2 * PATHS_MAX
            assert think(asked).nodes <= asked.budget + extra


def test_paths_over_the_same_squares_are_one_harvest() -> None:
    """The search merges them, and keeps the first in canonical order."""
    position = first(positions(1, stuck_loss="game"), turns=49)
    harvests = Search(position, budget=0).harvests
    assert len({harvest.squares for harvest in harvests}) == len(harvests)
    listed = GAME.rules.moves(position).texts
    for harvest in harvests:
        same = [m for m in listed if set(m.split("-")) == set(path_text(harvest.path).split("-"))]
        assert path_text(harvest.path) == same[0]


def test_an_engine_answers_for_the_seat_to_move_only() -> None:
    """Neither for somebody else's turn nor by other rules."""
    position = first(positions(1, stuck_loss="game"), turns=3)
    asked = question(GAME, position, position.ruleset, 2, seed=1)
    for wrong in (
        replace(asked, seat="A" if asked.seat == "B" else "B"),
        replace(asked, rules_version=2),
    ):
        with pytest.raises(ValueError, match="nothing to choose"):
            think(wrong)
