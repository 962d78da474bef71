"""How kernels are compiled: once on a machine, kept on its disk, the same answer on every one.

Nothing here may depend on the processor: no fast mathematics, no vendor's vector functions, no
parallel loops (DESIGN §6). Whole numbers wrap as in C; floats know + - * / and square root.
"""

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

os.environ.setdefault("NUMBA_DISABLE_INTEL_SVML", "1")  # it is read when Numba is imported

import numba

from workers.engines.kernels.cache import folder

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


setattr(numba.config, "CACHE_DIR", str(folder()))  # noqa: B010 - Numba ships no type for it


def kernel(function: Kernel) -> Kernel:
    """Compile a function when it is first called with new types; without Python's lock inside."""
    return cast("Kernel", numba.njit(nogil=True, cache=True, fastmath=False)(function))


def inlined(function: Kernel) -> Kernel:
    """Like ``kernel``, for the few lines that every caller shall have as its own."""
    return cast(
        "Kernel", numba.njit(nogil=True, cache=True, fastmath=False, inline="always")(function)
    )
