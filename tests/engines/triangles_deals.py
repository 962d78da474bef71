"""Points a round between two levels of Triangles, over deals that are played from either seat.

``python -m tests.engines.triangles_deals 8 2 400`` plays the first round of 400 matches between
level 8 and level 2, each twice, and prints by how many points a round the first is ahead, with
95 % confidence. The same deals and dice come every time.
"""

import sys
from statistics import fmean, stdev

from services.games import registry
from services.games.triangles.position import Position
from tests.engines.arena import question
from workers.engines.dice import Dice
from workers.engines.registry import think

GAME = registry.game("triangles")


def first_round(levels: tuple[int, int], deal: int) -> Position:
    """The first round of a match of two, played to its end by these levels."""
    rules, dice = GAME.rules, Dice(deal)
    ruleset = rules.ruleset({})
    position: Position = rules.deal(rules.setup(ruleset), Dice(~deal)).position
    while position.is_running:
        asked = question(GAME, position, ruleset, levels[position.next], dice.draw64())
        position = rules.apply(position, think(asked).move).position
    return position


def swapped(level: int, against: int, deal: int) -> float:
    """Points a round that a level is ahead in one deal, the mean of both seats."""
    first, second = (first_round((level, against), deal), first_round((against, level), deal))
    return (first.points[0] - first.points[1] + second.points[1] - second.points[0]) / 2


def main(level: int, against: int, deals: int) -> None:
    """Play the deals, saying how it stands from time to time."""
    leads = []
    for deal in range(deals):
        leads.append(swapped(level, against, deal))
        if (deal + 1) % 10 == 0:
            stray = 1.96 * stdev(leads) / len(leads) ** 0.5
            told = f"{deal + 1} deals: {fmean(leads):.1f} ± {stray:.1f} points a round"
            sys.stdout.write(f"{told}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
