"""What Caltrop's engines are measured by plays as the sheet says: so far ahead, equals drawn."""

import pytest
from msgspec.structs import replace

from services.games.caltrop import rules
from services.games.caltrop.moves import MOVES
from tests.engines.arena import question
from tests.engines.caltrop_positions import GAME, position
from workers.engines.caltrop_search import Search
from workers.engines.caltrop_yardstick import best_moves
from workers.engines.contract import Question
from workers.engines.kernels.caltrop_search import new_search
from workers.engines.registry import think


@pytest.mark.parametrize(("empty", "depth"), [(16, 1), (12, 2), (7, 3), (4, 4), (1, 1)])
def test_its_best_moves_are_those_of_plain_search(empty: int, depth: int) -> None:
    """All of them and no other, in canonical order."""
    for seed in range(3):
        game = position(empty, seed).game
        search = Search(game)
        best, _ = search.best(depth, search.ordered())
        expected = sorted(slot * 16 + square for slot, square in best)
        assert best_moves(new_search(game, 1 << 40), game, depth) == expected


def asked(empty: int, seed: int) -> Question:
    """A question to it in a position, three placements ahead."""
    at = position(empty, 2)
    first = question(GAME, at, at.ruleset, 1, seed)
    return replace(first, engine="caltrop-yardstick", engine_version=1, budget=3)


def test_equally_good_moves_are_drawn_by_the_seed() -> None:
    """Of the best moves the seed picks one; the last six are played out exactly."""
    at = position(6, 2)
    search = Search(at.game)
    best, _ = search.best(6, search.ordered())
    moves = {think(asked(6, seed)).move for seed in range(12)}
    assert {MOVES[move] for move in moves} <= set(best)
    assert len({think(asked(16, seed)).move for seed in range(12)}) > 1
    assert rules.objection(position(16, 2), think(asked(16, 1)).move) is None
