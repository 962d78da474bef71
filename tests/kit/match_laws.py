"""What holds in every whole match of every game, deals included; no game is named here."""

from collections.abc import Sequence

from services.games.contract import SEATS, Game
from tests.kit.playouts import Turn


def every_turn_is_derived_again(game: Game, match: Sequence[Turn]) -> None:
    """Judged anew from the first position on, moves lead to the same facts and the same end.

    Folding with the recorded facts comes to the same as deriving them.
    """
    rules, position = game.rules, match[0].position
    for turn in match:
        step = turn.step
        if turn.move:
            assert rules.objection(position, turn.move) is None
            step = rules.apply(position, turn.move)
            assert step == turn.step
            assert rules.apply(position, turn.move, step.facts) == step
        position = step.position
    end = game.notation.format_position(position)
    assert end == game.notation.format_position(match[-1].step.position)
    assert game.notation.parse_position(end) == position


def everybody_can_follow(game: Game, match: Sequence[Turn]) -> None:
    """Folding what is public comes to what anybody may see of the server's position."""
    rules, public = game.rules, game.rules.view(match[0].position, None)
    for turn in match:
        if turn.move:
            public = rules.apply(public, turn.move, turn.step.facts).position
        else:
            public = rules.deal(public, None, turn.step.facts).position
        assert public == rules.view(turn.step.position, None)


def material_is_conserved(game: Game, match: Sequence[Turn]) -> None:
    """The census of the first position holds in every other."""
    census = game.rules.census(match[0].position)
    assert census
    assert all(game.rules.census(turn.step.position) == census for turn in match)


def it_ends_in_time_and_only_then(game: Game, match: Sequence[Turn]) -> None:
    """No more plies than the terms say; an outcome for every seat at the end, none before."""
    rules, end = game.rules, match[-1].step.position
    terms = rules.terms(end.ruleset)
    assert sum(1 for turn in match if turn.move) <= terms.plies_max
    assert all(rules.outcome(turn.position) is None for turn in match)
    outcome = rules.outcome(end)
    assert outcome is not None
    assert outcome == rules.standing(end)
    assert tuple(outcome.points) == SEATS[: terms.seats]
    assert outcome.winners
    assert set(outcome.winners) <= set(outcome.points)


LAWS = (
    every_turn_is_derived_again,
    everybody_can_follow,
    material_is_conserved,
    it_ends_in_time_and_only_then,
)
