"""Games between levels as the league plays them, small enough for a test."""

from collections.abc import Callable, Mapping
from typing import Any

from ops.dev.league import match
from ops.dev.league.match import InProcess, Player, Turn
from ops.dev.league.sides import EnginePlayer
from services.games import registry
from services.games.contract import Game, Outcome, Seat
from services.levels import Levels
from tests.kit import playouts
from workers.engines.contract import Question

LEVELS = Levels.load()
RANDOM = 0
"""The level of a player who draws among the legal moves, as the game's random matches do."""

Watch = Callable[[Question, str], None]
"""Told every engine's question and move."""


class Watched(EnginePlayer):
    """A level that somebody looks over the shoulder of."""

    def __init__(self, slug: str, level: int, watch: Watch) -> None:
        spec = LEVELS.spec(slug, level)
        assert spec is not None
        super().__init__(spec)
        self._watch = watch

    def move(self, turn: Turn) -> str:
        """The engine's move, after it was told."""
        move = super().move(turn)
        self._watch(turn.question(self.spec), move)
        return move


class AtRandom(InProcess):
    """Level 0, by the policy of the game's random matches."""

    def move(self, turn: Turn) -> str:
        """A move drawn by the seed of the turn."""
        listed = turn.game.rules.moves(turn.position).texts
        choose = playouts.chooser(turn.game.rules.slug)
        return choose(turn.position, listed, playouts.Dice(turn.seed))


def question(game: Game, position: object, ruleset: object, level: int, seed: int) -> Question:
    """What the level's engine is asked in this position."""
    spec, seat = LEVELS.spec(game.rules.slug, level), game.rules.awaiting(position)
    assert spec is not None
    assert isinstance(seat, str)
    return Turn(game, ruleset, position, seat, seed).question(spec)


def play_match(
    slug: str,
    options: Mapping[str, Any],
    levels: Mapping[Seat, int],
    seed: int,
    watch: Watch = lambda _question, _move: None,
) -> Outcome:
    """One match between levels; ``watch`` sees it. The same seed deals the same tiles."""
    players: dict[Seat, Player] = {
        seat: AtRandom() if level == RANDOM else Watched(slug, level, watch)
        for seat, level in levels.items()
    }
    return match.play_match(registry.game(slug), options, players, seed).outcome


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
