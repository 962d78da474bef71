"""The words on the wire of ratings and of adaptive opponents."""

import msgspec


class RatingLine(msgspec.Struct, frozen=True):
    """A player, or a computer level (then ``player`` is empty), in the table of a game.

    ``skill`` is what they are thought to be worth, ``unsure`` its standard deviation; the table
    is ordered by ``rating``, three deviations below. ``played`` counts the matches behind it.
    """

    place: int
    player: str
    level: int
    name: str
    played: int
    rating: float
    skill: float
    unsure: float


class RatingTable(msgspec.Struct, frozen=True):
    """Everybody who has finished a match of a game, the surely best first."""

    game: str
    title: str
    ratings: tuple[RatingLine, ...]


class OpponentLine(msgspec.Struct, frozen=True):
    """Your adaptive opponent in a game: the level it plays at next, and your skill as it sees it.

    A level's skill is 25 at level 4, and 4.167 more or less for each level.
    """

    game: str
    title: str
    level: int
    skill: float
    unsure: float


class OpponentList(msgspec.Struct, frozen=True):
    """The adaptive opponents you have met, by game."""

    opponents: tuple[OpponentLine, ...]
