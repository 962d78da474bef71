"""The Blokus engine that searches: legal, the same everywhere, and better the longer it thinks."""

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from services.games import registry
from services.games.blokus import notation, rules
from services.games.blokus.position import NOBODY, Position
from services.games.contract import SEATS
from tests.engines.arena import LEVELS, question
from tests.engines.blokus_golden import FILE, golden, to_search
from tests.engines.golden import stands_on_a_plain_processor
from tests.kit import playouts
from workers.engines import blokus_search
from workers.engines.contract import Question
from workers.engines.dice import Dice
from workers.engines.kernels.tree import ROOT
from workers.engines.registry import think

GAME = registry.game("blokus")
VARIANTS = ("duo", "classic", "classic-2", "classic-3")


def asked_in(position: Position, budget: int, seed: int = 1) -> Question:
    """What the engine is asked in a position."""
    return to_search(question(GAME, position, position.ruleset, 1, seed), budget)


def placed_at_random(variant: str, plies: int, seed: int) -> Position:
    """A position some random legal moves into a match."""
    position = rules.setup(rules.ruleset({"variant": variant}))
    turns = playouts.playout(GAME, position, playouts.Dice(seed))
    for _, turn in zip(range(plies), turns, strict=False):
        position = turn.step.position
    return position


def test_the_golden_questions_get_their_golden_answers() -> None:
    """An engine at a version gives the same answers for ever, whatever the machine."""
    cases = golden()
    assert len(cases) >= 24
    assert {case.question.ruleset["variant"] for case in cases} == set(VARIANTS)
    assert [think(case.question).move for case in cases] == [case.move for case in cases]


def test_a_processor_without_its_special_instructions_answers_the_same() -> None:
    """Compiled for the plainest processor there is, in another process, nothing changes."""
    assert stands_on_a_plain_processor(FILE)


def test_the_seed_decides_and_nothing_else() -> None:
    """The same question twice has one answer, also after others; other seeds play out otherwise."""
    asked = asked_in(placed_at_random("duo", 8, seed=3), 400)
    first = think(asked)
    assert len({think(replace(asked, seed=seed)) for seed in range(20)}) > 1
    assert think(asked) == first


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_answer_is_legal_also_after_a_seat_gave_up(variant: str) -> None:
    """Whole games: the rules object to no move, from the first to the last."""
    position, dice, ply = rules.setup(rules.ruleset({"variant": variant})), Dice(4), 0
    while position.next != NOBODY:
        if ply == 30 and len(position.sheet.seat_names) > 2:
            position = rules.withdraw(position, position.seat_of(position.next)).position
        move = think(asked_in(position, 150, dice.draw64())).move
        assert rules.objection(position, move) is None
        position, ply = rules.apply(position, move).position, ply + 1
    assert ply > 20


def test_the_budget_is_what_playouts_may_place() -> None:
    """The playout that reaches it is the last."""
    for variant in VARIANTS:
        position = placed_at_random(variant, 6, seed=2)
        assert 1_000 <= think(asked_in(position, 1_000)).nodes < 1_084


def test_the_root_knows_every_legal_move_of_the_end_and_counts_each_playout_once() -> None:
    """No move is left out where there are few, whatever its prior."""
    position = placed_at_random("duo", 20, seed=1)
    desk, _ = blokus_search.searched(position, 1, 3_000)
    tree = desk.tree
    visits = tree.visits[1 : 1 + tree.n_children[ROOT]]
    assert len(visits) == len(rules.moves(position).texts)
    assert visits.sum() == tree.visits[ROOT]


def exact(position: Position, seat: str, left: Iterator[int]) -> int:
    """The lead of a seat in Duo when both play the rest as well as can be.

    ``StopIteration`` comes of it when there are more positions to see than are ``left``.
    """
    next(left)
    if position.next == NOBODY:
        points = rules.standing(position).points
        return points[seat] - points[SEATS[1 - SEATS.index(seat)]]
    after = [rules.apply(position, move).position for move in rules.moves(position).texts]
    leads = [exact(position, seat, left) for position in after]
    return max(leads) if position.seat_of(position.next) == seat else min(leads)


def test_the_last_placements_are_played_as_well_as_can_be() -> None:
    """Where every line can be followed to its end, none ends better than the chosen move."""
    compared = 0
    for seed in range(30):
        start = rules.setup(rules.ruleset({"variant": "duo"}))
        line = [turn.position for turn in playouts.playout(GAME, start, playouts.Dice(seed))]
        for position in line[-4:]:
            seat, left = position.seat_of(position.next), iter(range(60))
            try:
                leads = {
                    move: _sign(exact(rules.apply(position, move).position, seat, left))
                    for move in rules.moves(position).texts
                }
            except StopIteration:
                continue
            if len(set(leads.values())) > 1:
                compared += 1
                assert leads[think(asked_in(position, 2_000)).move] == max(leads.values())
    assert compared > 0


def _sign(lead: int) -> int:
    return (lead > 0) - (lead < 0)


def test_searching_beats_the_best_look_without_search() -> None:
    """With a tenth of a second it is ahead of the greedy engine's best from either seat."""
    ahead = 0
    for seed in range(4):
        position, dice = rules.setup(rules.ruleset({"variant": "duo"})), Dice(seed)
        mine = SEATS[seed % 2]
        while position.next != NOBODY:
            asked = question(GAME, position, position.ruleset, 3, dice.draw64())
            if asked.seat == mine:
                asked = to_search(asked, 20_000)
            position = rules.apply(position, think(asked).move).position
        points = rules.standing(position).points
        ahead += points[mine] - points[SEATS[1 - seed % 2]]
    assert ahead > 20


def test_levels_think_longer_from_one_to_the_next() -> None:
    """Upwards from the first level that searches each has a larger budget."""
    budgets = [
        spec.budget
        for level in LEVELS.known("blokus")
        if (spec := LEVELS.spec("blokus", level)) and spec.engine == "blokus-search"
    ]
    assert budgets == sorted(set(budgets))
    assert len(budgets) >= 4


def test_where_play_is_over_there_is_no_answer() -> None:
    """What cannot be answered is an error, never a move made up."""
    asked = asked_in(placed_at_random("duo", 4, seed=1), 100)
    over = placed_at_random("duo", 100, seed=1)
    with pytest.raises(ValueError, match="nothing to choose"):
        think(replace(asked, view=notation.format_position(over)))
