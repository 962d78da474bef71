"""HEAD, wherever GET is answered: the same status and headers, and nothing after them."""

from typing import Any

from litestar import Litestar


class AnswersHead(Litestar):
    """An application whose GET routes answer HEAD as well; their own code never knows."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Let a HEAD pass as a GET, and keep its body back."""
        if scope["type"] != "http" or scope["method"] != "HEAD":
            await super().__call__(scope, receive, send)
            return
        is_over = False

        async def send_head(message: Any) -> None:
            nonlocal is_over
            if message["type"] == "http.response.start":
                await send(message)
            elif not is_over:
                # The end at once: a live stream sees that nobody listens, and stops.
                is_over = True
                await send({"type": "http.response.body", "body": b"", "more_body": False})

        scope["method"] = "GET"
        try:
            await super().__call__(scope, receive, send_head)
        finally:
            scope["method"] = "HEAD"
