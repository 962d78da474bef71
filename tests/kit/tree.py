"""The repository seen as files: what the tests of the house walk over."""

import ast
import shutil
import subprocess
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("events", "services", "workers", "ops")


@cache
def tracked_files() -> tuple[Path, ...]:
    """Every file of the repository: what git knows or would add, else what lies here."""
    if shutil.which("git") and (ROOT / ".git").exists():
        listing = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        found = [ROOT / name for name in listing.split("\0") if name]
    else:
        skipped = (".venv", "data", "__pycache__")
        found = [p for p in ROOT.rglob("*") if not any(part in skipped for part in p.parts)]
    return tuple(sorted(path for path in found if path.is_file()))


@cache
def modules(*packages: str) -> tuple[Path, ...]:
    """The Python files of these top-level folders, in order."""
    return tuple(
        p for p in tracked_files() if p.suffix == ".py" and p.relative_to(ROOT).parts[0] in packages
    )


@cache
def tree_of(path: Path) -> ast.Module:
    """A module's syntax tree."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def name_of(path: Path) -> str:
    """A file's path inside the repository, as failures print it."""
    return path.relative_to(ROOT).as_posix()


def module_name(path: Path) -> str:
    """The dotted name a file is imported by."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
