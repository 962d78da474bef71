"""Live streams over a real server: nothing missed, resumed by version, closed at the end."""

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import pytest

from ops.web_server import web_server
from services.api.hub import Hub
from tests.api.house import House, Person


@pytest.fixture
def real(home: House) -> Iterator[httpx.Client]:
    """A client before a real server whose hub is rung for every event."""
    with (
        home.ringing(),
        web_server(home.app(), "127.0.0.1", 0) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        try:
            yield client
        finally:
            home.services.hub.close()


@pytest.fixture
def ada(real: httpx.Client) -> Person:
    """Somebody at the real server."""
    return Person(real, "Ada")


@contextmanager
def listening(who: Person, match: str, query: str = "", **headers: str) -> Iterator[Iterator[str]]:
    """The lines of a stream."""
    path = f"/v1/matches/{match}/events/stream{query}"
    with who.client.stream("GET", path, headers={**who.headers, **headers}) as answer:
        assert answer.status_code == 200
        yield answer.iter_lines()


def next_of(lines: Iterator[str], kind: str) -> dict[str, Any]:
    """The next line of a type; blank keep-alives are passed over."""
    for line in lines:
        if line and (message := json.loads(line))["type"] == kind:
            return dict(message)
    raise AssertionError(f"the stream ended before a line of type {kind}")


def test_the_first_line_is_the_whole_match_and_moves_follow(home: House, ada: Person) -> None:
    """Each event as it comes, then the match as it stands after it."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    version = ada.get(f"/matches/{match}").json()["version"]
    with listening(ada, match, f"?since={version}") as lines:
        first = json.loads(next(lines))
        assert (first["type"], first["version"], first["view"]["ply"]) == ("match", version, 0)
        ada.plays(match, 0, ada.first_moves(match)[0])
        event = next_of(lines, "event")
        assert (event["kind"], event["version"]) == ("match.move_played.1", version + 1)
        after = next_of(lines, "match")
        assert (after["version"], after["view"]["to_move"]) == (version + 1, "B")
        home.computer_plays(match)
        assert next_of(lines, "event")["version"] == version + 2


def test_a_reader_resumes_after_the_version_it_saw(ada: Person) -> None:
    """``since`` brings exactly what came after, in order, nothing twice."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    total = ada.get(f"/matches/{match}").json()["version"]
    with listening(ada, match, "?since=1") as lines:
        next(lines)
        versions = [next_of(lines, "event")["version"] for _ in range(total - 1)]
    assert versions == list(range(2, total + 1))


def test_a_stream_ends_with_its_match(ada: Person) -> None:
    """The last line says so, and the connection closes; also for a match that is over."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    with listening(ada, match) as lines:
        next(lines)
        ada.post(f"/matches/{match}/resign")
        assert json.loads(list(lines)[-1]) == {"type": "ended"}
    with listening(ada, match) as lines:
        assert json.loads(list(lines)[-1]) == {"type": "ended"}


def test_blank_lines_keep_a_quiet_stream_alive(ada: Person) -> None:
    """A reader can tell silence from a dead line."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    version = ada.get(f"/matches/{match}").json()["version"]
    with listening(ada, match, f"?since={version}") as lines:
        next(lines)
        assert [next(lines), next(lines)] == ["", ""]


def test_a_lost_bell_loses_nothing(home: House) -> None:
    """Without any bus the keep-alive looks into the log as well."""
    with (
        web_server(home.app(hub=Hub()), "127.0.0.1", 0) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        ada = Person(client, "Ada")
        match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
        version = ada.get(f"/matches/{match}").json()["version"]
        with listening(ada, match, f"?since={version}") as lines:
            next(lines)
            ada.plays(match, 0, ada.first_moves(match)[0])
            assert next_of(lines, "event")["version"] == version + 1
            ada.post(f"/matches/{match}/resign")
            assert list(lines)[-1] == '{"type":"ended"}'


def test_pages_get_server_sent_events_that_resume_by_id(ada: Person) -> None:
    """``id`` is the version; ``Last-Event-ID`` is where a reconnect goes on."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    ada.post(f"/matches/{match}/resign")
    sse = {"Accept": "text/event-stream"}
    with listening(ada, match, "", **sse) as lines:
        whole = list(lines)
    ids = [int(line.removeprefix("id: ")) for line in whole if line.startswith("id: ")]
    assert ids == list(range(1, ids[-1] + 1))
    assert whole[0] == "event: match"
    assert whole[-3] == "event: ended"
    with listening(ada, match, "", **sse, **{"Last-Event-ID": str(ids[-2])}) as lines:
        rest = [line for line in lines if line.startswith("id: ")]
    assert rest == [f"id: {ids[-1]}"]


def test_a_ticket_opens_one_private_stream_for_a_minute(
    home: House, real: httpx.Client, ada: Person
) -> None:
    """No token in an address: a ticket is for one match, and for sixty seconds."""
    match = ada.opens(visibility="private", seats={"A": "me", "B": {"level": 1}})["match"]
    other = ada.opens(visibility="private")["match"]
    ada.post(f"/matches/{match}/resign")
    ticket = ada.post("/tickets", {"match": match}).json()
    assert ticket["expires_in"] == 60
    path = f"/v1/matches/{match}/events/stream"
    assert real.get(path).status_code == 404
    assert real.get(path, params={"ticket": ticket["ticket"]}).status_code == 200
    forged = ticket["ticket"].replace(match, other)
    for wrong, where in ((forged, other), (ticket["ticket"], other), ("x", match)):
        refused = real.get(f"/v1/matches/{where}/events/stream", params={"ticket": wrong}).json()
        assert (refused["status"], refused["code"]) == (401, "bad-ticket")
    home.clock.pass_seconds(61)
    assert real.get(path, params={"ticket": ticket["ticket"]}).json()["code"] == "bad-ticket"


def test_streams_of_one_address_are_bounded(home: House) -> None:
    """429 with the limit's key and seconds; a closed stream makes room."""
    hub = Hub(of_one_max=1)
    with (
        web_server(home.app(hub=hub), "127.0.0.1", 0) as server,
        httpx.Client(base_url=server.url) as client,
    ):
        ada = Person(client, "Ada")
        match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
        with listening(ada, match) as lines:
            next(lines)
            refused = ada.get(f"/matches/{match}/events/stream").json()
            assert (refused["status"], refused["code"]) == (429, "too-many")
            assert refused["details"] == {"key": "streams-by-address", "seconds": 10}
        deadline = time.monotonic() + 20
        while len(hub) and time.monotonic() < deadline:
            time.sleep(0.01)
        assert len(hub) == 0
        hub.close()


def test_a_stopping_server_says_goodbye(home: House, ada: Person) -> None:
    """The last line says that the server closes; the reader knows to come back."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    with listening(ada, match) as lines:
        next(lines)
        home.services.hub.close()
        assert json.loads(list(lines)[-1]) == {"type": "closed"}
