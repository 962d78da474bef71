"""The page of ratings: how well people and computer levels play each game."""

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from services.api.callers import Caller
from services.api.rating_tables import opponents_of, rating_table
from services.web.render import page
from services.web.visitor import shell


@get("/ratings", sync_to_thread=True)
def first_ratings(caller: NamedDependency[Caller]) -> Response[str]:
    """The table of the first game."""
    return _ratings_page(caller, caller.services.games.slugs()[0])


@get("/ratings/{game:str}", sync_to_thread=True)
def game_ratings(caller: NamedDependency[Caller], game: FromPath[str]) -> Response[str]:
    """The table of a game."""
    return _ratings_page(caller, game)


def _ratings_page(caller: Caller, game: str) -> Response[str]:
    table = rating_table(caller, game)
    mine = opponents_of(caller) if caller.player_or_none else ()
    return page(
        "ratings.html",
        **shell(caller),
        table=table,
        games=caller.services.games.games(),
        opponent=next((one for one in mine if one.game == game), None),
    )


ROUTES = [first_ratings, game_ratings]
