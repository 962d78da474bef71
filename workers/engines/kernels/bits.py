"""Sets of up to 64 things as the bits of a ``uint64``."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels.compiling import kernel

ONE, ZERO = np.uint64(1), np.uint64(0)
_2, _4, _56, _58 = np.uint64(2), np.uint64(4), np.uint64(56), np.uint64(58)
_DE_BRUIJN = np.uint64(0x03F79D71B4CB0A89)
"""Each six bits in a row of it are different: times a power of two, they tell which."""


def _places() -> NDArray[np.int64]:
    places = np.zeros(64, np.int64)
    for bit in range(64):
        places[((1 << bit) * int(_DE_BRUIJN) & (1 << 64) - 1) >> 58] = bit
    return places


_PLACES = _places()
_PAIRS, _FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
_BYTES, _SUM = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@kernel
def lowest(bits: Any) -> int:
    """The number of the lowest bit of a set that is not empty."""
    return _PLACES[((bits & (~bits + ONE)) * _DE_BRUIJN) >> _58]


@kernel
def count(bits: Any) -> int:
    """How many bits a set has."""
    pairs = bits - (bits >> ONE & _PAIRS)
    fours = (pairs & _FOURS) + (pairs >> _2 & _FOURS)
    return int(((fours + (fours >> _4) & _BYTES) * _SUM) >> _56)
