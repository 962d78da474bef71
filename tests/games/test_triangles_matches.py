"""Matches of Triangles played greedily: as long as the sheet has measured, and by its laws."""

from collections.abc import Iterator
from functools import cache

from services.games.registry import game
from services.games.triangles.notation import read_placement
from services.games.triangles.points import placement_points
from services.games.triangles.position import Position
from services.games.triangles.tiles import VALUES
from tests.games.triangles_laws import LAWS, round_ends
from tests.kit.playouts import Dice, Turn, with_deals

TRIANGLES = game("triangles", 1)
MATCHES = 60


def greedy(position: Position, listed: tuple[str, ...], _dice: Dice) -> str:
    """The move with the most points, the heaviest tile among equals."""

    def worth(move: str) -> tuple[int, int]:
        placement = read_placement(move)
        earned = placement_points(position.ruleset, position.layout, placement)
        return earned.total, VALUES[placement.tile]

    return max(listed, key=worth)


@cache
def matches() -> tuple[tuple[Turn, ...], ...]:
    """Matches with the usual options."""
    start = TRIANGLES.rules.setup(TRIANGLES.rules.ruleset({}))
    played = (with_deals(TRIANGLES, start, Dice(seed), greedy) for seed in range(MATCHES))
    return tuple(map(tuple, played))


def usual_rounds() -> Iterator[Position]:
    """Their rounds, each as it ended."""
    for match in matches():
        yield from round_ends(match)


def test_the_laws_hold_in_greedy_play() -> None:
    """Those that random play is held to with every option."""
    for match in matches():
        for law in LAWS:
            law(match)


def test_matches_are_as_long_as_the_sheet_has_measured() -> None:
    """§14: with hands of eight some 36.7 placements and 25 draws a round."""
    rounds = list(usual_rounds())
    assert 33 < sum(len(end.placed) for end in rounds) / len(rounds) < 40
    assert 22 < sum(turn.drawn for end in rounds for turn in end.turns) / len(rounds) < 28
    assert {end.end.kind for end in rounds if end.end} == {"out", "blocked"}
