"""The compiled Caltrop engine: exact at the end, the same everywhere, stronger by budget."""

from typing import Any

import pytest
from msgspec.structs import replace

from services.games.caltrop import rules
from services.games.caltrop.moves import MOVES
from services.games.caltrop.position import Position
from services.games.contract import Over
from tests.engines.arena import question
from tests.engines.caltrop_golden import DEEP_FILE, deep_golden, to_deep
from tests.engines.caltrop_positions import FORMS, GAME, position, start
from tests.engines.golden import stands_on_a_plain_processor
from tests.kit.playouts import Dice
from workers.engines import caltrop_deep
from workers.engines.caltrop_search import Search
from workers.engines.contract import Question
from workers.engines.dice import Dice as Seeds
from workers.engines.kernels.caltrop_playouts import grow
from workers.engines.kernels.caltrop_search import value
from workers.engines.kernels.tree import favourite
from workers.engines.registry import think


def asked_in(at: Position, budget: int, seed: int = 1) -> Question:
    """What the engine is asked in a position."""
    return to_deep(question(GAME, at, at.ruleset, 1, seed), budget)


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = deep_golden()
    assert len(cases) >= 32
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_a_processor_without_its_special_instructions_answers_the_same() -> None:
    """Compiled for the plainest processor there is, in another process, nothing changes."""
    assert stands_on_a_plain_processor(DEEP_FILE)


def test_the_last_stones_are_placed_as_exact_search_says() -> None:
    """With six empty squares or fewer the move is one of the best, whatever the budget."""
    for seed in range(6):
        for empty in (6, 5, 3, 2, 1):
            at = position(empty, seed)
            search = Search(at.game)
            best, _ = search.best(empty, search.ordered())
            assert MOVES[think(asked_in(at, 0)).move] in best


def test_a_win_that_is_found_before_that_is_played() -> None:
    """Two squares before the exact searches half of the budget settles who wins."""
    settled = 0
    for seed in range(12):
        at = position(8, seed)
        exact, early = think(asked_in(at, 110_000)), think(asked_in(at, 109_999))
        settled += early.nodes < 109_999
        if early.nodes < 109_999:
            assert _wins(at, early.move)
            assert _wins(at, exact.move)
    assert settled >= 3


def _wins(at: Position, move: str) -> bool:
    """Whether the mover has won when both go on exactly."""
    mover, after = at.game.next, rules.apply(at, move).position
    while len(after.games) == len(at.games) and not isinstance(rules.awaiting(after), Over):
        after = rules.apply(after, think(asked_in(after, 20_000)).move).position
    return rules.results(after)[len(at.games) - 1].winner == mover


@pytest.mark.parametrize("form", FORMS)
def test_every_answer_is_a_legal_move(form: str) -> None:
    """A whole match in each form: the rules object to nothing, from the first stone to the last."""
    at, dice, plies = start(form, Dice(2)), Seeds(2), 0
    while isinstance(rules.awaiting(at), str):
        move = think(asked_in(at, 2_000, dice.draw64())).move
        assert rules.objection(at, move) is None
        at, plies = rules.apply(at, move).position, plies + 1
    assert plies == 16 * at.ruleset.games


def test_before_the_end_no_more_is_looked_at_than_the_budget_allows() -> None:
    """One playout and the moves of one position more at most."""
    for empty in (16, 12, 8, 7):
        answer = think(asked_in(position(empty, 3), 5_000))
        assert answer.nodes <= 5_000 + 200


def test_without_any_budget_a_legal_move_is_played() -> None:
    """There is one playout in any case, and so a move."""
    for empty in (16, 12, 8):
        at = position(empty, 4)
        assert rules.objection(at, think(asked_in(at, 0)).move) is None


def test_the_seed_decides_and_nothing_else() -> None:
    """The same question twice has one answer; other seeds play out otherwise."""
    asked = asked_in(position(14, 1), 1_000)
    assert len({think(replace(asked, seed=seed)).move for seed in range(12)}) > 1
    assert think(asked) == think(asked)


def test_a_larger_budget_wins_more_games() -> None:
    """Ten times the placements win most of a dozen duels from both sides."""
    won = 0
    for seed in range(6):
        for large in "AB":
            at, dice = start("classic", Dice(seed)), Seeds(seed)
            while isinstance(seat := rules.awaiting(at), str):
                budget = 30_000 if seat == large else 300
                at = rules.apply(at, think(asked_in(at, budget, dice.draw64())).move).position
            outcome = rules.outcome(at)
            assert outcome is not None
            won += outcome.winners == (large,)
    assert won >= 9


def test_it_answers_for_the_seat_to_move_only() -> None:
    """A question for somebody else's turn is a mistake, not a move."""
    with pytest.raises(ValueError, match="nothing to choose"):
        think(replace(asked_in(position(16, 0), 100), seat="B"))


def compiled() -> list[int]:
    """For how many types each kernel that is called from Python is compiled."""
    kernels: tuple[Any, ...] = (value, grow, favourite)
    return [len(one.signatures) for one in kernels]


def test_it_is_warm_after_warming() -> None:
    """Warming compiles every kernel that a question needs: nothing is left to compile."""
    caltrop_deep.warm()
    before = compiled()
    for empty in (16, 8, 4):
        think(asked_in(position(empty, 1), 20_000))
    assert compiled() == before
