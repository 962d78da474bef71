"""``plybook bench``: this machine beside the anchors of the design (``ops/dev/bench_*.py``)."""

import importlib
from pathlib import Path

import click

import ops.dev
from ops.refused import Refused

PREFIX = "bench_"


@click.command("bench")
@click.argument("names", nargs=-1)
def command(names: tuple[str, ...]) -> None:
    """Run the benches NAMES (all of them) and print their rows; needs the development tools."""
    known = _known()
    if unknown := [name for name in names if name not in known]:
        raise Refused(f"There is no bench {unknown[0]}; there are: {', '.join(known)}.")
    for name in names or known:
        importlib.import_module(f"ops.dev.{PREFIX}{name}").run()


def _known() -> list[str]:
    folder = Path(str(ops.dev.__file__)).parent
    return sorted(path.stem.removeprefix(PREFIX) for path in folder.glob(f"{PREFIX}*.py"))
