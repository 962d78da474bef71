"""Games between levels, from one seed each: the same seed, the same game, on every machine."""

from collections.abc import Callable, Mapping

from services.games import registry
from services.games.contract import Game, Outcome, Seat
from services.levels import Levels
from workers.engines.contract import Question
from workers.engines.dice import Dice
from workers.engines.registry import think

LEVELS = Levels.load()
RANDOM = 0
"""The level of a player who draws among the legal moves."""


def question(game: Game, position: object, ruleset: object, level: int, seed: int) -> Question:
    """What the level's engine is asked in this position."""
    spec = LEVELS.spec(game.rules.slug, level)
    assert spec is not None
    return Question(
        game=game.rules.slug,
        rules_version=game.rules.version,
        ruleset=game.rules.ruleset_data(ruleset),
        view=game.notation.format_position(position),
        seat=str(game.rules.awaiting(position)),
        seed=seed,
        engine=spec.engine,
        engine_version=spec.engine_version,
        level=level,
        budget=spec.budget,
        noise=spec.noise,
    )


def play(
    variant: str,
    levels: Mapping[Seat, int],
    seed: int,
    watch: Callable[[Question, str], None] = lambda _question, _move: None,
) -> Outcome:
    """One game of Blokus between levels; ``watch`` is told every engine's question and move."""
    game, dice = registry.game("blokus"), Dice(seed)
    ruleset = game.rules.ruleset({"variant": variant})
    position = game.rules.setup(ruleset)
    while isinstance(seat := game.rules.awaiting(position), str):
        draw = dice.draw64()
        if levels[seat] == RANDOM:
            moves = game.rules.moves(position).texts
            move = moves[Dice(draw).below(len(moves))]
        else:
            asked = question(game, position, ruleset, levels[seat], draw)
            move = think(asked).move
            watch(asked, move)
        position = game.rules.apply(position, move).position
    outcome = game.rules.outcome(position)
    assert outcome is not None
    return outcome


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
