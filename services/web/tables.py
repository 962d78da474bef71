"""The front page with the tables one may see, and opening a new one."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, QueryParameter, URLEncodedBody

from services.api.callers import Caller
from services.api.doing import open_match
from services.api.listing import matches_for
from services.api.messages import MatchLine, MatchPage, NewComputer, NewMatch
from services.api.problems import Problem
from services.games.contract import SEATS
from services.games.registry import REGISTRY
from services.match.commands import Visibility
from services.web.render import page
from services.web.rulesets import NamedRuleset, rulesets_of
from services.web.visitor import need_player, shell, to
from services.web.words import ruleset_words, seat_words, status_words

LISTED = 24
LEVEL_MAX = 8
_PEOPLE: dict[str, Literal["me", "open"]] = {"me": "me", "open": "open"}
Short = Annotated[str, msgspec.Meta(max_length=64)]
_DAYS = (0, 1, 2, 3, 5, 7, 14)
_DAY_S = 86_400


@get("/", sync_to_thread=True)
def home(
    caller: NamedDependency[Caller], before: Annotated[int, QueryParameter(ge=0)] = 0
) -> Response[str]:
    """The visitor's own tables first, those that wait for them on top; then the public ones."""
    mine = MatchPage((), {}, 0)
    if caller.player_or_none and not before:
        mine = matches_for(caller, mine=True, limit=LISTED)
    everybody = matches_for(caller, before=before, limit=LISTED)
    others = [line for line in everybody.matches if line not in mine.matches]
    urgent = [line for line in mine.matches if line.to_move in line.you]
    rest = [line for line in mine.matches if line not in urgent]
    groups = (
        ("Your turn", _cards(urgent, mine)),
        ("Your tables", _cards(rest, mine)),
        ("Open to everybody" if not before else "Earlier", _cards(others, everybody)),
    )
    return page("home.html", **shell(caller), groups=groups, older=everybody.next)


def _cards(lines: list[MatchLine], of: MatchPage) -> list[dict[str, Any]]:
    return [
        {
            "match": line.match,
            "version": line.version,
            "title": line.title,
            "ruleset": ruleset_words(line.ruleset),
            "seats": [seat_words(seat, of.names, line.you) for seat in line.seats],
            "status": status_words(line, of.names, line.you),
        }
        for line in lines
    ]


@get("/new", sync_to_thread=True)
def choose(caller: NamedDependency[Caller]) -> Response[str]:
    """Choose a game and a variant."""
    seeds = caller.services.seeds
    games = [(game, rulesets_of(seeds, game.rules.slug)) for game in REGISTRY.games()]
    return page("choose.html", **shell(caller), games=games)


class TableForm(msgspec.Struct):
    """The form of a new table; a seat is ``me``, ``open`` or a computer's level."""

    key: Short
    visibility: Visibility = "link"
    days: Annotated[int, msgspec.Meta(ge=0, le=90)] = 0
    seat_A: Short = "me"  # noqa: N815 - seats are capital letters everywhere
    seat_B: Short = "open"  # noqa: N815
    seat_C: Short = "open"  # noqa: N815
    seat_D: Short = "open"  # noqa: N815

    def seats(self, count: int) -> dict[str, Literal["me", "open"] | NewComputer]:
        """The seats as the API takes them."""
        fields = (self.seat_A, self.seat_B, self.seat_C, self.seat_D)[:count]
        return {seat: _holder(text) for seat, text in zip(SEATS, fields, strict=False)}


def _holder(text: str) -> Literal["me", "open"] | NewComputer:
    if text in _PEOPLE:
        return _PEOPLE[text]
    level = int(text) if text.isdecimal() else 0
    if not 1 <= level <= LEVEL_MAX:
        raise Problem(400, "bad-input", "A seat is for you, open, or for a computer's level.")
    return NewComputer(level)


@get("/new/{game:str}/{ruleset:str}", sync_to_thread=True)
def set_table(
    caller: NamedDependency[Caller], game: FromPath[str], ruleset: FromPath[str]
) -> Response[str]:
    """Who sits where, who may watch, how long a move may take."""
    need_player(caller)
    return _table_page(caller, _named(caller, game, ruleset))


@post("/new/{game:str}/{ruleset:str}", sync_to_thread=True)
def open_table(
    caller: NamedDependency[Caller],
    game: FromPath[str],
    ruleset: FromPath[str],
    data: URLEncodedBody[TableForm],
) -> Response[Any]:
    """Open the table; back to the form with a sentence if something is wrong with it."""
    need_player(caller)
    named = _named(caller, game, ruleset)
    caller.key = data.key
    try:
        wanted = NewMatch(
            game=game,
            ruleset=named.ruleset,
            visibility=data.visibility,
            per_move_s=data.days * _DAY_S,
            seats=data.seats(named.seats),
        )
        done = open_match(caller, wanted)
    except Problem as problem:
        return _table_page(caller, named, problem)
    return to(f"/matches/{done.match}")


def _table_page(
    caller: Caller, named: NamedRuleset, problem: Problem | None = None
) -> Response[str]:
    return page(
        "table.html",
        status=problem.status if problem else 200,
        **shell(caller),
        problem=problem.sentence if problem else "",
        named=named,
        seats=SEATS[: named.seats],
        levels=caller.services.levels.known(named.game),
        days=_DAYS,
    )


def _named(caller: Caller, game: str, ruleset: str) -> NamedRuleset:
    for named in rulesets_of(caller.services.seeds, game):
        if named.name == ruleset:
            return named
    raise Problem(404, "no-such-page", f"There is no way to play {game} called {ruleset}.")


ROUTES = [home, choose, set_table, open_table]
