"""The README's walk-through, typed as it stands."""

import os
import re
import subprocess
from pathlib import Path

from tests.kit.machine import PLYBOOK, Machine
from tests.kit.tree import ROOT


def examples(marker: str) -> str:
    """The README's shell example that contains a text."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (found,) = (
        block for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) if marker in block
    )
    return str(found)


def test_a_match_can_be_played_and_audited_with_curl_alone(tmp_path: Path) -> None:
    """From an account to the last move, the board at ply 10, and the audit that proves it."""
    machine = Machine(tmp_path / "data")
    script = examples("api=http").replace("http://127.0.0.1:8080", machine.url)
    with machine.serving():
        shown = subprocess.run(
            ["bash", "-euc", f"{script}\necho; echo $match"],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        ).stdout
    assert '"kind":"match.ended.1"' in shown
    assert "Blokus duo" in shown
    assert '"verdict":"proved"' in shown


def test_the_useful_commands_do_what_the_readme_says(tmp_path: Path) -> None:
    """Import, replay, export, audit and backup, in the README's order, on the demo matches."""
    machine = Machine(tmp_path / "data")
    script = examples("plybook import").replace("plybook play blokus --level 2\n", "")
    script = script.replace("game.blksgf", f"{tmp_path}/game.blksgf")
    script = script.replace("plybook-copy.sqlite", f"{tmp_path}/plybook-copy.sqlite")
    path = os.pathsep.join([str(PLYBOOK.parent), os.environ["PATH"]])
    with machine.serving():
        done = subprocess.run(
            ["bash", "-euc", script],
            cwd=ROOT,
            env={**machine.environ, "PATH": path},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "game.blksgf").read_text().startswith("(")
    assert (tmp_path / "plybook-copy.sqlite").stat().st_size > 0
