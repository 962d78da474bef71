"""Opening matches, taking seats, invitations, lists."""

from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from events.log import CommandId, Namespace
from services.games.registry import REGISTRY
from services.match.commands import CreateMatch
from services.match.handler import Done
from tests.api.house import House, Person


def test_a_full_match_starts_by_itself(ada: Person) -> None:
    """Me against a computer: one request, and the first move is mine."""
    opened = ada.opens(seats={"A": "me", "B": {"level": 2}})
    view = opened["view"]
    assert (view["status"], view["to_move"], opened["turn"]) == ("running", "A", 0)
    assert opened["you"] == ["A"]
    assert [seat["kind"] for seat in view["seats"]] == ["person", "computer"]
    assert opened["names"] == {ada.player: "Ada"}


def test_an_open_seat_is_taken_by_whoever_has_the_link(ada: Person, bob: Person) -> None:
    """The last seat starts the match; a second taker is told that it is taken."""
    match = ada.opens()["match"]
    assert bob.get(f"/matches/{match}").json()["view"]["status"] == "open"
    taken = bob.post(f"/matches/{match}/seats/B")
    assert (taken.status_code, taken.json()["view"]["status"]) == (201, "running")
    again = bob.post(f"/matches/{match}/seats/B").json()
    assert (again["status"], again["code"]) == (409, "not-open")


def test_a_seat_can_be_left_before_the_start(ada: Person, bob: Person) -> None:
    """By its holder or the host, not by somebody else."""
    match = ada.opens(ruleset={"variant": "classic"})["match"]
    bob.post(f"/matches/{match}/seats/C")
    path = f"/v1/matches/{match}/seats"
    refused = bob.client.delete(f"{path}/A", headers=bob.headers).json()
    assert (refused["status"], refused["code"]) == (403, "not-your-seat")
    left = bob.client.delete(f"{path}/C", headers=bob.headers).json()
    assert [seat["kind"] for seat in left["view"]["seats"]] == ["person", "free", "free", "free"]


def test_only_the_host_seats_computers_and_calls_off(ada: Person, bob: Person) -> None:
    """403 for others; afterwards nobody sits down any more."""
    match = ada.opens(ruleset={"variant": "classic"})["match"]
    refused = bob.post(f"/matches/{match}/seats/B", {"level": 1}).json()
    assert (refused["status"], refused["code"]) == (403, "not-the-host")
    assert ada.post(f"/matches/{match}/seats/B", {"level": 1}).status_code == 201
    assert bob.post(f"/matches/{match}/cancel").json()["code"] == "not-the-host"
    ended = ada.post(f"/matches/{match}/cancel").json()
    assert (ended["view"]["status"], ended["view"]["how"]) == ("ended", "cancelled")
    assert bob.post(f"/matches/{match}/seats/C").json()["code"] == "not-open"


@pytest.mark.parametrize(
    ("wrong", "code", "detail"),
    [
        ({"game": "chess"}, "no-such-game", {"games": list(REGISTRY.slugs())}),
        ({"ruleset": {"variant": "huge"}}, "bad-ruleset", {}),
        ({"ruleset": {"colour": 1}}, "bad-ruleset", {}),
        ({"seats": {"C": "me"}}, "no-such-seat", {"seats": ["A", "B"]}),
        ({"seats": {"B": {"level": 8}}}, "no-such-level", {"levels": [1, 2]}),
    ],
)
def test_a_bad_wish_says_what_would_be_right(
    ada: Person, wrong: dict[str, Any], code: str, detail: dict[str, Any]
) -> None:
    """400 before anything is written."""
    wanted = {"game": "blokus", "ruleset": {"variant": "duo"}, **wrong}
    problem = ada.post("/matches", wanted).json()
    assert (problem["status"], problem["code"], problem["details"]) == (400, code, detail)
    assert problem["type"] == f"urn:plybook:problem:{code}"


