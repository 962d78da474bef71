"""All pages under one router, with their edge and their way of saying no."""

from typing import Any

from litestar import Request, Response, Router
from litestar.static_files import create_static_files_router
from litestar.types import ControllerRouterHandler

from services.api.problems import as_problem
from services.web import (
    account,
    home,
    join,
    opening,
    play,
    ratings,
    reading,
    run_page,
    solo,
    stones,
)
from services.web.render import STATIC, page
from services.web.visitor import NotSignedIn, account_path, edge, to

_PAGES = (home, opening, play, join, solo, run_page, stones, ratings, account, reading)


def page_routes() -> list[ControllerRouterHandler]:
    """The handlers of every page and of the files they load."""
    return [
        Router(
            "/",
            route_handlers=[route for part in _PAGES for route in part.ROUTES],
            before_request=edge,
            exception_handlers={NotSignedIn: _sign_in_first, Exception: problem_page},
            include_in_schema=False,
        ),
        create_static_files_router(
            path="/static",
            directories=[STATIC],
            include_in_schema=False,
            cache_control=None,
            opt={"unlimited": True},
        ),
    ]


def problem_page(_request: Request[Any, Any, Any], error: Exception) -> Response[str]:
    """A problem for people: the sentence, and a way back."""
    problem = as_problem(error)
    response = page(
        "problem.html", status=problem.status, problem=problem, me=None, my_name="", key=""
    )
    response.headers.update(problem.headers)
    return response


def _sign_in_first(_request: Request[Any, Any, Any], error: NotSignedIn) -> Response[None]:
    return to(account_path(error.path))
