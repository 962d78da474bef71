"""How a match ends: the rules' outcome, or the one the players agreed on, as an event."""

from collections.abc import Mapping

from events.event_kinds import MatchEnded
from services.games.contract import Seat
from services.match.state import MatchState


def result_by_rules(state: MatchState, how: str) -> MatchEnded:
    """The end of a match whose rules say that play is over."""
    outcome = state.the_game.rules.outcome(state.position)
    if outcome is None:
        raise ValueError("the rules do not say that play is over")
    return ending(state, how, outcome.points, outcome.winners, outcome.parts)


def result_as_it_stands(state: MatchState, how: str, winners: tuple[Seat, ...]) -> MatchEnded:
    """The end of a match that stops early: points as they stand, winners as agreed."""
    standing = state.the_game.rules.standing(state.position)
    return ending(state, how, standing.points, winners, standing.parts)


def ending(
    state: MatchState,
    how: str,
    points: Mapping[Seat, int],
    winners: tuple[Seat, ...],
    parts: Mapping[str, int] | None = None,
) -> MatchEnded:
    """The last event; it opens the seed, however the match ended (fair shuffle §2, step 8)."""
    return MatchEnded(
        how=how,
        points=dict(points),
        winners=winners,
        parts=dict(parts or {}),
        server_seed=state.secret.seed.hex() if state.secret and state.seed_commit else "",
    )
