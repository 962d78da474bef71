"""A private match does not exist for strangers: the same 404 at every door."""

import re

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import House, Person

UNKNOWN = "m-aaaaaaaaaaaaaaaa"
BODIES = {
    "moves": {"move": "e10", "expected_turn": 0},
    "invites": {"seat": "B"},
    "offers": {"offer": "draw"},
    "answer": {"yes": True},
    "entropy": {"entropy": "", "seed_commit": "00" * 32},
    "entries": {"text": "x"},
    "preview": {"move": "e10"},
}


def doors(app: Litestar) -> list[tuple[str, str]]:
    """Every (method, path) under a match."""
    return sorted(
        (method, route.path)
        for route in app.routes
        if "/matches/{match:str}" in route.path
        for method in getattr(route, "methods", ())
        if method not in ("OPTIONS", "HEAD")
    )


def knock(who: Person, method: str, path: str, match: str) -> tuple[int, str]:
    """The answer at a door, without the id that was asked for."""
    filled = path.replace("{match:str}", match).replace("{seat:str}", "B")
    filled = filled.replace("{offer:str}", "draw")
    page = not path.startswith("/v1")
    body = BODIES.get(path.rsplit("/", 1)[-1], {})
    form = {"key": "k", "seat": "B", "expected_turn": "0", "offer": "draw", "move": "e10"}
    form |= {"seed_commit": "00" * 32, "text": "x"}
    answer = who.client.request(
        method,
        filled,
        headers={**who.headers, "Accept": "text/html" if page else "application/json"},
        **({"data": form} if page else {"json": body} if method == "POST" else {}),
    )
    return answer.status_code, re.sub(r"m-[a-z2-7]{16}", "m-?", answer.text)


def test_every_door_of_a_private_match_is_no_door(
    home: House, client: TestClient[Litestar], ada: Person, bob: Person
) -> None:
    """A stranger cannot tell it from a match that was never opened."""
    match = ada.opens(visibility="private", seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, ada.first_moves(match)[0])
    home.computer_plays(match)
    every = doors(client.app)
    assert len(every) > 20
    for method, path in every:
        private = knock(bob, method, path, match)
        assert private == knock(bob, method, path, UNKNOWN), (method, path)
        assert private[0] == 404, (method, path, private)


def test_tickets_and_lists_keep_it_too(home: House, ada: Person, bob: Person) -> None:
    """No ticket for it, no line about it."""
    match = ada.opens(visibility="private")["match"]
    home.catch_up()
    assert bob.post("/tickets", {"match": match}).status_code == 404
    assert match not in bob.get("/matches").text
    assert match in ada.get("/matches").text


def test_the_host_without_a_seat_and_the_seated_see_it(ada: Person) -> None:
    """Whoever opened it may look, seated or not."""
    match = ada.opens(visibility="private", seats={})["match"]
    assert ada.get(f"/matches/{match}").status_code == 200


@pytest.mark.parametrize(
    "match", ["x", "m-short", "m-" + "a" * 17, "M-AAAAAAAAAAAAAAAA", "m-" + "1" * 16]
)
def test_what_is_no_id_is_no_match(ada: Person, match: str) -> None:
    """404 without a look into the log."""
    assert ada.get(f"/matches/{match}").json()["code"] == "no-such-match"
