"""HEAD is GET without the body, for pages and for programs."""

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import Person


@pytest.mark.parametrize(
    "path", ["/", "/rules", "/static/plybook.css", "/v1/matches/{}", "/matches/{}", "/v1/matches"]
)
def test_head_tells_what_get_would(ada: Person, path: str) -> None:
    """The same status and the same headers, and nothing after them."""
    address = path.format(ada.opens(visibility="public")["match"])
    got = ada.client.get(address, headers=ada.headers)
    head = ada.client.head(address, headers=ada.headers)
    assert head.status_code == got.status_code == 200
    assert head.content == b""
    for name in ("content-type", "content-length", "etag", "content-security-policy"):
        assert head.headers.get(name) == got.headers.get(name)


def test_head_of_a_live_stream_ends_at_once(ada: Person) -> None:
    """Nobody listens to it."""
    match = ada.opens()["match"]
    head = ada.client.head(f"/v1/matches/{match}/events/stream", headers=ada.headers)
    assert (head.status_code, head.content) == (200, b"")


def test_head_of_what_is_not_there_says_so(client: TestClient[Litestar]) -> None:
    """As GET does."""
    assert client.head("/v1/matches/m-none").status_code == 404
    assert client.head("/v1/players").status_code == 405
