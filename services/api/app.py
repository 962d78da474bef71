"""The web application: routes, edges and limits joined over one ``Services``."""

from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.datastructures import ResponseHeader
from litestar.di import Provide
from litestar.openapi import OpenAPIConfig

from services.api.addresses import NoNul
from services.api.bodies import StrictRequest
from services.api.callers import Caller
from services.api.heads import AnswersHead
from services.api.limits import Buckets, RateLimit
from services.api.problems import problem_response
from services.api.routes import (
    campaigns,
    handing_in,
    looking,
    matches,
    moves,
    operations,
    players,
    ratings,
    records,
    streaming,
)
from services.api.services import Services
from services.web.reading import ApiPage
from services.web.render import HEADERS
from services.web.routes import page_routes, problem_page

_HOUR = 3600.0
_V1 = (players, matches, handing_in, moves, looking, streaming, records, campaigns, ratings)


def _problem(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    """A problem for whoever asks: a page for people, JSON for programs and under ``/v1``."""
    for_people = "text/html" in request.headers.get("accept", "")
    if for_people and not request.url.path.startswith("/v1"):
        return problem_page(request, error)
    return problem_response(request, error)


def create_app(services: Services) -> Litestar:
    """The ASGI application of one web process."""
    accounts = Buckets(services.limits.accounts_per_hour, _HOUR)

    def caller(request: Request[Any, Any, Any]) -> Caller:
        return Caller(services, request)

    return AnswersHead(
        route_handlers=[
            Router("/v1", route_handlers=[route for part in _V1 for route in part.ROUTES]),
            *operations.ROUTES,
            *page_routes(),
        ],
        dependencies={
            "caller": Provide(caller, sync_to_thread=False),
            "accounts": Provide(lambda: accounts, sync_to_thread=False),
        },
        middleware=[RateLimit(services.limits), NoNul()],
        exception_handlers={Exception: _problem},
        request_class=StrictRequest,
        request_max_body_size=services.limits.body_bytes,
        response_headers=[ResponseHeader(name=name, value=HEADERS[name]) for name in HEADERS],
        openapi_config=OpenAPIConfig(
            title="Plybook",
            version="1",
            use_handler_docstrings=True,
            render_plugins=[ApiPage()],
        ),
        logging_config=None,
    )
