"""How many playouts a second a search of Blokus makes, beside Pentobi where it is installed."""

import os
import re
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from ops.dev.bench.alternating import alternate, lines
from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.playing import positions_of
from ops.dev.bench.sizes import Sizes
from services.formats.judge import Judged, judge
from workers.engines.blokus_search import searched
from workers.engines.kernels.tree import ROOT

ABOUT = """\
A whole search, with its tree and priors, of four positions of one demo game (fixed corners), one
core, by its CPU time. The anchor is [Pentobi](https://pentobi.sourceforge.io), level 7 without
its book: the simulations its own log counts, by the CPU time it gives. It is run as a separate
program, where `PLYBOOK_TEST_PENTOBI` names its `pentobi-gtp`."""

RECORD = Path(__file__).parents[3] / "seeds/blokus/matches/classic-engine-level-5.record"
PLIES = {0: "opening", 10: "ply 10", 20: "ply 20", 40: "ply 40"}
ANCHOR = "Pentobi, level 7"
AT_LEAST = Target(least=0.5)


def blokus_playouts(sizes: Sizes, tell: Tell) -> Section:
    """A line for each stage of the game."""
    tell("playouts of Blokus")
    judged = judge(RECORD.read_bytes(), RECORD.name)[0]
    assert isinstance(judged, Judged)
    positions, moves = list(positions_of(judged.command)), judged.command.moves
    found: list[Line] = []
    for ply, called in PLIES.items():
        ours = partial(_ours, positions[ply], sizes.placements)
        found += _beside_pentobi(called, ours, positions, moves[:ply], sizes)
    return Section("Blokus: playouts of a search, one core", ABOUT, tuple(found))


def _beside_pentobi(
    called: str, ours: partial[float], positions: list[Any], moves: tuple[str, ...], sizes: Sizes
) -> Iterator[Line]:
    program = os.environ.get("PLYBOOK_TEST_PENTOBI")
    if not program:
        alone = alternate(sizes.rounds, {"ours": ours})
        yield Line(called, alone.median("ours"), "playouts/s")
        return
    colours = [position.next + 1 for position in positions[: len(moves) + 1]]
    sides = {"ours": ours, "pentobi": partial(_pentobis, program, colours, moves)}
    compared = alternate(min(sizes.rounds, 3), sides)
    yield from lines(called, "playouts/s", compared, {"pentobi": (ANCHOR, AT_LEAST)})


def _ours(position: Any, placements: int) -> float:
    """Playouts a CPU second of one search."""
    begun = process_time()
    desk, _ = searched(position, seed=1, budget=placements)
    return float(desk.tree.visits[ROOT]) / (process_time() - begun)


def _pentobis(program: str, colours: list[int], moves: tuple[str, ...]) -> float:
    """Simulations a CPU second of one search; ``colours`` of the moves, and of who is to move."""
    placed = [f"play {colour} {move}" for colour, move in zip(colours, moves, strict=False)]
    asked = [*placed, "cputime", f"reg_genmove {colours[-1]}", "cputime", "quit"]
    options = ["--game", "classic", "--level", "7", "--seed", "1", "--nobook", "--noresign"]
    run = subprocess.run(
        [program, *options],
        input="\n".join([*asked, ""]),
        capture_output=True,
        text=True,
        check=True,
    )
    answers = [answer.strip("= ") for answer in run.stdout.split("\n\n")]
    before, after = (float(answers[len(placed) + place]) for place in (0, 2))
    counted = re.search(r"\bSim (\d+)", run.stderr)
    assert counted, "the log of a search says how many simulations it made"
    return int(counted[1]) / (after - before)
