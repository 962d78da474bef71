"""Controls of the law suite: a game that breaks a law is seen to break it."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from services.games.contract import Facts, Game, Objection, Step
from services.games.registry import REGISTRY
from tests.contract import test_game_laws as laws
from tests.kit.playouts import seeded_rulesets

Law = Callable[[Game, dict[str, Any]], None]


class Changed:
    """Something with some of its parts exchanged."""

    def __init__(self, original: Any, **parts: Any) -> None:
        self._original = original
        vars(self).update(parts)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def refusing_what_it_lists(game: Game) -> Game:
    """Objects to every move."""
    no = Objection("no", "No.")
    return replace(game, rules=Changed(game.rules, objection=lambda _position, _move: no))


def folding_carelessly(game: Game) -> Game:
    """Drops the facts it is given, and derives them only when it judges."""

    def apply(position: Any, move: str, recorded: Facts | None = None) -> Step:
        step = game.rules.apply(position, move)
        return step if recorded is None else Step(step.position)

    return replace(game, rules=Changed(game.rules, apply=apply))


def losing_material(game: Game) -> Game:
    """Loses a piece at every move."""
    counts = iter(range(10_000))
    return replace(game, rules=Changed(game.rules, census=lambda _: {"pieces": next(counts)}))


def writing_too_little(game: Game) -> Game:
    """Writes every position as the first one."""
    start = game.rules.setup(game.rules.ruleset({}))
    line = game.notation.format_position(start)
    return replace(game, notation=Changed(game.notation, format_position=lambda _: line))


def letting_the_weak_win(game: Game) -> Game:
    """Lets a seat win that gave up."""

    def outcome(position: Any) -> Any:
        found = game.rules.outcome(position)
        return found and replace(found, winners=tuple(found.points))

    return replace(game, rules=Changed(game.rules, outcome=outcome))


@pytest.mark.parametrize(
    ("breach", "law"),
    [
        (refusing_what_it_lists, laws.test_a_listed_move_has_no_objection_and_any_other_has),
        (folding_carelessly, laws.test_apply_leaves_the_position_alone_and_takes_recorded_facts),
        (losing_material, laws.test_material_is_conserved),
        (writing_too_little, laws.test_a_position_is_one_line_of_text_and_back),
        (
            letting_the_weak_win,
            laws.test_a_seat_that_withdraws_is_not_awaited_again_and_does_not_win,
        ),
    ],
)
def test_a_breach_of_a_law_is_seen(breach: Callable[[Game], Game], law: Law) -> None:
    """The law that should object does; over the game as it is, it does not."""
    game = REGISTRY.games()[0]
    data = next(iter(seeded_rulesets(game.rules.slug).values()))
    law(game, data)
    with pytest.raises(AssertionError):
        law(breach(game), data)
