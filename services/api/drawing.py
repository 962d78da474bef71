"""The board of a seen match, as a picture and in characters; also before its start."""

from functools import lru_cache
from typing import Any

from services.api.seen import Seen
from services.games.contract import Game, Seat
from services.games.picture import Picture, to_svg

SVG = "image/svg+xml"
SVG_HEADERS = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
"""A drawing has its own style and may do nothing else."""

PICTURES_KEPT = 256
"""Drawings kept in memory, about 50 kB each; lists show many boards again and again."""


def shown_position(seen: Seen) -> Any:
    """The position as the caller may see it; an open match shows its empty board."""
    state, rules = seen.state, seen.state.the_game.rules
    position = rules.setup(state.ruleset, {}) if state.position is None else state.position
    return rules.view(position, seen.eyes)


def board_picture(seen: Seen) -> Picture:
    """The board as a description of a drawing."""
    return seen.state.the_game.drawing.picture(shown_position(seen), seen.eyes)


def board_svg(seen: Seen) -> bytes:
    """The board as an SVG document."""
    game = seen.state.the_game
    return _svg(game, game.notation.format_position(shown_position(seen)), seen.eyes)


@lru_cache(PICTURES_KEPT)
def _svg(game: Game, position: str, seat: Seat | None) -> bytes:
    return to_svg(game.drawing.picture(game.notation.parse_position(position), seat)).encode()


def board_text(seen: Seen) -> str:
    """The board in plain characters."""
    return seen.state.the_game.drawing.text(shown_position(seen), seen.eyes)
