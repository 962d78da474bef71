"""Leaving for good: nobody is left waiting for a player who is erased.

Every step is a command of that player through the one door, and the erasure comes last: whatever
stops half way is finished by asking again.
"""

from collections.abc import Iterator, Sequence

from sqlalchemy import Connection

from events.checkpoints import checkpoint_of
from events.log import PAGE_EVENTS
from services.api.callers import Caller
from services.api.problems import UNREADABLE_RECORD, Problem, refused
from services.api.seen import seats_of
from services.match.commands import CancelMatch, LeaveSeat, MatchCommand, Resign
from services.match.refusals import Refusal
from services.match.state import MatchState
from services.projections.match_list import LISTED_MAX, MATCH_LIST, Listed, listed
from services.projections.standings import STANDINGS

STEPS_MAX = 500
"""Resignations and the like of one request; whoever has more asks again."""
TAIL_PAGES_MAX = 10
"""Pages of events that the lists may be behind; further back they are waited for."""
_GOES_ON = {"Retry-After": "1"}


def leave_for_good(caller: Caller) -> None:
    """Give up what still runs, free what has not begun, take invitations back; then erase."""
    steps = STEPS_MAX
    for match in _matches_of(caller):
        steps -= _leave(caller, match, steps)
    caller.services.players.erase(caller.player)


def _matches_of(caller: Caller) -> Iterator[str]:
    """Every match that may hold the player and has not ended, as far as the lists and log tell."""
    yield from _not_listed_yet(caller)
    for status in ("open", "running"):
        before = 0
        while page := _listed(caller, status, before):
            yield from (row.match for row in page)
            before = page[-1].position


def _listed(caller: Caller, status: str, before: int) -> Sequence[Listed]:
    return caller.services.store.read(
        lambda connection: listed(
            connection,
            player=caller.player,
            mine=True,
            status=status,
            before=before,
            limit=LISTED_MAX,
        )
    )


def _not_listed_yet(caller: Caller) -> tuple[str, ...]:
    """The matches of the events that the lists have still to catch up with."""
    log, matches = caller.services.log, set[str]()
    after = caller.services.store.read(_lists_at)
    for _ in range(TAIL_PAGES_MAX):
        page = log.read_all(after)
        matches |= {event.stream for event in page if event.stream.startswith("match/")}
        if len(page) < PAGE_EVENTS:
            return tuple(sorted(stream.removeprefix("match/") for stream in matches))
        after = page[-1].position
    sentence = "The lists of matches are far behind just now; ask again in a moment."
    raise Problem(503, "lists-behind", sentence, headers=_GOES_ON)


def _lists_at(connection: Connection) -> int:
    return min(checkpoint_of(connection, p.name).position for p in (MATCH_LIST, STANDINGS))


def _leave(caller: Caller, match: str, steps_max: int) -> int:
    """Take one match's steps; how many they were. A match that cannot be read has none."""
    services, steps = caller.services, 0
    try:
        while (state := services.handler.load(match)) and (command := _next(state, caller)):
            if steps == steps_max:
                sentence = f"{STEPS_MAX} seats are given up; ask again to go on."
                raise Problem(503, "leaving-goes-on", sentence, headers=_GOES_ON)
            if state.status == "open":
                services.invites.void(match)
            answer = services.handler.handle(
                match,
                command,
                actor=caller.actor,
                command_id=None,
                received_at=caller.received_at,
            )
            steps += 1
            # The match may have gone on meanwhile: then the next step is another one.
            if isinstance(answer, Refusal) and answer.code == "busy":
                raise refused(answer)
    except UNREADABLE_RECORD:
        return steps
    return steps


def _next(state: MatchState, caller: Caller) -> MatchCommand | None:
    """The player's next step out of a match, if there is one.

    A host who is alone, or can no longer leave their seat, calls an open match off.
    """
    mine = seats_of(state, caller)
    if state.status == "running":
        staying = [seat for seat in mine if seat not in state.out]
        return Resign(seat=staying[0]) if staying else None
    if state.status != "open":
        return None
    fixed = {*state.entropy, *state.sealed}
    others = {*state.people()} - {*mine}
    if state.host == caller.actor and (not others or fixed & {*mine}):
        return CancelMatch()
    leaving = [seat for seat in mine if seat not in fixed]
    return LeaveSeat(seat=leaving[0]) if leaving else None
