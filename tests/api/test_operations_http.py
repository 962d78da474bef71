"""Health, problems of every kind, and the API's description of itself."""

import logging

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from events.codec import UnknownKind
from events.log import LogFailure
from tests.api.house import House


def test_a_process_is_alive_and_ready(client: TestClient[Litestar]) -> None:
    """Both say ok."""
    for path in ("/health/live", "/health/ready"):
        assert client.get(path).json()["status"] == "ok"


def test_readiness_names_what_is_wrong(home: House) -> None:
    """503 with a sentence for each check that failed."""
    checks = {"queue": lambda: "the oldest work waits 90 s", "disk": lambda: ""}
    with TestClient(home.app(checks=checks)) as client:
        answer = client.get("/health/ready")
        assert answer.status_code == 503
        assert answer.json()["wrong"] == {"queue": "the oldest work waits 90 s"}
        assert client.get("/health/live").status_code == 200


def test_a_process_without_its_log_is_not_ready(
    home: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """503 saying what the store said."""

    def fails() -> int:
        raise LogFailure("disk full")

    monkeypatch.setattr(home.services.log, "position", fails)
    with TestClient(home.app()) as client:
        answer = client.get("/health/ready")
    assert (answer.status_code, answer.json()["wrong"]) == (503, {"log": "disk full"})


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (RuntimeError("secret detail"), (500, "server-fault")),
        (LogFailure("secret detail"), (503, "log-failure")),
        (UnknownKind("match.future.9"), (503, "newer-log")),
    ],
)
def test_a_fault_of_ours_is_a_problem_without_details(
    home: House,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    told: tuple[int, str],
) -> None:
    """The caller learns that it was us; the reason is in our log."""

    def fails(_token: str) -> str:
        raise error

    monkeypatch.setattr(home.services.players, "by_token", fails)
    with (
        TestClient(home.app(), raise_server_exceptions=False) as client,
        caplog.at_level(logging.ERROR),
    ):
        answer = client.get("/v1/me", headers={"Authorization": "Bearer x"})
    assert (answer.status_code, answer.json()["code"]) == told
    assert "secret detail" not in answer.text
    assert ("secret detail" in caplog.text) == ("secret" in str(error))


def test_every_wrong_address_and_method_is_a_problem(client: TestClient[Litestar]) -> None:
    """JSON for programs, a page for people."""
    for method, path, status in (
        ("GET", "/v1/nothing", 404),
        ("PUT", "/v1/me", 405),
        ("GET", "/nothing", 404),
    ):
        answer = client.request(method, path)
        assert answer.status_code == status
        assert answer.json()["status"] == status
    page = client.get("/nothing", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["content-type"]) == (404, "text/html; charset=utf-8")


def test_a_problem_has_the_shape_of_rfc_9457(client: TestClient[Litestar]) -> None:
    """``type``, ``title``, ``status``, ``detail``, and our ``code`` and ``details``."""
    answer = client.get("/v1/matches/m-aaaaaaaaaaaaaaaa")
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.json() == {
        "type": "urn:plybook:problem:no-such-match",
        "title": "No such match",
        "status": 404,
        "code": "no-such-match",
        "detail": "There is no match m-aaaaaaaaaaaaaaaa that you can see.",
        "details": {},
    }


def test_the_api_describes_itself(client: TestClient[Litestar]) -> None:
    """As a document for programs and as a page that loads nothing from elsewhere."""
    document = client.get("/schema/openapi.json").json()
    assert "/v1/matches/{match}/moves" in document["paths"]
    assert not any(path.startswith("/matches") for path in document["paths"])
    assert "expected_turn" in document["components"]["schemas"]["NewMove"]["required"]
    page = client.get("/schema")
    assert page.status_code == 200
    assert "POST" in page.text
    assert "/v1/matches/{match}/moves" in page.text
    assert "http://" not in page.text.replace("http://testserver", "")
    assert "https://" not in page.text
    for operations in document["paths"].values():
        for operation in operations.values():
            assert operation["description"], "every operation says what it does"
