"""Where compiled kernels are kept, and whether all of them are there; asked without a compiler.

The compiler itself notices changes in a kernel's own file only. So a file's kernels lie in a
folder named by its source and by those of all modules of this house that it leans on: the
kernels it calls, and the rules whose tables are frozen into it. What did not change is kept.
"""

import ast
import hashlib
import os
from collections.abc import Iterator
from functools import cache
from pathlib import Path

_HOUSE = Path(__file__).parents[3]
_KERNELS = Path(__file__).parent


def home() -> Path:
    """The folder of all compiled kernels."""
    caches = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return caches / "plybook" / "kernels"


def folder(kernels: Path) -> Path:
    """The folder for the kernels of a source file as it is written now."""
    return home() / f"{kernels.stem}-{_digest((kernels,))}"


def is_warm() -> bool:
    """Whether ``note_warm`` was called on this machine since the kernels were changed."""
    return _mark().exists()


def note_warm() -> None:
    """Leave a mark that everything is compiled; a hint, which nobody's answer depends on."""
    home().mkdir(parents=True, exist_ok=True)
    _mark().touch()


def forget_all() -> None:
    """Take everything that is compiled off the disk; what is needed is compiled again."""
    for kept in home().rglob("*"):
        if kept.is_file():
            kept.unlink(missing_ok=True)


def _mark() -> Path:
    return home() / f"warm-{_digest(_KERNELS.glob('*.py'))}"


def _digest(paths: Iterator[Path] | tuple[Path, ...]) -> str:
    """One name for these sources and all they lean on."""
    seen, waiting = set[Path](), list(paths)
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting.extend(_leans_on(path))
    sources = hashlib.sha256()
    for path in sorted(seen):
        sources.update(path.read_bytes())
    return sources.hexdigest()[:16]


@cache
def _leans_on(path: Path) -> tuple[Path, ...]:
    """The source files of this house that one imports."""
    found = []
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            module = _HOUSE.joinpath(*node.module.split("."))
            found += [module.with_suffix(".py"), *(module / f"{a.name}.py" for a in node.names)]
    return tuple(source for source in found if source.exists())
