"""Measuring wrapped round the web application, and ``/metrics`` beside it when it is embedded."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from ops import metrics

STREAMED = ("text/event-stream", "application/x-ndjson")
"""Answers that last as long as somebody listens say nothing about speed."""

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
ASGIApp = Callable[[Any, Any, Any], Awaitable[None]]

METHODS = ("DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT")


def measured(app: ASGIApp) -> ASGIApp:
    """The same application; each answer's time is noted under its route's pattern."""

    async def around(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await app(scope, receive, send)
            return
        answer: dict[str, Any] = {"status": 500, "streamed": False}

        async def watch(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer["status"] = message["status"]
                answer["streamed"] = _streamed(message)
            await send(message)

        begun = time.perf_counter()
        try:
            await app(scope, receive, watch)
        finally:
            if not answer["streamed"]:
                metrics.http_seconds.labels(
                    scope["method"] if scope["method"] in METHODS else "other",
                    str(scope.get("path_template") or "unknown"),
                    str(answer["status"]),
                ).observe(time.perf_counter() - begun)

    return around


def with_metrics_page(app: ASGIApp, numbers: CollectorRegistry) -> ASGIApp:
    """The same application, answering ``GET /metrics`` itself."""

    async def beside(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"] != "/metrics":
            await app(scope, receive, send)
            return
        body = await asyncio.to_thread(generate_latest, numbers)
        await send(
            {
                "type": "http.response.start",
                "status": 200,
                "headers": [(b"content-type", CONTENT_TYPE_LATEST.encode())],
            }
        )
        await send({"type": "http.response.body", "body": body, "more_body": False})

    return beside


def _streamed(start: Message) -> bool:
    kinds = [value for name, value in start.get("headers", ()) if name.lower() == b"content-type"]
    return any(kind.decode("latin-1").startswith(STREAMED) for kind in kinds)
