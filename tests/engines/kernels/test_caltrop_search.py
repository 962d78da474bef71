"""Caltrop searched in compiled code finds the values that plain search in Python finds.

``PLYBOOK_CALTROP_POSITIONS=500`` compares as many positions with six empty squares.
"""

import os

import pytest

from services.games.caltrop.position import Game
from tests.engines.caltrop_positions import position
from workers.engines.caltrop_search import Search
from workers.engines.kernels import caltrop_search
from workers.engines.kernels.caltrop_search import BEST_MOVE, BEYOND, PLACED, ROOT, value

POSITIONS = int(os.environ.get("PLYBOOK_CALTROP_POSITIONS", "24"))
ENDLESS = 1 << 40


def plain(game: Game, depth: int) -> tuple[list[int], int]:
    """All best moves, as kernels count them, and their value, by the search in Python."""
    search = Search(game)
    best, found = search.best(depth, search.ordered())
    return [slot * 16 + square for slot, square in best], found


def compiled(game: Game, depth: int, low: int = -BEYOND, high: int = BEYOND) -> tuple[int, int]:
    """The best move and its value, by the compiled search."""
    search = caltrop_search.new_search(game, ENDLESS)
    found = value(search, ROOT, depth, game.next, low, high)
    return int(search.frames[depth, BEST_MOVE]), found


def test_the_end_of_a_game_is_worth_what_plain_search_says() -> None:
    """With six empty squares the compiled value is exact, and its move is one of the best."""
    for seed in range(POSITIONS):
        game = position(6, seed).game
        moves, expected = plain(game, 6)
        move, found = compiled(game, 6)
        assert found == expected
        assert move in moves


@pytest.mark.parametrize(("empty", "depth"), [(16, 1), (12, 2), (8, 3), (5, 4), (3, 2), (1, 1)])
def test_so_many_placements_ahead_are_worth_what_plain_search_says(empty: int, depth: int) -> None:
    """Before the end too, table and order change nothing."""
    for seed in range(3):
        game = position(empty, seed).game
        moves, expected = plain(game, depth)
        move, found = compiled(game, depth)
        assert found == expected
        assert move in moves


def test_who_asks_for_the_winner_alone_gets_the_sign_of_the_value() -> None:
    """A window round nought tells a win from a loss, for less work."""
    for seed in range(12):
        game = position(7, seed).game
        _, exact = compiled(game, 7)
        _, bound = compiled(game, 7, -1, 1)
        assert (bound > 0) == (exact > 0)
        assert bound <= exact if bound > 0 else bound >= exact


def test_a_table_that_is_full_of_other_depths_misleads_nobody() -> None:
    """Searching deeper and deeper with one table ends at the same value."""
    for seed in range(6):
        game = position(7, seed).game
        search = caltrop_search.new_search(game, ENDLESS)
        values = [
            value(search, ROOT, depth, game.next, -BEYOND, BEYOND) for depth in (1, 2, 3, 4, 7)
        ]
        assert values[-1] == compiled(game, 7)[1]
        assert values[1] == plain(game, 2)[1]


def test_a_search_stops_soon_after_its_last_allowed_placement() -> None:
    """No more than the moves of one position are placed beyond the budget."""
    game = position(9, 1).game
    search = caltrop_search.new_search(game, 5_000)
    value(search, ROOT, 9, game.next, -BEYOND, BEYOND)
    assert 5_000 < search.tally[PLACED] <= 5_000 + 128
