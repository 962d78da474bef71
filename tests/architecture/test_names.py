"""Four generic package names are safe only under guard (ops/decisions/0001)."""

import importlib
import sys
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from tests.kit.tree import PACKAGES, ROOT, modules, name_of


@pytest.mark.parametrize("package", PACKAGES)
def test_nobody_else_provides_our_names(package: str) -> None:
    """An installed ``Events`` or ``services`` would overwrite or shadow ours in silence."""
    providers = set(packages_distributions().get(package, []))
    assert providers <= {"plybook"}, (
        f"{sorted(providers)} also provide the module {package!r}: use an environment of its own"
    )


def test_all_four_come_from_one_folder() -> None:
    """What runs is this checkout, not a mixture of two."""
    folders = {Path(str(importlib.import_module(name).__file__)).parents[1] for name in PACKAGES}
    assert folders == {ROOT}


@pytest.mark.parametrize("package", [*PACKAGES, "tests"])
def test_every_folder_of_modules_is_a_package(package: str) -> None:
    """A folder without ``__init__.py`` would lose against any installed namesake."""
    folders = {path.parent for path in modules(package)}
    assert not [name_of(folder) for folder in folders if not (folder / "__init__.py").exists()]


def test_no_module_is_named_like_a_standard_one() -> None:
    """A script started in that folder would break the standard library."""
    twins = [name_of(p) for p in modules(*PACKAGES) if p.stem in sys.stdlib_module_names]
    assert not twins
