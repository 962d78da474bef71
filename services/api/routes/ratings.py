"""Ratings: the table of a game, and the opponents that follow you."""

from litestar import get
from litestar.di import NamedDependency
from litestar.params import FromPath

from services.api.callers import Caller
from services.api.rating_messages import OpponentList, RatingTable
from services.api.rating_tables import opponents_of, rating_table


@get("/ratings/{game:str}", sync_to_thread=True)
def table(caller: NamedDependency[Caller], game: FromPath[str]) -> RatingTable:
    """How well people and computer levels play a game, the surely best first.

    Finished matches count, but not imported, abandoned or private ones, those of the solo game,
    and those in which somebody played against themselves.
    """
    return rating_table(caller, game)


@get("/opponents", sync_to_thread=True)
def opponents(caller: NamedDependency[Caller]) -> OpponentList:
    """The adaptive opponents you have met, and the level each of them plays at next."""
    return OpponentList(tuple(opponents_of(caller)))


ROUTES = [table, opponents]
