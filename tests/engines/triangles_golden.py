"""Golden questions of the Triangles engine that searches: what it answers, for ever.

``python -m tests.engines.triangles_golden`` writes them anew; do that only with a new engine
version. They are the golden questions of the older engines, and ends of rounds without a market.
"""

from collections.abc import Iterator

from msgspec.structs import replace

from services.games import registry
from services.games.triangles.position import Position
from tests.engines.golden import Golden, keep, kept_in
from tests.engines.golden import golden as older
from tests.kit.playouts import Dice, playout
from workers.engines.contract import Question
from workers.engines.registry import think

FILE = "triangles_tree_1.json"
BUDGET = 300
"""Playouts a move: little enough to ask them all in a moment."""
GAME = registry.game("triangles")


def golden() -> list[Golden]:
    """The golden questions that are kept in the file."""
    return kept_in(FILE)


def asked(position: Position, seed: int, budget: int = BUDGET) -> Question:
    """What the engine is asked about a full position."""
    rules, seat = GAME.rules, position.seats[position.next]
    return Question(
        game="triangles",
        rules_version=rules.version,
        ruleset=rules.ruleset_data(position.ruleset),
        view=GAME.notation.format_position(rules.view(position, seat)),
        seat=seat,
        seed=seed,
        engine="triangles-tree",
        engine_version=1,
        level=4,
        budget=budget,
        noise=0,
    )


def ends(tiles: int, seeds: range) -> Iterator[Position]:
    """Positions of rounds of two, at random, with no market and so few tiles in both hands."""
    for seed in seeds:
        start = GAME.rules.setup(GAME.rules.ruleset({"max_rounds": 2}))
        for turn in playout(GAME, start, Dice(seed)):
            held = sum(map(turn.position.hand_count, (0, 1)))
            if not turn.position.market_count and held <= tiles and len(turn.listed) > 1:
                yield turn.position
                break


def _written_anew() -> Iterator[Golden]:
    for case in older("triangles"):
        question = replace(
            case.question, engine="triangles-tree", engine_version=1, budget=BUDGET, noise=0
        )
        yield Golden(question, think(question).move)
    for seed, position in enumerate(ends(12, range(12))):
        question = asked(position, seed)
        yield Golden(question, think(question).move)


def main() -> None:
    """Write the file."""
    keep(FILE, _written_anew())


if __name__ == "__main__":
    main()
