"""The web server in its thread, and the numbers measured round it."""

import socket
from collections.abc import AsyncIterator
from typing import Any

import httpx
import pytest
from litestar import Litestar, Request, get
from litestar.params import FromPath
from litestar.response import Stream
from prometheus_client import REGISTRY

from ops.measured_http import measured, with_metrics_page
from ops.public_address import reached_at
from ops.refused import Refused
from ops.web_server import web_server


@get("/things/{thing:str}")
async def thing_page(thing: FromPath[str]) -> str:
    """A route with something in its path."""
    return thing


@get("/stream")
async def stream_page() -> Stream:
    """An answer that would last."""

    async def lines() -> AsyncIterator[bytes]:
        yield b"{}\n"

    return Stream(lines(), media_type="application/x-ndjson")


def answers(method: str, route: str, status: str) -> float:
    """How many answers were measured under these labels."""
    labels = {"method": method, "route": route, "status": status}
    return REGISTRY.get_sample_value("plybook_http_seconds_count", labels) or 0


def test_a_server_answers_from_the_moment_it_is_up_until_it_is_stopped() -> None:
    """Port 0 takes a free port, and the url names it; afterwards nobody listens there."""
    app = measured(Litestar([thing_page], openapi_config=None))
    with web_server(app, "127.0.0.1", 0) as server:
        assert httpx.get(f"{server.url}/things/a").text == "a"
    assert server.ended.is_set()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port))


def test_a_taken_port_is_a_sentence() -> None:
    """The person learns which settings to change."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(Refused, match=rf"port {port} \(Address already in use\): set PLYBOOK_"),
            web_server(Litestar([]), "127.0.0.1", port),
        ):
            pytest.fail("the port was taken")


def test_answers_are_counted_by_route_and_never_by_thing() -> None:
    """The path of a match is one label for all matches; unknown paths are one label too."""
    app = measured(Litestar([thing_page], openapi_config=None))
    seen = answers("GET", "/things/{thing}", "200")
    lost = answers("GET", "unknown", "404")
    with web_server(app, "127.0.0.1", 0) as server:
        for thing in ("a", "b"):
            httpx.get(f"{server.url}/things/{thing}")
        httpx.get(f"{server.url}/nowhere/secret")
    assert answers("GET", "/things/{thing}", "200") == seen + 2
    assert answers("GET", "unknown", "404") == lost + 1


def test_streams_say_nothing_about_speed() -> None:
    """An answer that lasts as long as somebody listens is not measured."""
    with web_server(measured(Litestar([stream_page])), "127.0.0.1", 0) as server:
        assert httpx.get(f"{server.url}/stream").text == "{}\n"
    assert answers("GET", "/stream", "200") == 0


def test_the_embedded_server_shows_its_numbers_beside_its_page() -> None:
    """One port is enough at home."""
    app = with_metrics_page(Litestar([thing_page]), REGISTRY)
    with web_server(app, "127.0.0.1", 0) as server:
        page = httpx.get(f"{server.url}/metrics")
        assert httpx.get(f"{server.url}/things/a").text == "a"
    assert page.headers["content-type"].startswith("text/plain")
    assert "# HELP plybook_engine_seconds " in page.text


@get("/here")
async def here_page(request: Request[Any, Any, Any]) -> str:
    """Where the application believes to be, and who asks."""
    assert request.client is not None
    return f"{request.base_url} {request.client.host}"


@pytest.mark.parametrize(
    ("public_url", "seen"),
    [("", "http://claimed.example/"), ("https://play.example", "https://play.example/")],
)
def test_links_lead_to_the_public_address_whatever_a_request_claims(
    public_url: str, seen: str
) -> None:
    """A made-up Host header ends up in no invitation."""
    app = reached_at(public_url, Litestar([here_page], openapi_config=None))
    with web_server(app, "127.0.0.1", 0) as server:
        said = httpx.get(f"{server.url}/here", headers={"Host": "claimed.example"}).text
    assert said.split()[0] == seen


@pytest.mark.parametrize(("proxies", "client"), [("127.0.0.1", "192.0.2.7"), ("", "127.0.0.1")])
def test_only_a_known_proxy_is_believed_about_its_caller(proxies: str, client: str) -> None:
    """Limits count by address; nobody chooses their own."""
    with web_server(Litestar([here_page]), "127.0.0.1", 0, proxies) as server:
        said = httpx.get(f"{server.url}/here", headers={"X-Forwarded-For": "192.0.2.7"}).text
    assert said.split()[1] == client
