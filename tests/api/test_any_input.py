"""Whatever is sent, the answer is an answer: never a fault of the server's own."""

import asyncio
import logging
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import House, Person

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
WORDS = st.sampled_from(
    ("A", "B", "me", "open", "blokus", "e10", "draw", "takeback", "duo", "private", "x\n", "")
)
VALUES = JSON | WORDS | st.dictionaries(WORDS, WORDS | JSON, max_size=3)
FIELDS = (
    "name", "game", "ruleset", "visibility", "rated", "per_move_s", "seats", "seat", "invite",
    "level", "move", "expected_turn", "offer", "to_turn", "yes", "match",
)  # fmt: skip
BODIES = JSON | st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5)
PATHS = st.sampled_from(
    (
        "/players", "/matches", "/tickets", "/matches/{}/seats/B", "/matches/{}/invites",
        "/matches/{}/moves", "/matches/{}/offers", "/matches/{}/offers/draw/answer",
    )
)  # fmt: skip
QUERIES = st.text(st.characters(codec="utf-8"), max_size=12)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=PATHS, body=BODIES)
def test_any_body_gets_an_answer(ada: Person, path: str, body: Any) -> None:
    """201, or a problem that says what is wrong."""
    match = ada.opens()["match"]
    answer = ada.client.post(f"/v1{path.format(match)}", json=body, headers=ada.headers)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert {"type", "title", "status", "code", "detail"} <= answer.json().keys()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    page=st.sampled_from(("", "/legal-moves", "/steps", "/events", "/board.svg", "/export")),
    name=st.sampled_from(("ply", "version", "after", "limit", "prefix", "format")),
    value=QUERIES | st.integers(-10, 10**20).map(str),
)
def test_any_query_gets_an_answer(ada: Person, page: str, name: str, value: str) -> None:
    """Also for numbers that are none or far too large."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    answer = ada.client.get(f"/v1/matches/{match}{page}", params={name: value}, headers=ada.headers)
    assert answer.status_code < 500, answer.text


@pytest.mark.parametrize(
    "path",
    ["/v1/matches?game=%00", "/v1/matches/%00", "/static/a%00b", "/runs/%00", "/?before=%00"],
)
def test_an_address_with_a_nul_is_bad_input(client: TestClient[Litestar], path: str) -> None:
    """No store and no file system is ever asked for it; what only looks like one is let through."""
    assert client.get(path).status_code == 400
    assert client.get(path.replace("%00", "%2500")).status_code != 500


@pytest.mark.parametrize("body", [b"[" * 60_000, b'{"a":' * 12_000])
def test_a_body_nested_too_deeply_is_bad_input(client: TestClient[Litestar], body: bytes) -> None:
    """A sentence, and no fault of the server's."""
    answer = client.post(
        "/v1/players", content=body, headers={"Content-Type": "application/json"}
    ).json()
    assert (answer["status"], answer["code"]) == (400, "bad-input")
    assert answer["detail"] == "The body is nested too deeply."


@pytest.mark.parametrize("depth", [10, 200, 400, 800, 1_600])
def test_a_ruleset_nested_deeply_is_refused(ada: Person, depth: int) -> None:
    """However far it could be read."""
    ruleset = b'{"variant":' + b"[" * depth + b"]" * depth + b"}"
    answer = ada.client.post(
        "/v1/matches",
        content=b'{"game":"blokus","ruleset":' + ruleset + b"}",
        headers={**ada.headers, "Content-Type": "application/json"},
    )
    assert answer.status_code == 400, answer.text


@pytest.mark.parametrize("path", ["/v1/matches", "/"])
@pytest.mark.parametrize("number", [2**63, 99999999999999999999999, -1])
def test_a_number_no_store_can_hold_is_bad_input(
    client: TestClient[Litestar], path: str, number: int
) -> None:
    """The largest one that it can is as good as any other."""
    assert client.get(path, params={"before": number}).status_code == 400
    assert client.get(path, params={"before": 2**63 - 1}).status_code == 200


def test_every_number_in_an_address_is_bounded(home: House) -> None:
    """So that none of them can ever be too large for what it is used for."""
    paths = home.app().openapi_schema.to_schema()["paths"]
    asked = [
        (path, parameter["name"], {**parameter["schema"], **schema})
        for path, methods in paths.items()
        for method in methods.values()
        for parameter in method.get("parameters", ())
        for schema in (parameter["schema"], *parameter["schema"].get("oneOf", ()))
        if schema.get("type") == "integer"
    ]
    assert {"before", "limit", "after", "since"} <= {name for _, name, _ in asked}
    assert [at for *at, schema in asked if "maximum" not in schema] == []


def test_a_sender_that_goes_away_is_no_fault(home: House, caplog: pytest.LogCaptureFixture) -> None:
    """Nothing is logged above debug, and what nobody reads is not counted as a failure."""
    caplog.set_level(logging.INFO)
    incoming = iter(
        [
            {"type": "http.request", "body": b'{"na', "more_body": True},
            {"type": "http.disconnect"},
        ]
    )
    sent: list[Any] = []

    async def receive() -> Any:
        return next(incoming)

    async def send(message: Any) -> None:
        sent.append(message)

    scope: Any = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST",
        "scheme": "http", "path": "/v1/players", "raw_path": b"/v1/players", "query_string": b"",
        "root_path": "", "client": ("127.0.0.1", 1), "server": ("test", 80), "state": {},
        "headers": [(b"content-type", b"application/json"), (b"content-length", b"60")],
    }  # fmt: skip
    asyncio.run(home.app()(scope, receive, send))
    assert sent[0]["status"] == 400
    assert [record for record in caplog.records if record.name.startswith("plybook")] == []
