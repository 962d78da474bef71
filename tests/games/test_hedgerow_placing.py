"""How Hedgerow is placed decides who gets stuck: the policies of random matches, measured."""

from collections.abc import Callable
from typing import Any

import pytest

from services.games.contract import Over
from services.games.hedgerow import rules
from tests.games.hedgerow_play import cross_last, heavy_first
from tests.kit.playouts import Dice


@pytest.mark.parametrize(
    ("policy", "at_least", "at_most"), [(heavy_first, 0.0, 0.0), (cross_last, 0.03, 0.45)]
)
def test_careful_placing_is_never_stuck_and_careless_placing_sometimes(
    policy: Callable[[Any, tuple[str, ...], Dice], str], at_least: float, at_most: float
) -> None:
    """The sheet's table (§12): heavy-first 0 %, Cross-last about 18 % of games."""
    dice, games, stuck = Dice(12), 80, 0
    for _ in range(games):
        position = rules.setup(rules.ruleset({}))
        while position.is_placing and not isinstance(rules.awaiting(position), Over):
            move = policy(position, rules.moves(position).texts, dice)
            position = rules.apply(position, move).position
        stuck += position.scores[-1].stuck > 0
    assert at_least <= stuck / games <= at_most
