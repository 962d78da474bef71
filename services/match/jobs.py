"""The job of a computer's turn: everything an engine may know, and nothing else."""

from typing import Any

import msgspec

from services.games.contract import Seat
from services.match import shuffle
from services.match.state import MatchState


class AiJob(msgspec.Struct, frozen=True):
    """What a computer seat is asked: its view as text, and the seed of its choices.

    ``turn`` is the number of turns before the move. ``seed`` (64 bits) follows from the secret
    match key, so nobody can run the engine first and foretell the answer. The job never holds
    more than the seat may see.
    """

    match: str
    turn: int
    seat: Seat
    level: int
    game: str
    rules_version: int
    ruleset: dict[str, Any]
    view: str
    seed: int

    def __repr__(self) -> str:
        return f"AiJob({self.match} turn {self.turn}, {self.game}, seat {self.seat})"  # no seed


def ai_job(state: MatchState) -> AiJob | None:
    """The job of the server's fold if it waits for a computer, else None."""
    seat = state.to_move()
    holder = None if seat is None else state.holder(seat)
    if seat is None or holder is None or not holder.level:
        return None
    return job_for(state, seat, holder.level)


def job_for(state: MatchState, seat: Seat, level: int) -> AiJob:
    """The job of a seat in this position, whoever holds it (audits run turns again)."""
    game = state.the_game
    return AiJob(
        match=state.match,
        turn=state.turn,
        seat=seat,
        level=level,
        game=game.rules.slug,
        rules_version=game.rules.version,
        ruleset=game.rules.ruleset_data(state.ruleset),
        view=game.notation.format_position(game.rules.view(state.position, seat)),
        seed=shuffle.engine_seed(state.match_key(), state.turn + 1),
    )