@pytest.mark.parametrize(
    "wrong",
    [
        {"game": 7},
        {"game": "blokus", "visibility": "secret"},
        {"game": "blokus", "seats": {"E": "me"}},
        {"game": "blokus", "seats": {"A": "you"}},
        {"game": "blokus", "seats": {"A": {"level": 100}}},
        {"game": "blokus", "surprise": True},
        {},
    ],
)
def test_a_body_that_cannot_be_read_names_what_is_wrong(ada: Person, wrong: dict[str, Any]) -> None:
    """400 with every field that is wrong."""
    problem = ada.post("/matches", wrong).json()
    assert (problem["status"], problem["code"]) == (400, "bad-input")
    assert problem["details"]["fields"]


def test_the_same_key_opens_one_match(home: House, ada: Person) -> None:
    """A repeated request, whole or half-done before, gets the first answer."""
    wanted = {
        "game": "blokus",
        "ruleset": {"variant": "duo"},
        "seats": {"A": "me", "B": {"level": 1}},
    }
    first = ada.post("/matches", wanted, key="open-1")
    second = ada.post("/matches", wanted, key="open-1")
    assert "Idempotent-Replayed" not in first.headers
    assert second.headers["Idempotent-Replayed"] == "true"
    assert second.json() == first.json()
    assert len(home.services.log.streams("match/")) == 1


@pytest.mark.parametrize(
    "other",
    [
        {"rated": True},
        {"seats": {"A": "me", "B": {"level": 2}}},
        {"seats": {"B": "me", "A": {"level": 1}}},
        {"seats": {}},
    ],
)
def test_a_key_means_the_whole_request(ada: Person, other: dict[str, Any]) -> None:
    """Another match, or other people at it, is another request: its key has been used."""
    wanted = {"game": "blokus", "seats": {"A": "me", "B": {"level": 1}}}
    wanted["ruleset"] = {"variant": "duo"}
    assert ada.post("/matches", wanted, key="open-3").status_code == 201
    refused = ada.post("/matches", {**wanted, **other}, key="open-3").json()
    assert (refused["status"], refused["code"]) == (409, "command-reused")


def test_a_match_called_off_says_so(ada: Person, bob: Person) -> None:
    """Whoever comes too late is told why: it was called off, or it has begun."""
    match = ada.opens()["match"]
    assert ada.post(f"/matches/{match}/cancel").status_code == 201
    late = bob.post(f"/matches/{match}/seats/B").json()
    assert (late["code"], late["detail"]) == ("not-open", "This match was called off.")
    running = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    begun = bob.post(f"/matches/{running}/seats/B").json()
    assert begun["detail"] == "This match has started; that is done only before the start."


def test_a_half_done_request_is_finished_by_its_repetition(home: House, ada: Person) -> None:
    """The server died after the first event: the same request again seats and starts."""
    half = home.services.handler.create(
        CreateMatch(game="blokus", ruleset={"variant": "duo"}),
        actor=f"player:{ada.player}",
        command_id=CommandId(Namespace.OUTSIDE, "open-2"),
        received_at=home.clock(),
        request=b'{"A":"me","B":{"level":1}}',
    )
    assert isinstance(half, Done)
    again = ada.post(
        "/matches",
        {"game": "blokus", "ruleset": {"variant": "duo"}, "seats": {"A": "me", "B": {"level": 1}}},
        key="open-2",
    ).json()
    assert (again["match"], again["view"]["status"]) == (half.match, "running")


def test_the_same_key_of_two_people_is_two_matches(ada: Person, bob: Person) -> None:
    """Keys belong to whoever sends them."""
    wanted = {"game": "blokus"}
    matches = {p.post("/matches", wanted, key="k").json()["match"] for p in (ada, bob)}
    assert len(matches) == 2


def test_an_invitation_opens_its_seat_once(
    client: TestClient[Litestar], ada: Person, bob: Person
) -> None:
    """Even in a private match; for a third person it is unknown afterwards."""
    match = ada.opens(visibility="private", ruleset={"variant": "classic"})["match"]
    made = ada.post(f"/matches/{match}/invites", {"seat": "B"}).json()
    assert made["url"].endswith(f"/join/{made['invite']}")
    assert bob.get(f"/matches/{match}").status_code == 404
    taken = bob.post(f"/matches/{match}/seats/B", {"invite": made["invite"]})
    assert (taken.status_code, taken.json()["you"]) == (201, ["B"])
    assert bob.get(f"/matches/{match}").status_code == 200
    eve = Person(client, "Eve")
    refused = eve.post(f"/matches/{match}/seats/B", {"invite": made["invite"]}).json()
    assert (refused["status"], refused["code"]) == (404, "no-such-invite")


