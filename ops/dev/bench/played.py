"""Matches to measure with: a demo game, seeded random playouts, and the appends they lead to."""

import random
from collections.abc import Iterator, Sequence
from itertools import count, cycle
from pathlib import Path

from events.log import Answer, Append, CommandId, EventLog, Namespace
from events.wrapped_log import WrappedLog
from services.formats.judge import Judged, judge
from services.games.contract import Over
from services.games.registry import REGISTRY
from services.match.commands import (
    CreateMatch,
    ImportMatch,
    MatchCommand,
    PlayMove,
    StartMatch,
    TakeSeat,
)
from services.match.handler import Answer as Handled
from services.match.handler import Done, Handler
from services.match.imports import digest_of, match_id_of
from services.match.state import MatchState

DEMO = Path(__file__).parents[3] / "seeds/blokus/matches/duo-engine-level-4.record"
GAME = "blokus"
VARIANTS = ("classic", "classic-2", "classic-3", "duo")
HOST = "player:p-aaaaaaaaaaaaaaaa"
DAY_SECONDS = 86_400


def demo_game() -> ImportMatch:
    """A demo match as a command."""
    judged = judge(DEMO.read_bytes(), DEMO.name)[0]
    assert isinstance(judged, Judged)
    return judged.command


def playouts(variants: Sequence[str] = VARIANTS) -> Iterator[ImportMatch]:
    """Random games without end, of these variants in turn; always the same ones."""
    for seed, variant in zip(count(), cycle(variants), strict=False):
        yield playout(variant, seed)


def playout(variant: str, seed: int) -> ImportMatch:
    """A random game to its end."""
    rules = REGISTRY.game(GAME).rules
    dice = random.Random(seed)  # noqa: S311 - games to measure with, nothing to keep secret
    ruleset = rules.ruleset({"variant": variant})
    position, moves = rules.setup(ruleset), list[str]()
    while not isinstance(rules.awaiting(position), Over):
        moves.append(dice.choice(rules.moves(position).texts))
        position = rules.apply(position, moves[-1]).position
    return ImportMatch(GAME, rules.ruleset_data(ruleset), tuple(moves))


def bring_in(handler: Handler, game: ImportMatch, received_at: int) -> str:
    """Import a game; its match."""
    match = match_id_of(digest_of(game.game, game.ruleset, game.moves))
    answer = handler.handle(match, game, actor="file", command_id=None, received_at=received_at)
    return _done(answer).match


def play(handler: Handler, game: ImportMatch, received_at: int) -> str:
    """Play a game by people who have a day for each move, a command id each; its match."""
    ids = (CommandId(Namespace.OUTSIDE, f"{number:032x}") for number in count(1))

    def do(actor: str, command: MatchCommand, match: str) -> MatchState:
        return _done(
            handler.handle(
                match, command, actor=actor, command_id=next(ids), received_at=received_at
            )
        )

    opening = CreateMatch(game.game, game.ruleset, per_move_s=DAY_SECONDS)
    state = _done(handler.create(opening, actor=HOST, command_id=None, received_at=received_at))
    for seat in state.seat_names():
        player = f"p-{seat.lower() * 16}"
        state = do(f"player:{player}", TakeSeat(seat, player), state.match)
    state = do(HOST, StartMatch(), state.match)
    for move in game.moves:
        seat = state.to_move() or ""
        actor = f"player:p-{seat.lower() * 16}"
        state = do(actor, PlayMove(seat, move, state.turn), state.match)
    return state.match


def _done(answer: Handled) -> MatchState:
    assert isinstance(answer, Done), answer
    return answer.state


class NotedLog(WrappedLog):
    """A log that remembers what was appended to it."""

    def __init__(self, inner: EventLog) -> None:
        super().__init__(inner)
        self.appends: list[Append] = []

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Hand the batch on, and keep it."""
        self.appends += batch
        return super().append(batch)
