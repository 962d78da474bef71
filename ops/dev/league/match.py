"""One game from one seed: the same seed, the same deal and dice, on every machine."""

from collections.abc import Mapping
from time import process_time
from typing import Any, Protocol

import msgspec

from services.games.contract import Deal, Game, Outcome, Over, Seat
from services.levels import LevelSpec
from workers.engines.contract import Question
from workers.engines.dice import Dice


class Turn(msgspec.Struct, frozen=True):
    """What a player is asked: a full position, whose move it is, and 64 bits of chance."""

    game: Game
    ruleset: Any
    position: Any
    seat: Seat
    seed: int

    def question(self, spec: LevelSpec) -> Question:
        """The same as an engine is asked it: the seat's view in texts, and how hard to try."""
        rules = self.game.rules
        return Question(
            game=rules.slug,
            rules_version=rules.version,
            ruleset=rules.ruleset_data(self.ruleset),
            view=self.game.notation.format_position(rules.view(self.position, self.seat)),
            seat=self.seat,
            seed=self.seed,
            engine=spec.engine,
            engine_version=spec.engine_version,
            level=spec.level,
            budget=spec.budget,
            noise=spec.noise,
        )


class Player(Protocol):
    """Somebody who answers a turn with a move text."""

    def move(self, turn: Turn) -> str:
        """The move to play."""
        ...

    def cpu_seconds(self) -> float:
        """Computing time so far, wherever it is spent."""
        ...


class InProcess:
    """A player that thinks in this process: its computing time is ours."""

    def cpu_seconds(self) -> float:
        """What this process has used."""
        return process_time()


class Played(msgspec.Struct, frozen=True):
    """A game that ended: its outcome, and by seat the moves made and the computing time."""

    outcome: Outcome
    moves: Mapping[Seat, int]
    cpu_ms: Mapping[Seat, float]


class IllegalMove(RuntimeError):
    """A player answered what the rules refuse: the league has nothing to count then."""


def play_match(
    game: Game, options: Mapping[str, Any], players: Mapping[Seat, Player], seed: int
) -> Played:
    """One game to its end; ``IllegalMove`` names the seat and the reason."""
    rules, dice, deals = game.rules, Dice(seed), Dice(~seed)
    ruleset = rules.ruleset(options)
    position = rules.setup(ruleset)
    moves, spent = dict.fromkeys(players, 0), dict.fromkeys(players, 0.0)
    while not isinstance(seat := rules.awaiting(position), Over):
        if isinstance(seat, Deal):
            position = rules.deal(position, deals).position
            continue
        player, turn = players[seat], Turn(game, ruleset, position, seat, dice.draw64())
        begun = player.cpu_seconds()
        move = player.move(turn)
        spent[seat] += 1_000 * (player.cpu_seconds() - begun)
        moves[seat] += 1
        if objection := rules.objection(position, move):
            raise IllegalMove(f"{rules.slug}: seat {seat} played {move!r}: {objection.sentence}")
        position = rules.apply(position, move).position
    outcome = rules.outcome(position)
    assert outcome is not None, "play that is over has an outcome"
    return Played(outcome, moves, spent)
