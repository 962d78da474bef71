"""How kernels are compiled: once on a machine, kept on its disk, the same answer on every one.

Nothing here may depend on the processor: no fast mathematics, no vendor's vector functions, no
parallel loops (DESIGN §6). Whole numbers wrap as in C; floats know + - * / and square root.

A compiled kernel is kept in a folder named by the sources of **all** kernels, since the compiler
itself notices changes in a kernel's own file only, not in those it calls.
"""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

os.environ.setdefault("NUMBA_DISABLE_INTEL_SVML", "1")  # it is read when Numba is imported

import numba

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


def _folder() -> Path:
    sources = hashlib.sha256()
    for path in sorted(Path(__file__).parent.glob("*.py")):
        sources.update(path.read_bytes())
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "plybook" / f"kernels-{sources.hexdigest()[:16]}"


setattr(numba.config, "CACHE_DIR", str(_folder()))  # noqa: B010 - Numba ships no type for it


def kernel(function: Kernel) -> Kernel:
    """Compile a function when it is first called with new types; without Python's lock inside."""
    return cast("Kernel", numba.njit(nogil=True, cache=True, fastmath=False)(function))


def inlined(function: Kernel) -> Kernel:
    """Like ``kernel``, for the few lines that every caller shall have as its own."""
    return cast(
        "Kernel", numba.njit(nogil=True, cache=True, fastmath=False, inline="always")(function)
    )
