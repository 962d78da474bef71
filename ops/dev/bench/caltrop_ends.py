"""How quick the end of a Caltrop game is searched, beside a plain search in C++ of our own."""

import subprocess
import tempfile
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from shutil import which
from time import process_time
from typing import Any

from ops.dev.bench.alternating import alternate, lines
from ops.dev.bench.findings import Line, Section, Target, Tell
from ops.dev.bench.sizes import Sizes
from services.games.registry import REGISTRY
from workers.engines.caltrop_deep import best_to_the_end
from workers.engines.dice import Dice
from workers.engines.kernels.caltrop import stones_of
from workers.engines.kernels.caltrop_search import BEYOND, PLACED, ROOT, new_search, value

ABOUT = """\
Exact values of positions with nine empty squares, of ordinary stones from random decks, one core,
by its CPU time; positions are placements worked out. The anchor is the same search written
plainly in C++ (`ops/dev/bench/caltrop_plain.cpp`, `g++ -O2`), where there is a compiler; both
have to find the same values. The **longest** is what an engine takes that also looks for the
move, deeper and deeper."""

EMPTY = 9
PLAIN = Path(__file__).parent / "caltrop_plain.cpp"
ANCHOR = "plain C++ search"
AT_LEAST = Target(least=0.5)
LONGEST = Target(most=3, of="number")
KINDS = ("P{turn}{level}", "N{turn}{level}", "B{level}", "R{level}")
ENDLESS = 1 << 40

RULES = REGISTRY.game("caltrop").rules


def caltrop_ends(sizes: Sizes, tell: Tell) -> Section:
    """The rate beside the anchor's, and the longest search."""
    tell("exact ends of Caltrop")
    games = [_game(seed) for seed in range(sizes.ends)]
    some = games[:: max(1, sizes.ends // 12)]
    what, unit = "nine empty squares", "positions/s"
    with tempfile.TemporaryDirectory(prefix="caltrop-") as folder:
        if program := _compiled(Path(folder)):
            sides = {"ours": partial(_ours, some), "plain": partial(_plain, program, some)}
            compared = alternate(min(sizes.rounds, 3), sides)
            found = lines(what, unit, compared, {"plain": (ANCHOR, AT_LEAST)})
        else:
            alone = alternate(min(sizes.rounds, 3), {"ours": partial(_ours, some)})
            found = [Line(what, alone.median("ours"), unit)]
    longest = max(_seconds(game) for game in games)
    found.append(Line(f"{what}, longest of {len(games)}", longest, "s", target=LONGEST))
    return Section("Caltrop: exact ends, one core", ABOUT, tuple(found))


def _game(seed: int) -> Any:
    """A game after seven random placements of ordinary stones of levels 1 to 3."""
    dice = Dice(seed)
    position = RULES.setup(
        RULES.ruleset(
            {"form": "run", "blue": _deck(dice), "red": _deck(dice), "first": "br"[seed % 2]}
        )
    )
    while len(position.game.moves) < 16 - EMPTY:
        listed = RULES.moves(position).texts
        position = RULES.apply(position, listed[dice.below(len(listed))]).position
    return position.game


def _deck(dice: Dice) -> str:
    stones = [
        KINDS[dice.below(len(KINDS))].format(turn="nesw"[dice.below(4)], level=1 + dice.below(3))
        for _ in range(7)
    ]
    return ",".join((*stones, f"Q{1 + dice.below(3)}"))


def _ours(games: Sequence[Any]) -> float:
    """Positions a CPU second of the compiled search."""
    begun, placed = process_time(), 0
    for game in games:
        placed += _exact(game)[1]
    return placed / (process_time() - begun)


def _exact(game: Any) -> tuple[int, int]:
    search = new_search(game, ENDLESS)
    found = value(search, ROOT, EMPTY, game.next, -BEYOND, BEYOND)
    return found, int(search.tally[PLACED])


def _seconds(game: Any) -> float:
    begun = process_time()
    best_to_the_end(new_search(game, ENDLESS), game)
    return process_time() - begun


def _compiled(folder: Path) -> Path | None:
    """The plain search as a program; None without a compiler."""
    if which("g++") is None:
        return None
    program = folder / "plain"
    subprocess.run(["g++", "-O2", "-std=c++17", "-o", str(program), str(PLAIN)], check=True)
    return program


def _plain(program: Path, games: Sequence[Any]) -> float:
    """Positions a CPU second of the plain search, whose values are compared with ours."""
    asked = "\n".join(_described(game) for game in games)
    run = subprocess.run([str(program)], input=asked, capture_output=True, text=True, check=True)
    *answers, seconds = run.stdout.splitlines()
    found = [tuple(map(int, answer.split())) for answer in answers]
    values, expected = [one for one, _ in found], [_exact(game)[0] for game in games]
    assert values == expected, "both searches find the same values"
    return sum(placed for _, placed in found) / float(seconds)


def _described(game: Any) -> str:
    """A game as the program reads it."""
    numbers = [game.next, game.first]
    for square, owner in enumerate(game.board.owners):
        numbers += [owner, *game.board.spikes[4 * square : 4 * square + 4]]
    for deck, left in zip(stones_of(game.decks).tolist(), game.left, strict=True):
        hand = [stone[:4] for slot, stone in enumerate(deck) if left >> slot & 1]
        numbers += [len(hand), *(spikes for stone in hand for spikes in stone)]
    return " ".join(map(str, numbers))
