"""Tables of ratings, with the names people have now; who left stands in none."""

from collections.abc import Iterator

from services.api.callers import Caller
from services.api.problems import Problem
from services.api.rating_messages import OpponentLine, RatingLine, RatingTable
from services.projections.ratings import Rated, ratings
from services.ratings.skill import UNIT


def rating_table(caller: Caller, game: str) -> RatingTable:
    """The table of a game; it may lag a moment."""
    services = caller.services
    if game not in services.games.slugs():
        sentence = f"There is no game {game!r}."
        raise Problem(404, "no-such-game", sentence, {"games": services.games.slugs()})
    found = services.store.read(lambda connection: ratings(connection, game))
    names = services.players.names({one.player for one in found if one.player})
    there = [one for one in found if one.level or one.player in names]
    lines = tuple(
        _line(place, one, names.get(one.player, "")) for place, one in enumerate(there, 1)
    )
    return RatingTable(game, services.games.game(game).title, lines)


def opponents_of(caller: Caller) -> Iterator[OpponentLine]:
    """The caller's adaptive opponents."""
    services = caller.services
    for game, opponent in sorted(services.opponents.of(caller.player).opponents.items()):
        title = services.games.game(game).title if game in services.games.slugs() else game
        skill = opponent.skill
        yield OpponentLine(game, title, opponent.level, skill.mu / UNIT, skill.sigma / UNIT)


def _line(place: int, one: Rated, name: str) -> RatingLine:
    return RatingLine(
        place=place,
        player=one.player,
        level=one.level,
        name=name,
        played=one.played,
        rating=one.skill.at_least / UNIT,
        skill=one.skill.mu / UNIT,
        unsure=one.skill.sigma / UNIT,
    )