def test_an_invitation_is_for_its_own_seat_and_match(ada: Person, bob: Person) -> None:
    """Shown at another door it is as good as none, and stays unused."""
    match = ada.opens(ruleset={"variant": "classic"})["match"]
    other = ada.opens(ruleset={"variant": "classic"})["match"]
    token = ada.post(f"/matches/{match}/invites", {"seat": "B"}).json()["invite"]
    for path in (f"/matches/{match}/seats/C", f"/matches/{other}/seats/B"):
        assert bob.post(path, {"invite": token}).json()["code"] == "no-such-invite"
    assert bob.post(f"/matches/{match}/seats/B", {"invite": token}).status_code == 201


def test_a_refused_seat_does_not_burn_the_invitation(ada: Person, bob: Person) -> None:
    """Somebody else was there first; when the seat is free again the invitation is good."""
    match = ada.opens(ruleset={"variant": "classic"})["match"]
    token = ada.post(f"/matches/{match}/invites", {"seat": "B"}).json()["invite"]
    ada.post(f"/matches/{match}/seats/B", {"level": 1})
    refused = bob.post(f"/matches/{match}/seats/B", {"invite": token}).json()
    assert refused["code"] == "seat-taken"
    ada.client.delete(f"/v1/matches/{match}/seats/B", headers=ada.headers)
    assert bob.post(f"/matches/{match}/seats/B", {"invite": token}).status_code == 201


def test_strangers_do_not_invite(ada: Person, bob: Person) -> None:
    """Nor is there an invitation to a seat that is taken."""
    match = ada.opens()["match"]
    refused = bob.post(f"/matches/{match}/invites", {"seat": "B"}).json()
    assert (refused["status"], refused["code"]) == (403, "not-seated")
    taken = ada.post(f"/matches/{match}/invites", {"seat": "A"}).json()
    assert (taken["status"], taken["details"]) == (409, {"free": ["B"]})


def test_lists_show_public_matches_and_my_own(
    home: House, client: TestClient[Litestar], ada: Person, bob: Person
) -> None:
    """Newest first, a page at a time; filters by game, status and mine."""
    public = [ada.opens(visibility="public")["match"] for _ in range(3)]
    linked = ada.opens(visibility="link")["match"]
    running = ada.opens(visibility="private", seats={"A": "me", "B": {"level": 1}})["match"]
    home.catch_up()

    def listed(who: Person, query: str = "") -> list[str]:
        return [line["match"] for line in who.get(f"/matches{query}").json()["matches"]]

    assert listed(bob) == public[::-1]
    assert [line["match"] for line in client.get("/v1/matches").json()["matches"]] == public[::-1]
    assert listed(ada, "?mine=true") == [running, linked, *public[::-1]]
    assert listed(ada, "?status=running") == [running]
    assert listed(ada, "?game=other") == []
    first = bob.get("/matches?limit=2").json()
    rest = bob.get(f"/matches?limit=2&before={first['next']}").json()
    assert [line["match"] for line in first["matches"]] == public[:0:-1]
    assert ([line["match"] for line in rest["matches"]], rest["next"]) == (public[:1], 0)
    bob.post(f"/matches/{linked}/seats/B")
    home.catch_up()
    assert listed(bob, "?mine=true") == [linked]


@pytest.mark.parametrize("seat", ["Q", "QQ", "a", "%0A", "A%0A"])
def test_what_is_no_seat_is_bad_input(ada: Person, seat: str) -> None:
    """In a path and in a body alike."""
    match = ada.opens()["match"]
    path = f"/v1/matches/{match}/seats/{seat}"
    for method in ("POST", "DELETE"):
        answer = ada.client.request(method, path, headers=ada.headers)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad-input")
    answer = ada.post(f"/matches/{match}/invites", {"seat": seat.replace("%0A", "\n")})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-input")


def test_a_missing_body_is_asked_for(ada: Person) -> None:
    """In a sentence that says so."""
    problem = ada.client.post("/v1/matches", headers=ada.headers).json()
    assert (problem["status"], problem["detail"]) == (400, "The request needs a JSON body.")
