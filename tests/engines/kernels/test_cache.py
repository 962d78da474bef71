"""Where compiled kernels are kept: together with all they were made from."""

from pathlib import Path

import pytest

from workers.engines.kernels import cache

SOURCES = {
    "workers/engines/kernels/leaf.py": "from workers.engines.kernels import shared\n",
    "workers/engines/kernels/shared.py": "from services.games.blokus.pieces import PIECES\n",
    "workers/engines/kernels/other.py": "import numpy\n",
    "services/games/blokus/pieces.py": "PIECES = 21\n",
}


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A little house: leaf leans on shared, shared on a game; other on nothing of the house."""
    for name, text in SOURCES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(cache, "_HOUSE", tmp_path)
    monkeypatch.setattr(cache, "_KERNELS", tmp_path / "workers/engines/kernels")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    cache._leans_on.cache_clear()
    return tmp_path


@pytest.mark.parametrize(
    "changed", ["leaf.py", "shared.py", "../../../services/games/blokus/pieces.py"]
)
def test_kernels_are_compiled_anew_when_anything_they_lean_on_changes(
    house: Path, changed: str
) -> None:
    """Also a game's table, which is frozen into the compiled code, and no other file's kernels."""
    kernels = house / "workers/engines/kernels"
    before = [cache.folder(kernels / name) for name in ("leaf.py", "other.py")]
    (kernels / changed).write_text((kernels / changed).read_text() + "LAST = 1\n")
    after = [cache.folder(kernels / name) for name in ("leaf.py", "other.py")]
    assert (after[0] == before[0], after[1] == before[1]) == (False, True)


def test_a_change_makes_the_whole_set_cold_again(house: Path) -> None:
    """The mark is of all kernels: one that changed has to be compiled."""
    assert not cache.is_warm()
    cache.note_warm()
    assert cache.is_warm()
    (house / "services/games/blokus/pieces.py").write_text("PIECES = 22\n")
    assert not cache.is_warm()
