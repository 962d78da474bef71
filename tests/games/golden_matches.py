"""Golden matches: whole games written down once, which a rules version keeps for ever.

``python -m tests.games.golden_matches SLUG VERSION`` writes a version's file when the version
is new. A file is never written again: if it no longer holds, the rules need a new version.
"""

import json
import sys
from pathlib import Path
from typing import Any

from services.games.contract import Deal, Game, Over
from services.games.registry import REGISTRY
from tests.kit.playouts import Dice, chooser, seeded_rulesets

GOLDEN = Path(__file__).parent / "golden"


def golden_file(game: Game) -> Path:
    """Where the golden matches of a version are."""
    return GOLDEN / f"{game.rules.slug}-{game.rules.version}.json"


def matches(game: Game) -> list[dict[str, Any]]:
    """A match for each seeded ruleset; in every second one the last seat gives up midway."""
    rulesets = seeded_rulesets(game.rules.slug).values()
    return [_match(game, data, seed, seed % 2 * 17) for seed, data in enumerate(rulesets)]


def _match(game: Game, data: dict[str, Any], seed: int, gives_up_at: int) -> dict[str, Any]:
    rules, dice = game.rules, Dice(seed)
    steps: list[dict[str, Any]] = []
    ruleset = rules.ruleset(data)
    position = rules.setup(ruleset)
    while not isinstance(awaited := rules.awaiting(position), Over):
        if isinstance(awaited, Deal):
            step = rules.deal(position, Dice(len(steps)))
            steps.append({"deal": len(steps), "facts": step.facts})
        elif gives_up_at and len(steps) == gives_up_at:
            seat = "ABCD"[rules.terms(ruleset).seats - 1]
            step = rules.withdraw(position, seat)
            steps.append({"withdraw": seat, "facts": step.facts})
        else:
            listed = rules.moves(position).texts
            move = chooser(rules.slug)(position, listed, dice)
            step = rules.apply(position, move)
            steps.append({"move": move, "facts": step.facts})
        position = step.position
    return {"ruleset": data, "steps": steps, **ending(game, position)}


def ending(game: Game, position: Any) -> dict[str, Any]:
    """The last position and its outcome as plain data."""
    outcome = game.rules.outcome(position)
    assert outcome is not None
    return {
        "position": game.notation.format_position(position),
        "points": dict(outcome.points),
        "winners": list(outcome.winners),
        "parts": dict(outcome.parts),
    }


def main(slug: str, version: str) -> None:
    """Write the file of a version that has none."""
    game = REGISTRY.game(slug, int(version))
    lines = ",\n".join(json.dumps(match) for match in matches(game))
    with golden_file(game).open("x", encoding="utf-8") as file:
        file.write(f"[\n{lines}\n]\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
