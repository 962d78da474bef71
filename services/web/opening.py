"""Opening a match: choose a game, a way to play it, who sits where."""

from typing import Annotated, Any, Literal

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, URLEncodedBody

from services.api.callers import Caller
from services.api.doing import open_match
from services.api.messages import NewComputer, NewMatch
from services.api.problems import Problem
from services.games.contract import SEATS
from services.match.commands import LEVEL_MAX, Visibility
from services.web.play import Form
from services.web.render import page
from services.web.rulesets import NamedRuleset, rulesets_of
from services.web.visitor import need_player, shell, to

_PEOPLE: dict[str, Literal["me", "open"]] = {"me": "me", "open": "open"}
Short = Annotated[str, msgspec.Meta(max_length=64)]
_DAYS = (0, 1, 2, 3, 7, 14)
_DAY_S = 86_400


@get("/new", sync_to_thread=True)
def choose(caller: NamedDependency[Caller]) -> Response[str]:
    """Choose a game and a variant."""
    services = caller.services
    games = [(game, rulesets_of(services.seeds, game)) for game in services.games.games()]
    return page("choose.html", **shell(caller), games=games)


class OpeningForm(Form, frozen=True, kw_only=True):
    """The form of a new match; a seat is ``me``, ``open``, a computer's level, or ``adaptive``.

    ``begins_at`` is for a computer that adapts and does not know the visitor yet.
    """

    begins_at: Annotated[int, msgspec.Meta(ge=1, le=LEVEL_MAX)] = 1
    visibility: Visibility = "link"
    days: Annotated[int, msgspec.Meta(ge=0, le=90)] = 0
    seat_A: Short = "me"  # noqa: N815 - seats are capital letters everywhere
    seat_B: Short = "open"  # noqa: N815
    seat_C: Short = "open"  # noqa: N815
    seat_D: Short = "open"  # noqa: N815

    def seats(self, count: int) -> dict[str, Literal["me", "open"] | NewComputer]:
        """The seats as the API takes them."""
        fields = (self.seat_A, self.seat_B, self.seat_C, self.seat_D)[:count]
        return {
            seat: _holder(text, self.begins_at) for seat, text in zip(SEATS, fields, strict=False)
        }


def _holder(text: str, begins_at: int) -> Literal["me", "open"] | NewComputer:
    if text in _PEOPLE:
        return _PEOPLE[text]
    if text == "adaptive":
        return NewComputer(begins_at, adaptive=True)
    level = int(text) if text.isdecimal() else 0
    if not 1 <= level <= LEVEL_MAX:
        raise Problem(400, "bad-input", "A seat is for you, open, or for a computer's level.")
    return NewComputer(level)


@get("/new/{game:str}/{ruleset:str}", sync_to_thread=True)
def set_up(
    caller: NamedDependency[Caller], game: FromPath[str], ruleset: FromPath[str]
) -> Response[str]:
    """Who sits where, who may watch, how long a move may take."""
    need_player(caller)
    return _form_page(caller, _named(caller, game, ruleset))


@post("/new/{game:str}/{ruleset:str}", sync_to_thread=True)
def open_it(
    caller: NamedDependency[Caller],
    game: FromPath[str],
    ruleset: FromPath[str],
    data: URLEncodedBody[OpeningForm],
) -> Response[Any]:
    """Open the match; back to the form with a sentence if something is wrong with it."""
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
        return _form_page(caller, named, problem)
    return to(f"/matches/{done.match}")


def _form_page(
    caller: Caller, named: NamedRuleset, problem: Problem | None = None
) -> Response[str]:
    return page(
        "new_match.html",
        status=problem.status if problem else 200,
        **shell(caller),
        problem=problem.sentence if problem else "",
        named=named,
        seats=SEATS[: named.seats],
        levels=caller.services.levels.known(named.game),
        own_levels=caller.services.levels.own(named.game),
        opponent=caller.services.opponents.of(need_player(caller)).opponents.get(named.game),
        days=_DAYS,
    )


def _named(caller: Caller, game: str, ruleset: str) -> NamedRuleset:
    services = caller.services
    known = services.games.game(game) if game in services.games.slugs() else None
    for named in rulesets_of(services.seeds, known) if known else ():
        if named.name == ruleset:
            return named
    raise Problem(404, "no-such-page", f"There is no way to play {game} called {ruleset}.")


ROUTES = [choose, set_up, open_it]
