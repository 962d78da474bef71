"""What follows from a turn by itself: rounds end, the next is dealt, the match is over.

All of it belongs to the decision that brought it about, so there is no moment in which play is
over and the match is not, or chance is due and nobody has drawn.
"""

from events.event_kinds import Dealt, Event, RoundEnded
from services.games.contract import Deal, Over
from services.match import shuffle
from services.match.folding import evolve
from services.match.results import result_by_rules
from services.match.state import MatchState


def with_consequences(state: MatchState, decided: tuple[Event, ...], how: str) -> tuple[Event, ...]:
    """The decided events and all that follows; ``how`` names the end if it comes."""
    events = list(decided)
    after = state
    for event in decided:
        after = evolve(after, event)
    while next_ones := _next(after, how):
        for event in next_ones:
            after = evolve(after, event)
        events += next_ones
    return tuple(events)


def _next(state: MatchState, how: str) -> tuple[Event, ...]:
    if state.status != "running":
        return ()
    awaited = state.the_game.rules.awaiting(state.position)
    if isinstance(awaited, Over):
        return (*_round_end(state), result_by_rules(state, how))
    if isinstance(awaited, Deal):
        return (*_round_end(state), _deal(state, awaited.number))
    return ()


def _deal(state: MatchState, number: int) -> Dealt:
    key = state.round_key(number)
    step = state.the_game.rules.deal(state.position, shuffle.Stream(key))
    return Dealt(
        turn=state.turn + 1,
        number=number,
        round_commit=shuffle.round_commit(key).hex(),
        facts=step.facts,
    )


def _round_end(state: MatchState) -> tuple[RoundEnded, ...]:
    """The key of the round that is over (fair shuffle §2, step 7); none where none was dealt."""
    if not state.rounds or state.rounds[-1].key:
        return ()
    number = state.rounds[-1].number
    return (RoundEnded(number=number, round_key=state.round_key(number).hex()),)
