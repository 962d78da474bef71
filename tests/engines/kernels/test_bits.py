"""Sets as bits: the compiled questions get the answers that Python's integers give."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workers.engines.kernels import bits

SETS = st.integers(0, (1 << 64) - 1)


@given(SETS)
def test_a_set_has_as_many_bits_as_python_counts(number: int) -> None:
    """Also when it is empty or full."""
    assert bits.count(np.uint64(number)) == number.bit_count()


@given(SETS.filter(bool))
def test_the_lowest_bit_is_the_one_python_finds(number: int) -> None:
    """Of any set that has one."""
    assert bits.lowest(np.uint64(number)) == (number & -number).bit_length() - 1
