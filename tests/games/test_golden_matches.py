"""A rules version keeps its behaviour: legality, facts, results and position texts."""

import json
from typing import Any

import pytest

from services.games.contract import Game
from services.games.registry import REGISTRY
from tests.games.golden_matches import ending, golden_file
from tests.kit.playouts import Dice

every_version = pytest.mark.parametrize(
    "game", [pytest.param(g, id=f"{g.rules.slug}-{g.rules.version}") for g in REGISTRY.versions()]
)


def golden(game: Game) -> list[dict[str, Any]]:
    """The golden matches of a version."""
    found: list[dict[str, Any]] = json.loads(golden_file(game).read_text(encoding="utf-8"))
    assert found
    return found


@every_version
def test_a_golden_match_is_judged_as_it_was(game: Game) -> None:
    """Every move is still legal, leads to the same facts, and the end is the same text."""
    rules = game.rules
    for match in golden(game):
        position = rules.setup(rules.ruleset(match["ruleset"]))
        for known in match["steps"]:
            if "withdraw" in known:
                step = rules.withdraw(position, known["withdraw"])
            elif "deal" in known:
                step = rules.deal(position, Dice(known["deal"]))
            else:
                assert rules.objection(position, known["move"]) is None
                step = rules.apply(position, known["move"])
            assert list(step.facts) == known["facts"]
            position = step.position
        assert ending(game, position).items() <= match.items()


@every_version
def test_a_golden_match_folds_from_its_facts(game: Game) -> None:
    """Replaying with the recorded facts ends at what anybody may see of the last position."""
    rules = game.rules
    for match in golden(game):
        position = rules.setup(rules.ruleset(match["ruleset"]))
        for known in match["steps"]:
            facts = tuple(known["facts"])
            if "withdraw" in known:
                position = rules.withdraw(position, known["withdraw"], facts).position
            elif "deal" in known:
                position = rules.deal(position, None, facts).position
            else:
                position = rules.apply(position, known["move"], facts).position
        end = rules.view(game.notation.parse_position(match["position"]), None)
        assert rules.view(position, None) == end
