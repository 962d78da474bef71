"""For whoever runs the server: health for machines, and the operator's doors."""

from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency

from events.log import LogFailure
from events.migrations import pending
from services.api.callers import Caller
from services.api.messages import Health
from services.api.problems import Problem
from services.api.services import Services
from services.projections.catching_up import CATCHING_UP
from services.projections.inline import INLINE_TABLES


@get("/health/live", sync_to_thread=False, opt={"unlimited": True})
def live() -> Health:
    """The process answers."""
    return Health("ok")


@get("/health/ready", sync_to_thread=True, opt={"unlimited": True})
def ready(caller: NamedDependency[Caller]) -> Response[Health]:
    """Whether requests would be served: the log is readable, the tables are right, work flows."""
    wrong = {name: said for name, said in _checks(caller.services).items() if said}
    if wrong:
        return Response(Health("not ready", wrong), status_code=503)
    return Response(Health("ok"))


def _checks(services: Services) -> dict[str, str]:
    try:
        services.log.position()
        left = pending(services.store, INLINE_TABLES, CATCHING_UP)
        found = {name: check() for name, check in services.checks.items()}
    except LogFailure as failure:
        return {"log": str(failure)}
    return {"tables": "; ".join(left), **found}


@post("/v1/operations/rebuild", sync_to_thread=True)
def rebuild(caller: NamedDependency[Caller]) -> dict[str, Any]:
    """Make every projection anew from the log; the operator only."""
    caller.need_operator()
    if caller.services.rebuild is None:
        raise Problem(409, "no-rebuild", "This process does not rebuild; use `plybook rebuild`.")
    return dict(caller.services.rebuild())


ROUTES = [live, ready, rebuild]
