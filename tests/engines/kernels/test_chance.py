"""The chance of kernels is the chance of engines, compiled."""

from hypothesis import given
from hypothesis import strategies as st

from workers.engines.dice import Dice
from workers.engines.kernels import chance


@given(st.integers(0, (1 << 64) - 1))
def test_kernels_draw_the_numbers_that_dice_draw(seed: int) -> None:
    """One seed gives one stream of numbers, in Python and compiled."""
    state, dice = chance.seeded(seed), Dice(seed)
    assert [int(chance.draw64(state)) for _ in range(5)] == [dice.draw64() for _ in range(5)]


@given(st.integers(0, (1 << 64) - 1), st.integers(1, 1 << 31))
def test_a_draw_below_m_is_the_high_half_of_a_product(seed: int, m: int) -> None:
    """What the draw comes to is written out, so that it can never change unseen."""
    expected = (Dice(seed).draw64() >> 32) * m >> 32
    assert chance.below(chance.seeded(seed), m) == expected < m
