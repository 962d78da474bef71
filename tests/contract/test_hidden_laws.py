"""The laws of what is hidden and of chance, over every registered game and seeded ruleset.

Games without either hold them as well: there everybody sees everything. No game is named here.
"""

from functools import cache
from typing import Any

import pytest

from services.games.contract import SEATS, Deal, Game
from services.games.registry import REGISTRY
from tests.kit.match_laws import everybody_can_follow
from tests.kit.playouts import Dice, Turn, seeded_rulesets, with_deals

every_ruleset = pytest.mark.parametrize(
    ("game", "data"),
    [
        pytest.param(game, data, id=f"{game.rules.slug}-{game.rules.version}-{name}")
        for game in REGISTRY.versions()
        for name, data in seeded_rulesets(game.rules.slug).items()
    ],
)


def turns(game: Game, data: dict[str, Any]) -> tuple[Turn, ...]:
    """A match from its first position on, deals included."""
    return _turns(game, tuple(data.items()))


@cache
def _turns(game: Game, data: tuple[tuple[str, Any], ...]) -> tuple[Turn, ...]:
    return tuple(with_deals(game, game.rules.setup(game.rules.ruleset(dict(data))), Dice(6)))


@every_ruleset
def test_everybody_can_follow_by_public_facts_alone(game: Game, data: dict[str, Any]) -> None:
    """Folding what is public comes to what anybody may see of the server's position."""
    everybody_can_follow(game, turns(game, data))


@every_ruleset
def test_leaving_play_can_be_followed_in_public(game: Game, data: dict[str, Any]) -> None:
    """A seat that gives up shows nothing that the facts do not tell."""
    played = turns(game, data)
    for turn in played[:: max(1, len(played) // 8)]:
        public = game.rules.view(turn.position, None)
        for seat in SEATS[: game.rules.terms(game.rules.ruleset(data)).seats]:
            step = game.rules.withdraw(turn.position, seat)
            after = game.rules.withdraw(public, seat, step.facts).position
            assert after == game.rules.view(step.position, None)


@every_ruleset
def test_chance_is_used_where_it_is_announced(game: Game, data: dict[str, Any]) -> None:
    """Deals are numbered from 1 on; the same chance deals the same, other chance differs."""
    rules, dealt = game.rules, [e for e in turns(game, data) if not e.move]
    assert bool(dealt) <= rules.terms(rules.ruleset(data)).chance
    for number, turn in enumerate(dealt, start=1):
        assert rules.awaiting(turn.position) == Deal(number)
        assert rules.deal(turn.position, Dice(8)) == rules.deal(turn.position, Dice(8))
        others = {
            game.notation.format_position(rules.deal(turn.position, Dice(n)).position)
            for n in range(12)
        }
        assert len(others) > 1


@every_ruleset
def test_the_seat_to_move_sees_all_its_moves(game: Game, data: dict[str, Any]) -> None:
    """What a seat may see is enough to list, judge and type its moves."""
    played = [turn for turn in turns(game, data) if turn.move]
    for turn in played[:: max(1, len(played) // 12)]:
        seat = game.rules.awaiting(turn.position)
        assert isinstance(seat, str)
        view = game.rules.view(turn.position, seat)
        assert game.rules.moves(view) == game.rules.moves(turn.position)
        assert game.rules.objection(view, turn.move) is None
        assert game.rules.steps(view, "") == game.rules.steps(turn.position, "")


@every_ruleset
def test_a_view_does_not_depend_on_what_it_hides(game: Game, data: dict[str, Any]) -> None:
    """Two positions that look alike to a seat draw, read and list alike for it."""
    played = turns(game, data)
    for turn in played[:: max(1, len(played) // 6)]:
        for seat in (*SEATS[: game.rules.terms(game.rules.ruleset(data)).seats], None):
            view = game.rules.view(turn.position, seat)
            for seed in (1, 2):
                other = game.rules.imagine(view, Dice(seed))
                assert game.rules.census(other) == game.rules.census(turn.position)
                again = game.rules.view(other, seat)
                assert game.notation.format_position(again) == game.notation.format_position(view)
                assert game.drawing.text(again, seat) == game.drawing.text(view, seat)
                assert game.drawing.picture(again, seat) == game.drawing.picture(view, seat)


@every_ruleset
def test_a_view_is_a_line_of_text_and_back(game: Game, data: dict[str, Any]) -> None:
    """Jobs and pages carry views as texts: hidden things keep their blanks."""
    played = turns(game, data)
    for turn in played[:: max(1, len(played) // 12)]:
        for seat in (*SEATS[: game.rules.terms(game.rules.ruleset(data)).seats], None):
            view = game.rules.view(turn.step.position, seat)
            text = game.notation.format_position(view)
            assert game.notation.parse_position(text) == view
