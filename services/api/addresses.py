"""What an address may hold."""

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.problems import Problem


class NoNul(ASGIMiddleware):
    """Turns away addresses with a NUL in them.

    Nothing here is called so, and neither PostgreSQL nor a file system can even be asked for it.
    """

    scopes = (ScopeType.HTTP,)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on, or say what is wrong with its address."""
        if "\0" in scope["path"] or b"%00" in scope["query_string"]:
            raise Problem(400, "bad-input", "The address holds a NUL character.")
        await next_app(scope, receive, send)
