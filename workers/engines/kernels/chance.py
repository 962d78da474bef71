"""The chance of kernels: the numbers of ``workers.engines.dice``, compiled.

The state is one ``uint64`` in an array, so that a kernel can go on with it.
"""

import numpy as np
from numpy.typing import NDArray

from workers.engines.kernels.compiling import kernel

State = NDArray[np.uint64]

_GAMMA = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


def seeded(seed: int) -> State:
    """The state that a 64-bit seed begins with."""
    return np.array([seed & (1 << 64) - 1], dtype=np.uint64)


@kernel
def draw64(state: State) -> np.uint64:
    """The next 64 bits (SplitMix64: Steele, Lea and Flood, 2014)."""
    state[0] += _GAMMA
    z = state[0]
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    return z ^ (z >> _31)


@kernel
def below(state: State, m: int) -> int:
    """A number 0 <= n < m, 1 <= m <= 2**31, the high half of a product.

    It is off a uniform number by less than m / 2**32: a game is never decided by that.
    Source: Lemire, "Fast random integer generation in an interval" (2019), without its last step.
    """
    return int(((draw64(state) >> _32) * np.uint64(m)) >> _32)
