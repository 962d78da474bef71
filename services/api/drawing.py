"""The board of a seen match, as a picture and in characters; also before its start."""

from functools import lru_cache
from typing import Any

from services.api.seen import Seen
from services.games.contract import Game, Seat
from services.games.picture import Label, Picture, Rectangle, to_svg

PICTURES_KEPT = 256
"""Drawings kept in memory, about 50 kB each; lists show many boards again and again."""


_NOTHING_YET = "The board is set up when every entry is in."


def shown_position(seen: Seen) -> Any:
    """The position as the caller may see it; an open match shows its empty board.

    None where there is no board yet, because it follows from entries nobody has seen.
    """
    state, rules = seen.state, seen.state.the_game.rules
    if state.position is not None:
        return rules.view(state.position, seen.eyes)
    if state.terms.sealed_entries:
        return None
    return rules.view(rules.setup(state.ruleset, {}), seen.eyes)


def board_picture(seen: Seen) -> Picture:
    """The board as a description of a drawing."""
    game, position = seen.state.the_game, shown_position(seen)
    return _nothing(game) if position is None else game.drawing.picture(position, seen.eyes)


def board_svg(seen: Seen) -> bytes:
    """The board as an SVG document."""
    game, position = seen.state.the_game, shown_position(seen)
    if position is None:
        return to_svg(_nothing(game)).encode()
    return _svg(game, game.notation.format_position(position), seen.eyes)


@lru_cache(PICTURES_KEPT)
def _svg(game: Game, position: str, seat: Seat | None) -> bytes:
    return to_svg(game.drawing.picture(game.notation.parse_position(position), seat)).encode()


def _nothing(game: Game) -> Picture:
    ground = Rectangle(0, 0, 600, 600, "ground", rounding=16)
    words = Label(300, 300, "Waiting for entries", 24, "quiet", "middle")
    return Picture(600, 600, game.title, _NOTHING_YET, (ground, words))


def board_text(seen: Seen) -> str:
    """The board in plain characters."""
    game, position = seen.state.the_game, shown_position(seen)
    return _NOTHING_YET if position is None else game.drawing.text(position, seen.eyes)
