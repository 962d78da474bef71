"""The only list of games: found by slug and rules version, old versions beside new ones."""

import hashlib
from pathlib import Path

import pytest

from services.games import registry
from services.games.registry import REGISTRY, Registry, UnknownGame
from tests.kit.nim import NIM, NIM_2
from tests.kit.tree import ROOT, name_of

FROZEN: dict[str, str] = {}
"""SHA-256 of every frozen ``rules_v<n>.py``, by path: its behaviour is history. Add only."""


def test_a_game_is_found_by_slug_at_its_newest_version() -> None:
    """Without a version the newest rules are meant: new matches are opened under them."""
    both = Registry([NIM_2, NIM])
    assert both.game("nim") is NIM_2
    assert both.games() == (NIM_2,)
    assert both.slugs() == ("nim",)


def test_an_older_version_stays_beside_the_newer_one() -> None:
    """A stored match that names version 1 is still judged by version 1."""
    both = Registry([NIM_2, NIM])
    old, new = both.game("nim", 1), both.game("nim", 2)
    assert both.versions() == (NIM, NIM_2)
    heap = old.rules.setup(old.rules.ruleset({}))
    assert old.rules.objection(heap, "3") is not None
    assert new.rules.objection(heap, "3") is None


def test_a_registry_with_more_games_leaves_the_house_registry_alone() -> None:
    """Registries are values: what a test registers, nobody else sees."""
    more = REGISTRY.plus(NIM, NIM_2)
    assert set(more.slugs()) == {*REGISTRY.slugs(), "nim"}
    assert "nim" not in REGISTRY.slugs()
    assert "nim" not in {game.rules.slug for game in registry.games()}


@pytest.mark.parametrize(
    ("slug", "version", "said"),
    [
        ("chess", None, "There is no game 'chess'; there are: blokus"),
        ("blokus", 99, "blokus has no rules version 99; it has: 1"),
        ("", None, "There is no game ''"),
    ],
)
def test_an_unknown_game_is_named_beside_the_known_ones(
    slug: str, version: int | None, said: str
) -> None:
    """The error says what there is."""
    with pytest.raises(UnknownGame, match=said):
        registry.game(slug, version)


def test_a_version_is_listed_once() -> None:
    """Two judges for one version would be no judge."""
    with pytest.raises(ValueError, match="nim version 1 is listed twice"):
        Registry([NIM, NIM])


def unpinned(root: Path, pins: dict[str, str]) -> list[str]:
    """Frozen rules below a folder that are not pinned, or not as they were; and lost ones."""
    found = {
        path.relative_to(root).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in root.rglob("rules_v*.py")
    }
    return sorted(name for name in found.keys() | pins if found.get(name) != pins.get(name))


def test_frozen_rules_are_as_they_were() -> None:
    """A frozen version is pinned by its hash as long as a stored match may name it."""
    assert unpinned(ROOT / "services" / "games", FROZEN) == []


def test_a_change_of_frozen_rules_is_noticed(tmp_path: Path) -> None:
    """The control: a new, a changed and a lost file are each seen."""
    frozen = tmp_path / "toy" / "rules_v1.py"
    frozen.parent.mkdir()
    frozen.write_text("version = 1\n", encoding="utf-8")
    pins = {"toy/rules_v1.py": hashlib.sha256(frozen.read_bytes()).hexdigest()}
    assert unpinned(tmp_path, pins) == []
    assert unpinned(tmp_path, {}) == ["toy/rules_v1.py"]
    frozen.write_text("version = 1  # better\n", encoding="utf-8")
    assert unpinned(tmp_path, pins) == ["toy/rules_v1.py"]
    frozen.unlink()
    assert unpinned(tmp_path, pins) == ["toy/rules_v1.py"]


def test_every_rules_module_is_registered() -> None:
    """A rules file nobody lists would judge nothing."""
    files = {name_of(path) for path in (ROOT / "services" / "games").glob("*/rules*.py")}
    listed = {
        name_of(Path(str(getattr(game.rules, "__file__", "")))) for game in REGISTRY.versions()
    }
    assert listed == files
