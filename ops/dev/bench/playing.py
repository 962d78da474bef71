"""How quick the rules of Blokus are, and how long each computer level thinks: plain numbers."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from time import process_time
from typing import Any

from ops.dev.bench.findings import Line, Section, Tell
from ops.dev.bench.played import GAME, playout, playouts
from ops.dev.bench.sizes import Sizes
from services.games.registry import REGISTRY
from services.levels import Levels, LevelSpec
from services.match.commands import ImportMatch
from workers.engines.contract import Question
from workers.engines.registry import think, warm

ABOUT = """\
One core, by its CPU time. **Listing** names every legal move in each position of random playouts;
**playing** plays each of those moves, as a perft count does; a **playout** lists and plays to the
end. **Levels** choose a move in positions from the opening to the end of classic games; the
middle time, and the longest."""

RULES = REGISTRY.game(GAME).rules
NOTATION = REGISTRY.game(GAME).notation


def playing(sizes: Sizes, tell: Tell) -> Section:
    """Rules, then levels."""
    tell("rules and engines")
    return Section("Blokus: rules and engines", ABOUT, (*_rules(sizes), *_levels(sizes)))


def _rules(sizes: Sizes) -> Iterator[Line]:
    for variant in ("classic", "duo"):
        games = list(islice(playouts([variant]), sizes.judged))
        positions = [position for game in games for position in positions_of(game)]
        listed = [RULES.moves(position).texts for position in positions]
        moves = sum(map(len, listed))
        some = list(zip(positions, listed, strict=True))[:: sizes.judged]

        def rate(count: int, work: Callable[[], object]) -> float:
            return count / statistics.median(_cpu_seconds(work) for _ in range(3))

        listing = rate(moves, partial(_list_all, positions))
        yield Line(f"{variant}, listing", listing, "moves/s")
        yield Line(f"{variant}, listing", listing * len(positions) / moves, "positions/s")
        played = sum(len(texts) for _, texts in some)
        yield Line(f"{variant}, playing", rate(played, partial(_play_all, some)), "positions/s")
        whole = rate(len(games), partial(_play_out, variant, len(games)))
        yield Line(f"{variant}, random playouts", whole, "games/s")


def positions_of(game: ImportMatch) -> Iterator[Any]:
    """The positions of a game in which a move was played."""
    position = RULES.setup(RULES.ruleset(game.ruleset))
    for move in game.moves:
        yield position
        position = RULES.apply(position, move).position


def _list_all(positions: Sequence[Any]) -> None:
    for position in positions:
        RULES.moves(position)


def _play_all(some: Sequence[tuple[Any, Sequence[str]]]) -> None:
    for position, texts in some:
        for text in texts:
            RULES.apply(position, text)


def _play_out(variant: str, games: int) -> None:
    for seed in range(games):
        playout(variant, seed)


def _levels(sizes: Sizes) -> Iterator[Line]:
    positions = list(positions_of(playout("classic", 0)))
    asked = positions[:: max(1, len(positions) // sizes.engine_positions)]
    for spec in Levels.load().specs():
        if spec.game == GAME:
            warm(spec.engine, spec.engine_version)
            seconds = [_cpu_seconds(partial(think, _question(spec, each))) for each in asked]
            longest = f"ms, longest {1_000 * max(seconds):,.0f}"
            middle = 1_000 * statistics.median(seconds)
            yield Line(f"level {spec.level}, a move of classic", middle, longest)


def _question(spec: LevelSpec, position: Any) -> Question:
    seat = RULES.awaiting(position)
    assert isinstance(seat, str)
    return Question(
        game=GAME,
        rules_version=RULES.version,
        ruleset=RULES.ruleset_data(RULES.ruleset({"variant": "classic"})),
        view=NOTATION.format_position(position),
        seat=seat,
        seed=1,
        engine=spec.engine,
        engine_version=spec.engine_version,
        level=spec.level,
        budget=spec.budget,
        noise=spec.noise,
    )


def _cpu_seconds(work: Callable[[], object]) -> float:
    begun = process_time()
    work()
    return process_time() - begun
