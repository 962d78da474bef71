"""The Caltrop engines: exactly what the sheet says, legal, reproducible, stronger by level."""

import subprocess
import sys

import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.caltrop import notation, rules
from services.games.caltrop.board import NAMES
from services.games.caltrop.position import Position
from tests.engines.caltrop_golden import DECKS, golden, played, result
from workers.engines.caltrop_search import Search, lead
from workers.engines.contract import Question
from workers.engines.registry import think

GAME = registry.game("caltrop")


def value(position: Position, colour: int) -> int:
    """The sheet's value of a position for a colour, word for word (§9)."""
    standing = GAME.rules.standing(position)
    own, other = ("A", "B") if colour == 0 else ("B", "A")
    names = ("blue", "red") if colour == 0 else ("red", "blue")
    points = standing.points[own] - standing.points[other]
    spikes = standing.parts[f"{names[0]} spikes"] - standing.parts[f"{names[1]} spikes"]
    return 2 * (512 * points + spikes) + (1 if position.game.first == colour else -1)


def searched(position: Position, depth: int, colour: int) -> int:
    """The value by plain minimax over the rules' own moves."""
    moves = GAME.rules.moves(position).texts
    if depth == 0 or not moves:
        return value(position, colour)
    values = [searched(GAME.rules.apply(position, m).position, depth - 1, colour) for m in moves]
    return max(values) if position.game.next == colour else min(values)


def best_moves(position: Position, depth: int) -> tuple[set[str], int]:
    """Every best move by plain minimax."""
    colour = position.game.next
    values = {
        move: searched(GAME.rules.apply(position, move).position, depth - 1, colour)
        for move in GAME.rules.moves(position).texts
    }
    best = max(values.values())
    return {move for move, found in values.items() if found == best}, best


def asked_in(number: int, *plies: int) -> list[Question]:
    """The questions of a game between quick levels after so many plies."""
    questions = [asked for asked, _ in played(number, {"A": 1, "B": 2}, seed=number)]
    return [questions[ply] for ply in plies]


@pytest.mark.parametrize("number", range(len(DECKS)))
def test_two_ahead_is_plain_minimax_of_depth_two(number: int) -> None:
    """Alpha-beta, orders and tables change the work, never the value or the set of best moves."""
    for asked in asked_in(number, 8, 9, 12, 14, 15):
        position = notation.parse_position(asked.view)
        search = Search(position.game)
        depth = min(2, search.empty)
        found, value_found = search.best(depth, search.ordered())
        moves, best = best_moves(position, depth)
        assert value_found == best
        decks = position.game.decks[position.game.next]
        as_stones = {(decks[int(move[0]) - 1].text, move[1:]) for move in moves}
        assert {(decks[s].text, NAMES[q]) for s, q in found} == as_stones


@pytest.mark.parametrize("number", range(len(DECKS)))
def test_the_end_is_searched_exactly(number: int) -> None:
    """With four empty squares, deep search and plain minimax over every line agree."""
    (asked,) = asked_in(number, 12)
    position = notation.parse_position(asked.view)
    search = Search(position.game)
    assert search.best(search.empty, search.ordered())[1] == best_moves(position, 4)[1]


def test_the_value_is_the_lead_of_points_and_spikes() -> None:
    """The quick sum over the board is the sheet's value in every position of a game."""
    for asked, _ in played(2, {"A": 1, "B": 2}, seed=1):
        position = notation.parse_position(asked.view)
        last = 1 if position.game.first == 0 else -1
        assert 2 * lead(position.game.board) + last == value(position, 0)


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden()
    assert {case.question.engine for case in cases} == {"caltrop-far", "caltrop-two-ahead"}
    assert len(cases) >= 24
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_another_process_with_other_hashes_answers_the_same() -> None:
    """No answer leans on the order of sets or on anything else a process is born with."""
    program = (
        "from tests.engines.caltrop_golden import golden\n"
        "from workers.engines.registry import think\n"
        "assert all(think(case.question).move == case.move for case in golden()[::4])\n"
    )
    assert subprocess.call([sys.executable, "-c", program], env={"PYTHONHASHSEED": "7"}) == 0


def test_equal_moves_are_drawn_by_the_seed() -> None:
    """On the empty board many placements are equally good: the seed decides, and it alone."""
    (asked,) = asked_in(0, 0)
    assert asked.level == 1
    moves = {think(replace(asked, seed=seed)).move for seed in range(20)}
    assert len(moves) > 1
    assert think(asked) == think(asked)


@pytest.mark.parametrize("number", range(len(DECKS)))
def test_every_answer_is_a_legal_move(number: int) -> None:
    """A whole game of each level: the rules object to nothing."""
    for asked, move in played(number, {"A": 1, "B": 2}, seed=5):
        assert rules.objection(notation.parse_position(asked.view), move) is None


def test_the_far_engine_stays_in_its_budget() -> None:
    """Before the last six squares no more positions are looked at than the level allows."""
    for asked in asked_in(1, 1, 5, 9):
        assert think(replace(asked, engine="caltrop-far", budget=500)).nodes <= 501


def test_two_ahead_beats_level_1() -> None:
    """Looking at the reply is felt: more games won from both sides."""
    won = 0
    for seed in range(4):
        for levels, seat in (({"A": 2, "B": 1}, "A"), ({"A": 1, "B": 2}, "B")):
            *_, last = played(3, levels, seed)
            won += result(last).winners == (seat,)
    assert won >= 4


def test_an_engine_answers_for_the_seat_to_move_only() -> None:
    """A question for somebody else's turn is a mistake, not a move."""
    (asked,) = asked_in(0, 0)
    for engine in ("caltrop-far", "caltrop-two-ahead"):
        with pytest.raises(ValueError, match="nothing to choose"):
            think(replace(asked, engine=engine, seat="B"))
