"""The lock files: every byte that is installed is named by its hash, from wherever it comes."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.kit.tree import ROOT

RUN = ROOT / "requirements.lock"
DEV = ROOT / "requirements-dev.lock"
PIN = re.compile(r"^(?P<name>[A-Za-z0-9._-]+)==(?P<version>\S+?)(?: ;.*?)? \\$")


def project() -> dict[str, Any]:
    """The project table of pyproject.toml."""
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return table


def pins(lock: Path) -> dict[str, str]:
    """Name to version of every locked distribution."""
    found = (PIN.match(line) for line in lock.read_text().splitlines())
    return {canonicalize_name(m["name"]): m["version"] for m in found if m}


def entries(lock: Path) -> list[str]:
    """The lock file cut into one text a distribution."""
    return re.split(r"^(?=[A-Za-z0-9])", lock.read_text(), flags=re.MULTILINE)[1:]


@pytest.mark.parametrize("lock", [RUN, DEV], ids=lambda lock: lock.name)
def test_each_distribution_is_pinned_with_hashes(lock: Path) -> None:
    """What is installed is exactly what was reviewed."""
    for entry in entries(lock):
        head = entry.splitlines()[0]
        assert PIN.match(head), f"{lock.name}: not an exact pin: {head}"
        assert re.search(r"--hash=sha256:[0-9a-f]{64}", entry), f"{lock.name}: no hash: {head}"


@pytest.mark.parametrize("lock", [RUN, DEV], ids=lambda lock: lock.name)
def test_no_lock_names_where_to_fetch_from(lock: Path) -> None:
    """Where packages come from is the machine's business, not the repository's."""
    assert "://" not in lock.read_text()


def test_the_locks_satisfy_the_project() -> None:
    """Each requirement of pyproject.toml is locked at a version it allows."""
    table = project()
    extras = table["optional-dependencies"]
    for lock, groups in ((RUN, ["build"]), (DEV, ["build", "dev"])):
        locked = pins(lock)
        wanted = table["dependencies"] + [text for group in groups for text in extras[group]]
        for text in wanted:
            requirement = Requirement(text)
            version = locked.get(canonicalize_name(requirement.name))
            assert version is not None, f"{lock.name} lacks {requirement.name}: run `make lock`"
            assert requirement.specifier.contains(version, prereleases=True), f"{text}: {version}"


def test_both_locks_agree() -> None:
    """What is tested is what runs."""
    run, dev = pins(RUN), pins(DEV)
    assert {name: dev.get(name) for name in run} == run
