"""Games between levels, from one seed each: the same seed, the same game, on every machine."""

from collections.abc import Callable, Mapping
from typing import Any

from services.games import registry
from services.games.contract import Deal, Game, Outcome, Over, Seat
from services.levels import Levels
from tests.kit import playouts
from workers.engines.contract import Question
from workers.engines.dice import Dice
from workers.engines.registry import think

LEVELS = Levels.load()
RANDOM = 0
"""The level of a player who draws among the legal moves, as the game's random matches do."""

Watch = Callable[[Question, str], None]
"""Told every engine's question and move."""


def question(game: Game, position: object, ruleset: object, level: int, seed: int) -> Question:
    """What the level's engine is asked in this position."""
    spec, seat = LEVELS.spec(game.rules.slug, level), game.rules.awaiting(position)
    assert spec is not None
    assert isinstance(seat, str)
    return Question(
        game=game.rules.slug,
        rules_version=game.rules.version,
        ruleset=game.rules.ruleset_data(ruleset),
        view=game.notation.format_position(game.rules.view(position, seat)),
        seat=seat,
        seed=seed,
        engine=spec.engine,
        engine_version=spec.engine_version,
        level=level,
        budget=spec.budget,
        noise=spec.noise,
    )


def play_match(
    slug: str,
    options: Mapping[str, Any],
    levels: Mapping[Seat, int],
    seed: int,
    watch: Watch = lambda _question, _move: None,
) -> Outcome:
    """One match between levels; ``watch`` sees it. The same seed deals the same tiles."""
    game, dice, deals = registry.game(slug), Dice(seed), Dice(~seed)
    ruleset = game.rules.ruleset(options)
    position = game.rules.setup(ruleset)
    while not isinstance(seat := game.rules.awaiting(position), Over):
        if isinstance(seat, Deal):
            position = game.rules.deal(position, deals).position
            continue
        draw = dice.draw64()
        if levels[seat] == RANDOM:
            choose, listed = playouts.chooser(slug), game.rules.moves(position).texts
            move = choose(position, listed, playouts.Dice(draw))
        else:
            asked = question(game, position, ruleset, levels[seat], draw)
            move = think(asked).move
            watch(asked, move)
        position = game.rules.apply(position, move).position
    outcome = game.rules.outcome(position)
    assert outcome is not None
    return outcome


def lead(slug: str, options: Mapping[str, Any], level: int, against: int, pairs: int) -> list[int]:
    """Points ahead of a level in pairs of matches of two, played once from either seat."""
    leads = []
    for seed in range(pairs):
        first = play_match(slug, options, {"A": level, "B": against}, seed).points
        second = play_match(slug, options, {"A": against, "B": level}, seed).points
        leads.append(first["A"] - first["B"] + second["B"] - second["A"])
    return leads


def play(
    variant: str,
    levels: Mapping[Seat, int],
    seed: int,
    watch: Watch = lambda _question, _move: None,
) -> Outcome:
    """One game of Blokus between levels; ``watch`` is told every engine's question and move."""
    return play_match("blokus", {"variant": variant}, levels, seed, watch)


def seats_of(variant: str) -> str:
    """The seats of a variant, as a word."""
    rules = registry.game("blokus").rules
    return "ABCD"[: rules.terms(rules.ruleset({"variant": variant})).seats]


def contest(variant: str, level: int, against: int, games: int) -> tuple[int, int]:
    """Games won alone, and points ahead of the others' mean in all, of one seat in turn."""
    seats = seats_of(variant)
    won = ahead = 0
    for seed in range(games):
        me = seats[seed % len(seats)]
        outcome = play(variant, {seat: level if seat == me else against for seat in seats}, seed)
        others = [outcome.points[seat] for seat in seats if seat != me]
        won += outcome.winners == (me,)
        ahead += outcome.points[me] - sum(others) // len(others)
    return won, ahead
