"""Rule sheets and the API's own description, as pages."""

from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.openapi.plugins import OpenAPIRenderPlugin
from litestar.params import FromPath

from services.api.callers import Caller
from services.api.problems import Problem
from services.web.markdown import to_html
from services.web.render import page, render
from services.web.visitor import shell


@get("/rules", sync_to_thread=True)
def rulebooks(caller: NamedDependency[Caller]) -> Response[str]:
    """Every game's rules."""
    return page("rulebooks.html", **shell(caller), games=caller.services.games.games())


@get("/rules/{game:str}", sync_to_thread=True)
def rules(caller: NamedDependency[Caller], game: FromPath[str]) -> Response[str]:
    """The rule sheet of a game."""
    games = caller.services.games
    if game not in games.slugs():
        raise Problem(404, "no-such-page", f"There are no rules of {game!r} here.")
    sheet = (caller.services.seeds / game / "RULES.md").read_text("utf-8")
    return page("rules.html", **shell(caller), title=games.game(game).title, html=to_html(sheet))


class ApiPage(OpenAPIRenderPlugin):
    """The OpenAPI document as a plain page: nothing is loaded from anywhere else."""

    def __init__(self) -> None:
        super().__init__(path="/")

    def render(self, request: Request[Any, Any, Any], openapi_schema: dict[str, Any]) -> bytes:
        """One entry an operation, grouped by its first path part."""
        del request
        return render("api.html", schema=openapi_schema, me=None, my_name="").encode()


ROUTES = [rulebooks, rules]
