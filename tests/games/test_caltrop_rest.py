"""The control of the resting rule of Caltrop, which every match is held to."""

from services.games.caltrop.board import BLUE, EMPTY, RED, Board
from services.games.caltrop.turn import is_at_rest


def test_a_board_that_is_not_at_rest_is_seen() -> None:
    """Enemies touch, and one of them has a spike there."""
    owners = (BLUE, RED, *(EMPTY,) * 14)
    assert is_at_rest(Board(owners))
    assert not is_at_rest(Board(owners, bytes((0, 1, 0, 0) + (0,) * 60)))
