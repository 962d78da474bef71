"""One damaged record is one record's trouble: it is named, and everything else goes on."""

import logging

import pytest
from litestar import Litestar
from litestar.testing import TestClient
from sqlalchemy import update

from events.schema import event
from events.secret_store import Sealer
from services.match.handler import Handler, stream_of
from services.projections.inline import written_rows
from tests.api.house import KEY, LEVELS, OPERATOR, House, Person
from tests.kit.tampering import change_data, tamper


def damaged(home: House, ada: Person, data: bytes = b"{broken", **match: str) -> str:
    """A public match whose second event is damaged on the disk, and the lists that hold it."""
    name: str = ada.opens(visibility="public", **match)["match"]
    home.catch_up()
    change_data(home.services.store, stream_of(name), 2, data)
    return name


def after_restart(home: House) -> TestClient[Litestar]:
    """A client before a process that has folded nothing yet."""
    log = home.services.log
    handler = Handler(log, sealer=Sealer(KEY), levels=LEVELS, id_key=KEY, written_rows=written_rows)
    return TestClient(home.app(handler=handler))


@pytest.mark.parametrize("data", [b"{broken", b"\xff\xfe", b'{"seat":7}', b"[" * 5_000])
def test_a_damaged_match_is_named_wherever_it_is_read(
    home: House, ada: Person, data: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    """500 with a code of its own, the match and the event; a line in the log, no traceback."""
    match = damaged(home, ada, data)
    caplog.set_level(logging.INFO, "plybook.http")
    with after_restart(home) as client:
        problem = client.get(f"/v1/matches/{match}").json()
        page = client.get(f"/matches/{match}", headers={"Accept": "text/html"})
    assert (problem["status"], problem["code"]) == (500, "damaged")
    assert f"event 2 of {match}" in problem["detail"]
    assert page.status_code == 500
    assert f"event 2 of {match}" in page.text
    assert {record.levelname for record in caplog.records} == {"WARNING"}
    assert not any(record.exc_info for record in caplog.records)


def test_lists_show_a_damaged_match_in_one_line(home: House, ada: Person) -> None:
    """Beside the others, which are there as always."""
    match = damaged(home, ada)
    good = ada.opens(visibility="public")["match"]
    home.catch_up()
    with after_restart(home) as client:
        lines = client.get("/v1/matches").json()["matches"]
        page = client.get("/", headers={"Accept": "text/html"})
    assert [(line["match"], line["status"]) for line in lines] == [
        (good, "open"),
        (match, "unreadable"),
    ]
    assert page.status_code == 200
    assert "This match cannot be read." in page.text


def test_a_match_of_a_newer_program_is_shown_as_unreadable(home: House, ada: Person) -> None:
    """A kind this program does not know is no damage, but no more readable."""
    match = ada.opens(visibility="public")["match"]
    home.catch_up()
    here = (event.c.stream == stream_of(match), event.c.version == 2)
    newer = update(event).where(*here).values(kind="match.seat_taken.99")
    tamper(home.services.store, lambda connection: connection.execute(newer))
    with after_restart(home) as client:
        assert client.get("/v1/matches").json()["matches"][0]["status"] == "unreadable"
        assert client.get(f"/v1/matches/{match}").json()["code"] == "newer-log"
        assert client.get(f"/v1/matches/{match}/audit").status_code == 200


@pytest.mark.parametrize("data", [b"{broken", b"\xff\xfe", b'{"seat":7}', b"[" * 5_000])
def test_events_and_audit_look_at_a_match_nobody_can_fold(
    home: House, ada: Person, data: bytes
) -> None:
    """They are there to find out what happened to it."""
    match = damaged(home, ada, data)
    with after_restart(home) as client:
        events = client.get(f"/v1/matches/{match}/events")
        audit = client.get(f"/v1/matches/{match}/audit")
    assert events.status_code == 200, events.text
    assert [shown["version"] for shown in events.json()["events"]] == [1, 2]
    assert audit.status_code == 200, audit.text
    assert not audit.json()["good"]
    assert audit.json()["verdict"] == "differs at event 2"


def test_a_damaged_private_match_is_still_private(home: House, ada: Person, bob: Person) -> None:
    """Its host and the operator look at it; for everybody else there is no such match."""
    match = ada.opens(visibility="private")["match"]
    change_data(home.services.store, stream_of(match), 2, b"{broken")
    operator = {"Authorization": f"Bearer {OPERATOR}"}
    with after_restart(home) as client:
        for page in ("events", "audit"):
            path = f"/v1/matches/{match}/{page}"
            assert client.get(path, headers=ada.headers).status_code == 200
            assert client.get(path, headers=operator).status_code == 200
            assert client.get(path, headers=bob.headers).status_code == 404
            assert client.get(path).status_code == 404
