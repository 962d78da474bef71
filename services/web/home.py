"""The front page: the matches that wait for the visitor, the visitor's others, the public ones."""

from typing import Any

from litestar import Response, get
from litestar.di import NamedDependency

from services.api.callers import Caller
from services.api.listing import Before, matches_for
from services.api.messages import MatchLine, MatchPage
from services.web.render import page
from services.web.rulesets import way_words
from services.web.visitor import record_names, shell
from services.web.words import (
    iso_time,
    offer_words,
    seat_words,
    seats_asked,
    status_words,
    time_words,
)

LISTED = 24


@get("/", sync_to_thread=True)
def home(caller: NamedDependency[Caller], before: Before = 0) -> Response[str]:
    """What waits for the visitor on top, then their other matches; then the public ones."""
    mine = MatchPage((), {}, 0)
    if caller.player_or_none and not before:
        mine = matches_for(caller, mine=True, limit=LISTED)
    everybody = matches_for(caller, before=before, limit=LISTED)
    others = [line for line in everybody.matches if line not in mine.matches]
    urgent = [line for line in mine.matches if _waits_for(line)]
    rest = [line for line in mine.matches if line not in urgent]
    groups = (
        ("Waiting for you", _cards(caller, urgent, mine)),
        ("Your matches", _cards(caller, rest, mine)),
        ("Open to everybody" if not before else "Earlier", _cards(caller, others, everybody)),
    )
    return page("home.html", **shell(caller), groups=groups, older=everybody.next)


def _waits_for(line: MatchLine) -> bool:
    """Whether the visitor has a move to make, an offer to answer, or something to hand in."""
    asked = any(seats_asked(offer, line.seats, line.you) for offer in line.offers)
    return line.to_move in line.you or asked or bool({*line.you} & {*line.waiting_for})


def _cards(caller: Caller, lines: list[MatchLine], of: MatchPage) -> list[dict[str, Any]]:
    return [_card(caller, line, of) for line in lines]


def _card(caller: Caller, line: MatchLine, of: MatchPage) -> dict[str, Any]:
    record = record_names(caller, line)
    return {
        "match": line.match,
        "version": line.version,
        "title": line.title,
        "way": way_words(caller.services, line.game, line.ruleset),
        "seats": [seat_words(seat, of.names, line.you, record) for seat in line.seats],
        "status": status_words(line, of.names, line.you, record),
        "offers": [offer_words(offer, line.you) for offer in line.offers],
        "deadline": iso_time(line.deadline_at) if line.deadline_at else "",
        "deadline_words": time_words(line.deadline_at),
    }


ROUTES = [home]
