"""The laws of what is hidden and of chance, over every registered game and seeded ruleset.

Games without either hold them as well: there everybody sees everything. No game is named here.
"""

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
import pytest

from services.games.contract import SEATS, Deal, Game, Over, Step
from services.games.registry import REGISTRY
from tests.kit.playouts import Dice, chooser, seeded_rulesets

every_ruleset = pytest.mark.parametrize(
    ("game", "data"),
    [
        pytest.param(game, data, id=f"{game.rules.slug}-{game.rules.version}-{name}")
        for game in REGISTRY.versions()
        for name, data in seeded_rulesets(game.rules.slug).items()
    ],
)


class Event(msgspec.Struct, frozen=True):
    """A deal (no move) or a move: the position before it and what came of it."""

    before: Any
    move: str
    step: Step


def events(game: Game, data: dict[str, Any]) -> tuple[Event, ...]:
    """A match from its first position on, deals included."""
    return _events(game, tuple(data.items()))


@cache
def _events(game: Game, data: tuple[tuple[str, Any], ...]) -> tuple[Event, ...]:
    return tuple(_played(game, dict(data)))


def _played(game: Game, data: dict[str, Any]) -> Iterator[Event]:
    rules, dice, choose = game.rules, Dice(6), chooser(game.rules.slug)
    position = rules.setup(rules.ruleset(data))
    while not isinstance(awaited := rules.awaiting(position), Over):
        if isinstance(awaited, Deal):
            event = Event(position, "", rules.deal(position, dice))
        else:
            move = choose(position, rules.moves(position).texts, dice)
            event = Event(position, move, rules.apply(position, move))
        yield event
        position = event.step.position


def folded(game: Game, position: Any, event: Event) -> Any:
    """The position after an event, by its recorded public facts alone."""
    if event.move:
        return game.rules.apply(position, event.move, event.step.facts).position
    return game.rules.deal(position, None, event.step.facts).position


@every_ruleset
def test_everybody_can_follow_by_public_facts_alone(game: Game, data: dict[str, Any]) -> None:
    """Folding what is public comes to what anybody may see of the server's position."""
    public = game.rules.view(events(game, data)[0].before, None)
    for event in events(game, data):
        public = folded(game, public, event)
        assert public == game.rules.view(event.step.position, None)


@every_ruleset
def test_leaving_play_can_be_followed_in_public(game: Game, data: dict[str, Any]) -> None:
    """A seat that gives up shows nothing that the facts do not tell."""
    played = events(game, data)
    for event in played[:: max(1, len(played) // 8)]:
        public = game.rules.view(event.before, None)
        for seat in SEATS[: game.rules.terms(game.rules.ruleset(data)).seats]:
            step = game.rules.withdraw(event.before, seat)
            after = game.rules.withdraw(public, seat, step.facts).position
            assert after == game.rules.view(step.position, None)


@every_ruleset
def test_chance_is_used_where_it_is_announced(game: Game, data: dict[str, Any]) -> None:
    """Deals are numbered from 1 on; the same chance deals the same, other chance differs."""
    rules, dealt = game.rules, [e for e in events(game, data) if not e.move]
    assert bool(dealt) <= rules.terms(rules.ruleset(data)).chance
    for number, event in enumerate(dealt, start=1):
        assert rules.awaiting(event.before) == Deal(number)
        assert rules.deal(event.before, Dice(8)) == rules.deal(event.before, Dice(8))
        others = {
            game.notation.format_position(rules.deal(event.before, Dice(n)).position)
            for n in range(12)
        }
        assert len(others) > 1


@every_ruleset
def test_the_seat_to_move_sees_all_its_moves(game: Game, data: dict[str, Any]) -> None:
    """What a seat may see is enough to list, judge and type its moves."""
    played = [event for event in events(game, data) if event.move]
    for event in played[:: max(1, len(played) // 12)]:
        seat = game.rules.awaiting(event.before)
        assert isinstance(seat, str)
        view = game.rules.view(event.before, seat)
        assert game.rules.moves(view) == game.rules.moves(event.before)
        assert game.rules.objection(view, event.move) is None
        assert game.rules.steps(view, "") == game.rules.steps(event.before, "")


@every_ruleset
def test_a_view_does_not_depend_on_what_it_hides(game: Game, data: dict[str, Any]) -> None:
    """Two positions that look alike to a seat draw, read and list alike for it."""
    played = events(game, data)
    for event in played[:: max(1, len(played) // 6)]:
        for seat in (*SEATS[: game.rules.terms(game.rules.ruleset(data)).seats], None):
            view = game.rules.view(event.before, seat)
            for seed in (1, 2):
                other = game.rules.imagine(view, Dice(seed))
                assert game.rules.census(other) == game.rules.census(event.before)
                again = game.rules.view(other, seat)
                assert game.notation.format_position(again) == game.notation.format_position(view)
                assert game.drawing.text(again, seat) == game.drawing.text(view, seat)
                assert game.drawing.picture(again, seat) == game.drawing.picture(view, seat)


@every_ruleset
def test_a_view_is_a_line_of_text_and_back(game: Game, data: dict[str, Any]) -> None:
    """Jobs and pages carry views as texts: hidden things keep their blanks."""
    played = events(game, data)
    for event in played[:: max(1, len(played) // 12)]:
        for seat in (*SEATS[: game.rules.terms(game.rules.ruleset(data)).seats], None):
            view = game.rules.view(event.step.position, seat)
            text = game.notation.format_position(view)
            assert game.notation.parse_position(text) == view
