"""Two sides under one ruleset: which games they play, and who sits where in each.

A **round** is what a seed is used for: every seat is A's once, with the same deal and dice. With
two seats that is a game and its return game; with more, A has one seat and B all the others.
"""

from collections.abc import Mapping
from typing import Any

import msgspec

from ops.dev.league.match import Played, Player, play_match
from ops.dev.league.sides import Side
from ops.rulesets import ruleset_named
from services.games.contract import SEATS, Outcome, Seat
from services.games.registry import game


class Meeting(msgspec.Struct, frozen=True):
    """Everything that decides how the games between A and B go, but for their number."""

    game: str
    rules_version: int
    ruleset: str
    options: dict[str, Any]
    a: Side
    b: Side

    @property
    def key(self) -> tuple[str, int, str, str, str]:
        """What results are kept under: the names of ruleset and sides do not matter."""
        options = msgspec.json.encode(self.options, order="deterministic").decode()
        return (self.game, self.rules_version, options, self.a.who, self.b.who)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of the match."""
        rules = game(self.game).rules
        return SEATS[: rules.terms(rules.ruleset(self.options)).seats]


class Numbers(msgspec.Struct, frozen=True):
    """One game of a meeting, as side A sees it.

    ``score`` is 1 for a win, ½ for a draw, 0 for a loss (more seats: ``rank_value``);
    ``margin`` A's points less the mean of the others'.
    """

    number: int
    seat: Seat
    score: float
    margin: float
    moves_a: int
    moves_b: int
    cpu_ms_a: float
    cpu_ms_b: float


class Result(Numbers, frozen=True):
    """One game, and of which meeting it is."""

    meeting: Meeting


def meeting(
    slug: str, ruleset: str, a: Side, b: Side, options: Mapping[str, Any] | None = None
) -> Meeting:
    """A meeting under a ruleset of the seeds (``UnknownRuleset``), or of these options."""
    rules = game(slug).rules
    if options is None:
        whole = ruleset_named(slug, ruleset)
    else:
        whole = rules.ruleset_data(rules.ruleset(options))
    return Meeting(slug, rules.version, ruleset, whole, a, b)


def play_game(met: Meeting, number: int, a: Player, b: Player) -> Result:
    """Game ``number`` (0, 1, …) of a meeting."""
    seats = met.seats
    seed, place = divmod(number, len(seats))
    mine = seats[place]
    players = {seat: a if seat == mine else b for seat in seats}
    return _result(met, number, mine, play_match(game(met.game), met.options, players, seed))


def _result(met: Meeting, number: int, mine: Seat, played: Played) -> Result:
    others = [seat for seat in met.seats if seat != mine]
    points = played.outcome.points
    return Result(
        meeting=met,
        number=number,
        seat=mine,
        score=score(played.outcome, mine),
        margin=points[mine] - sum(points[seat] for seat in others) / len(others),
        moves_a=played.moves[mine],
        moves_b=sum(played.moves[seat] for seat in others),
        cpu_ms_a=round(played.cpu_ms[mine], 3),
        cpu_ms_b=round(sum(played.cpu_ms[seat] for seat in others), 3),
    )


def score(outcome: Outcome, mine: Seat) -> float:
    """What the end of a game is worth to a seat.

    >>> score(Outcome({"A": 3, "B": 3}, ("A", "B"), {}), "A")
    0.5
    """
    if len(outcome.points) > 2:  # noqa: PLR2004 - of two, one wins or both do
        return rank_value(outcome.points, mine)
    return (mine in outcome.winners) / len(outcome.winners)


def rank_value(points: Mapping[Seat, int], mine: Seat) -> float:
    """From 1 for the most points down to 0 in even steps; level seats share theirs.

    >>> rank_value({"A": 9, "B": 5, "C": 5, "D": 1}, "B")
    0.5
    """
    others = [points[seat] for seat in points if seat != mine]
    beaten = sum(points[mine] > other for other in others)
    level = sum(points[mine] == other for other in others)
    return (beaten + level / 2) / len(others)
