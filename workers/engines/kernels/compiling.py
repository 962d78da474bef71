"""How kernels are compiled: once on a machine, kept on its disk, the same answer on every one.

Nothing here may depend on the processor: no fast mathematics, no vendor's vector functions, no
parallel loops (DESIGN §6). Whole numbers wrap as in C; floats know + - * / and square root.
"""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, Literal, TypeVar, cast

os.environ.setdefault("NUMBA_DISABLE_INTEL_SVML", "1")  # it is read when Numba is imported

import numba

from workers.engines.kernels.cache import folder

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

# A file has many kernels, and its sources need to be read but once.
_folder_of = cache(folder)


def kernel(function: Kernel) -> Kernel:
    """Compile a function when it is first called with new types; without Python's lock inside."""
    return _compiled(function, inline="never")


def inlined(function: Kernel) -> Kernel:
    """Like ``kernel``, for the few lines that every caller shall have as its own."""
    return _compiled(function, inline="always")


def _compiled(function: Kernel, inline: Literal["never", "always"]) -> Kernel:
    # Numba asks for its folder once for every function, when it is given one to compile.
    here = str(_folder_of(Path(function.__code__.co_filename)))
    setattr(numba.config, "CACHE_DIR", here)  # noqa: B010 - Numba ships no type for it
    compiler = numba.njit(nogil=True, cache=True, fastmath=False, inline=inline)
    return cast("Kernel", compiler(function))
