"""The yardstick of every search in the harvest of Hedgerow: all lines, by the rules alone."""

from services.games import registry
from services.games.hedgerow.position import Position

GAME = registry.game("hedgerow")


def harvested(position: Position, left: int) -> int:
    """What the mover still gains over the turns left, by plain minimax over the rules' moves."""
    best = []
    for move in GAME.rules.moves(position).texts:
        step = GAME.rules.apply(position, move)
        points = int(step.facts[0].rsplit("=", 1)[1])
        best.append(points - (harvested(step.position, left - 1) if left > 1 else 0))
    return max(best)
