"""The law of the imports: kept as the tree stands, and each breach of it is seen."""

import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.tree import PACKAGES, ROOT

LINT = Path(sys.executable).with_name("lint-imports")

BREACHES = [
    ("law", "events/planted.py", "import services.match"),
    ("law", "services/match/planted.py", "import workers"),
    ("law", "workers/planted.py", "import ops"),
    ("law", "events/planted.py", "import ops"),
    ("rooms", "services/games/planted.py", "import services.match"),
    ("rooms", "services/match/planted.py", "import services.projections"),
    ("rooms", "services/projections/planted.py", "import services.api"),
    ("rooms", "services/newroom/__init__.py", ""),
    ("deaf", "services/games/planted.py", "import events"),
    ("deaf", "services/games/blokus/planted.py", "import random"),
    ("deaf", "services/games/blokus/planted.py", "from time import monotonic"),
    ("deaf", "services/games/planted.py", "from datetime import datetime"),
    ("deaf", "services/games/planted.py", "import logging"),
    ("deaf", "services/games/planted.py", "import os.path"),
    ("deaf", "services/games/planted.py", "import numba"),
    ("pure", "services/match/planted.py", "import time"),
    ("pure", "services/match/planted.py", "import secrets"),
    ("pure", "services/match/planted.py", "from events import sqlite_log"),
    ("pure", "services/projections/planted.py", "import structlog"),
    ("games-apart", "services/games/planted/rules.py", "import services.games.blokus.rules"),
    ("games-apart", "services/match/planted.py", "from services.games.blokus import rules"),
    ("games-apart", "workers/planted.py", "import services.games.blokus.rules"),
    ("engines", "workers/engines/planted.py", "import services.match"),
    ("engines", "workers/engines/planted.py", "import events.log"),
    ("engines", "workers/engines/kernels/planted.py", "import random"),
    ("tools-celery", "services/api/planted.py", "import celery"),
    ("tools-celery", "events/planted.py", "from kombu import Exchange"),
    ("tools-prometheus", "workers/planted.py", "import prometheus_client"),
    ("tools-drivers", "services/players/planted.py", "import psycopg"),
    ("tools-litestar", "workers/planted.py", "import litestar"),
    ("tests", "ops/planted.py", "import tests.kit"),
]


def lint(root: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run import-linter over the packages below ``root``, whatever is installed elsewhere."""
    return subprocess.run(
        [LINT, "--no-logo", "--no-cache", *arguments],
        cwd=root,
        env={"PYTHONPATH": str(root), "COLUMNS": "200", "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A copy of the four packages in which a test may misbehave."""
    root = tmp_path_factory.mktemp("house")
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__")
        )
    shutil.copy(ROOT / "pyproject.toml", root)
    yield root
    shutil.rmtree(root)


def test_the_tree_keeps_every_contract() -> None:
    """Imports go ops, workers, services, events; games are deaf; each tool has one home."""
    result = lint(ROOT)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize(("contract", "path", "line"), BREACHES)
def test_a_breach_is_caught(copy: Path, contract: str, path: str, line: str) -> None:
    """The contract that should object to a planted import does, and names the module."""
    planted = copy / path
    package = planted.parent / "__init__.py"
    is_new = not planted.parent.exists()
    planted.parent.mkdir(exist_ok=True)
    if is_new:
        package.touch()
    planted.write_text(f"{line}\n")
    try:
        result = lint(copy, "--contract", contract)
    finally:
        planted.unlink()
        if is_new:
            shutil.rmtree(planted.parent)
    module = path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    assert result.returncode == 1, result.stdout
    assert module in result.stdout, result.stdout + result.stderr


def test_every_contract_has_a_breach_that_shows_it_works() -> None:
    """No contract is only decoration."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    assert {contract["id"] for contract in contracts["contracts"]} == {b[0] for b in BREACHES}


def test_every_concrete_game_is_kept_apart() -> None:
    """A new game's package has to be listed in the contract that keeps games apart."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    listed = next(c for c in contracts["contracts"] if c["id"] == "games-apart")
    games = (ROOT / "services" / "games").glob("*/__init__.py")
    assert sorted(listed["protected_modules"]) == sorted(
        f"services.games.{game.parent.name}" for game in games
    )
