"""Behind a proxy the server is asked by one address and reached by another."""

from urllib.parse import urlsplit

from ops.measured_http import ASGIApp, Message, Receive, Send


def reached_at(public_url: str, app: ASGIApp) -> ASGIApp:
    """The same application, which believes that every request came to the public address.

    So the links it hands out lead back to it, whatever ``Host`` a request claims. Without a
    public address every request is believed.
    """
    if not public_url:
        return app
    address = urlsplit(public_url)
    host = address.netloc.encode()

    async def believing(scope: Message, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            others = [(name, value) for name, value in scope["headers"] if name != b"host"]
            scope = {**scope, "scheme": address.scheme, "headers": [(b"host", host), *others]}
        await app(scope, receive, send)

    return believing
