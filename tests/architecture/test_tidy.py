"""House rules that no linter knows: lengths, silence, purity, and nothing left lying about."""

import ast
import re
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.kit.tree import PACKAGES, ROOT, modules, name_of, tracked_files, tree_of

FUNCTION_LINES_MAX = 70
FILE_LINES_MAX = 500

PURE = (
    "events/event_kinds.py",
    "events/recorded.py",
    "events/codec.py",
    "events/upcasts.py",
    "events/log.py",
    "events/chain.py",
    "services/games/*.py",
    "services/match/*.py",
    "services/campaigns/*.py",
    "services/projections/*.py",
    "services/formats/*.py",
    "workers/engines/*.py",
)
"""Code whose answer depends on its arguments alone (``*`` crosses folders here)."""

EXCUSED = {
    "services/match/handler.py": "the door: it asks for new seeds",
    "services/campaigns/handler.py": "the same for runs",
}

WILD_MODULES = {"random", "secrets", "time", "uuid"}
WILD_METHODS = {"now", "utcnow", "today", "urandom", "uuid1", "uuid4"}

# Spelled with brackets, so that this file does not find itself.
LEFTOVER = re.compile(r"\b(T[O]DO|F[I]XME|X[X]X|H[A]CK)\b")
MACHINE_PATH = re.compile(r"(?<![\w.])/(?:w[o]rk|h[o]me|r[o]ot|U[s]ers)/")
REGISTRY = re.compile(
    r"(p[y]pi\.org|p[y]thonhosted|npm[j]s|index[-]url|find[-]links|trusted[-]host)", re.IGNORECASE
)


def long_functions(path: Path) -> list[str]:
    """Functions of a file that do not fit on a screen."""
    return [
        f"{name_of(path)}:{f.lineno} {f.name} has {length} lines"
        for f in ast.walk(tree_of(path))
        if isinstance(f, ast.FunctionDef | ast.AsyncFunctionDef)
        and (length := (f.end_lineno or f.lineno) - f.lineno + 1) > FUNCTION_LINES_MAX
    ]


def wild_calls(tree: ast.Module) -> list[tuple[int, str]]:
    """Calls that ask a clock or dice: ``time.time()``, ``datetime.now()``, ``uuid4()``."""
    found = []
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        match node.func:
            case ast.Attribute(value=ast.Name(id=module)) if module in WILD_MODULES:
                found.append((node.lineno, ast.unparse(node.func)))
            case ast.Attribute(attr=name) | ast.Name(id=name) if name in WILD_METHODS:
                found.append((node.lineno, ast.unparse(node.func)))
            case _:
                pass
    return found


def printing(path: Path) -> bool:
    """Only what people start by hand speaks on standard output."""
    name = name_of(path)
    return name.startswith("ops/") and (name.startswith("ops/dev/") or "cli" in path.stem)


def is_pure(path: Path) -> bool:
    """Whether a file's code may depend on its arguments only."""
    name = name_of(path)
    return name not in EXCUSED and any(fnmatch(name, pattern) for pattern in PURE)


def undocumented(tree: ast.Module) -> list[tuple[int, str]]:
    """The module and its public functions and classes that lack a docstring."""
    missing = [] if ast.get_docstring(tree) else [(1, "the module")]
    missing += [
        (node.lineno, node.name)
        for node in tree.body
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)
        and not node.name.startswith("_")
        and not ast.get_docstring(node)
    ]
    return missing


def test_functions_and_files_stay_short() -> None:
    """A function fits on a screen (70 lines), a file in a head (500)."""
    paths = modules(*PACKAGES, "tests")
    found = [line for path in paths for line in long_functions(path)]
    for path in paths:
        length = len(path.read_text(encoding="utf-8").splitlines())
        if length > FILE_LINES_MAX:
            found.append(f"{name_of(path)} has {length} lines")
    assert not found, "\n".join(found)


def test_pure_modules_ask_no_clock_and_no_dice() -> None:
    """Time and chance come in as arguments, so that a replay is the same for ever."""
    pure = [path for path in modules(*PACKAGES) if is_pure(path)]
    assert pure
    found = [
        f"{name_of(path)}:{line} calls {call}"
        for path in pure
        for line, call in wild_calls(tree_of(path))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize(
    ("source", "calls"),
    [
        ("import time\ntime.time()", ["time.time"]),
        ("import datetime\ndatetime.datetime.now()", ["datetime.datetime.now"]),
        ("from uuid import uuid4\nuuid4()", ["uuid4"]),
        ("import random as r\nimport random\nrandom.choice([1])", ["random.choice"]),
        ("clock.at\nposition.time(3)", []),
    ],
)
def test_a_planted_clock_is_seen(source: str, calls: list[str]) -> None:
    """The search for clocks and dice finds the usual spellings and leaves others alone."""
    assert [call for _, call in wild_calls(ast.parse(source))] == calls


def test_only_the_command_line_prints() -> None:
    """Everything else logs, returns or raises."""
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in modules(*PACKAGES)
        if not printing(path)
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "print"
    ]
    assert not found, found


def test_no_exception_is_caught_without_a_name() -> None:
    """A bare ``except`` also swallows the end of the program."""
    found = [
        f"{name_of(path)}:{node.lineno}"
        for path in modules(*PACKAGES, "tests")
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.ExceptHandler) and node.type is None
    ]
    assert not found, found


def test_every_public_name_is_described() -> None:
    """Modules, public functions and public classes say what they mean."""
    found = [
        f"{name_of(path)}:{line} {name}"
        for path in modules(*PACKAGES)
        if path.read_text(encoding="utf-8").strip()
        for line, name in undocumented(tree_of(path))
    ]
    assert not found, "\n".join(found)


def texts() -> Iterator[tuple[str, int, str]]:
    """Every line of every text file of the repository."""
    for path in tracked_files():
        try:
            lines = path.read_text(encoding="utf-8").splitlines()
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(lines, start=1):
            yield name_of(path), number, line


def test_nothing_is_left_to_do_and_nothing_is_tied_to_one_machine() -> None:
    """No leftover markers, no paths of somebody's machine, no address of a package registry."""
    searches = {"leftover": LEFTOVER, "machine path": MACHINE_PATH, "registry": REGISTRY}
    found = [
        f"{name}:{number} {what}: {line.strip()[:80]}"
        for name, number, line in texts()
        for what, search in searches.items()
        if search.search(line)
    ]
    assert not found, "\n".join(found)


def test_the_excuses_still_apply() -> None:
    """An excuse for a file that is gone is taken off the list."""
    gone = [name for name in EXCUSED if not (ROOT / name).exists()]
    assert not gone
