"""The drawing of a single stone, wherever a page shows one."""

from functools import lru_cache
from typing import Any, Literal

from litestar import Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from services.api.caching import conditional
from services.api.callers import Caller
from services.api.drawing import SVG, SVG_HEADERS
from services.api.problems import Problem
from services.campaigns.stones import is_stone, stone_picture
from services.games.picture import to_svg

HOUR_S = 3_600
_HEADERS = {**SVG_HEADERS, "Cache-Control": f"public, max-age={HOUR_S}"}


@get("/stones/{colour:str}/{stone:str}", sync_to_thread=False, opt={"unlimited": True})
def stone_drawn(
    caller: NamedDependency[Caller],
    colour: FromPath[Literal["blue", "red"]],
    stone: FromPath[str],
) -> Response[Any]:
    """A stone by its code, in your colour (blue) or an opponent's (red)."""
    if not is_stone(stone):
        raise Problem(404, "no-such-page", f"There is no stone {stone[:8]!r}.")
    return conditional(caller.request, _svg(stone, colour), SVG, dict(_HEADERS))


@lru_cache(256)
def _svg(stone: str, colour: str) -> bytes:
    return to_svg(stone_picture(stone, theirs=colour == "red")).encode()


ROUTES = [stone_drawn]
