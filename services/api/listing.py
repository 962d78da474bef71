"""Lists of matches: the projection says which, the fold says how they stand."""

from typing import Annotated

from litestar.params import QueryParameter

from services.api.callers import Caller
from services.api.messages import UNREADABLE, MatchLine, MatchPage
from services.api.problems import UNREADABLE_RECORD
from services.api.seen import seats_of, seen_by
from services.match.views import view_of
from services.projections.match_list import Listed, listed

POSITION_MAX = 2**63 - 1
"""The largest position a store can count to."""
Before = Annotated[int, QueryParameter(ge=0, le=POSITION_MAX)]
"""Goes on a list: the ``next`` of its last page."""


def matches_for(
    caller: Caller,
    *,
    mine: bool = False,
    game: str = "",
    status: str = "",
    before: int = 0,
    limit: int = 50,
) -> MatchPage:
    """Public matches and the caller's own, newest first; ``mine`` leaves only the latter."""
    player = caller.player if mine else caller.player_or_none or ""
    rows = caller.services.store.read(
        lambda connection: listed(
            connection,
            player=player,
            mine=mine,
            game=game,
            status=status,
            before=before,
            limit=limit + 1,
        )
    )
    lines = tuple(line for row in rows[:limit] if (line := _line(caller, row)))
    people = {seat.player for line in lines for seat in line.seats if seat.player}
    return MatchPage(
        matches=lines,
        names=caller.services.players.names(people),
        next=rows[limit - 1].position if len(rows) > limit else 0,
    )


def _line(caller: Caller, row: Listed) -> MatchLine | None:
    try:
        state = caller.services.handler.load(row.match)
    except UNREADABLE_RECORD:
        return _unreadable(caller, row)
    if state is None:
        return None
    seen = seen_by(caller, state, seats_of(state, caller))
    view = view_of(seen.state, seen.eyes)
    return MatchLine(
        match=row.match,
        game=view.game,
        title=view.title,
        ruleset=view.ruleset,
        imported=view.imported,
        status=view.status,
        visibility=view.visibility,
        version=view.version,
        turn=view.turn,
        ply=view.ply,
        to_move=view.to_move,
        deadline_at=view.deadline_at,
        seats=view.seats,
        you=seen.you,
        waiting_for=view.waiting_for,
        offers=view.offers,
        points=view.points,
        winners=view.winners,
        how=view.how,
    )


def _unreadable(caller: Caller, row: Listed) -> MatchLine:
    """What the projection knows of a match whose record cannot be folded."""
    games = caller.services.games
    return MatchLine(
        match=row.match,
        game=row.game,
        title=games.game(row.game).title if row.game in games.slugs() else row.game,
        ruleset={},
        imported=False,
        status=UNREADABLE,
        visibility=row.visibility,
        version=0,
        turn=0,
        ply=0,
        to_move="",
        deadline_at=0,
        seats=(),
        you=(),
        waiting_for=(),
        offers=(),
        points={},
        winners=(),
        how="",
    )
