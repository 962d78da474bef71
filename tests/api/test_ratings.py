"""Adaptive opponents and the table of ratings, over HTTP and on pages."""

import re
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import House, Person
from tests.api.test_pages import Visitor

START = 2


def loses_to_the_follower(home: House, person: Person) -> str:
    """A match against the adaptive computer, given up, and learnt from."""
    match = str(person.opens(seats={"A": "me", "B": follower()})["match"])
    person.post(f"/matches/{match}/resign")
    home.services.opponents.learn(match, home.clock())
    home.catch_up()
    return match


def follower(level: int = START) -> dict[str, Any]:
    """A seat of the adaptive computer that begins at a level."""
    return {"level": level, "adaptive": True}


def test_an_adaptive_computer_takes_a_seat_and_says_what_it_plays_at(
    home: House, ada: Person
) -> None:
    """The first match is played where it begins; the next where the last result leads to."""
    first = ada.opens(seats={"A": "me", "B": follower()})["view"]["seats"][1]
    assert (first["kind"], first["level"], first["adaptive"]) == ("computer", START, True)
    assert ada.get("/opponents").json() == {"opponents": []}

    loses_to_the_follower(home, ada)

    (opponent,) = ada.get("/opponents").json()["opponents"]
    assert (opponent["game"], opponent["level"]) == ("blokus", 1)
    assert opponent["unsure"] < 8.333
    second = ada.opens(seats={"A": "me", "B": follower()})["view"]["seats"][1]
    assert (second["level"], second["adaptive"]) == (1, True)


def test_the_host_seats_an_adaptive_computer_at_an_open_table(ada: Person, bob: Person) -> None:
    """The start, not the seating, fixes its level; a guest cannot seat one."""
    match = ada.opens(ruleset={"variant": "classic-3"})["match"]
    path = f"/matches/{match}/seats/B"
    assert bob.post(path, follower()).json()["code"] == "not-the-host"
    seated = ada.post(path, follower()).json()["view"]["seats"][1]
    assert (seated["level"], seated["adaptive"]) == (START, True)
    assert ada.post(f"/matches/{match}/seats/C", {"adaptive": True}).json()["code"] == "no-level"


@pytest.mark.parametrize("level", [9, 99])
def test_an_adaptive_computer_begins_at_a_level_of_the_house(ada: Person, level: int) -> None:
    """An operator's further levels are no place on the way up."""
    wanted = {"game": "blokus", "ruleset": {"variant": "duo"}, "seats": {"B": follower(level)}}
    refused = ada.post("/matches", wanted)
    assert (refused.status_code, refused.json()["code"]) == (400, "no-such-level")
    assert f"no level {level} that a computer adapts from" in refused.json()["detail"]


def test_the_table_shows_people_by_name_and_levels_by_number(home: House, ada: Person) -> None:
    """The surely best first; strangers may look, and an unknown game is a sentence."""
    loses_to_the_follower(home, ada)
    table = ada.client.get("/v1/ratings/blokus").json()
    assert (table["game"], table["title"]) == ("blokus", "Blokus")
    shown = [(one["place"], one["name"], one["level"]) for one in table["ratings"]]
    assert shown == [(1, "", START), (2, "Ada", 0)]
    for one in table["ratings"]:
        assert one["rating"] == pytest.approx(one["skill"] - 3 * one["unsure"])
    missing = ada.client.get("/v1/ratings/go").json()
    assert (missing["status"], missing["code"]) == (404, "no-such-game")


def test_who_left_stands_in_no_table(home: House, ada: Person) -> None:
    """Their matches keep an id that leads nowhere; a table of such would tell nobody anything."""
    loses_to_the_follower(home, ada)
    ada.client.delete("/v1/me", headers=ada.headers)
    table = ada.client.get("/v1/ratings/blokus").json()
    assert [one["level"] for one in table["ratings"]] == [START]


def test_pages_offer_it_and_show_the_table(home: House, client: TestClient[Litestar]) -> None:
    """Chosen in the form, named at the table, and after the match the page knows its level."""
    ada = Visitor(home.app(), "Ada")
    form = ada.opens("/new/blokus/duo").text
    assert "Computer that adapts to you</option>" in form
    assert 'name="begins_at"' in form
    path = ada.opens_match(seat_B="adaptive", begins_at=str(START))
    assert f"Adaptive computer, level {START}" in ada.opens(path).text
    ada.sends(f"{path}/resign", {"seat": "A", "sure": "yes"})
    home.services.opponents.learn(path.rpartition("/")[2], home.clock())
    home.catch_up()

    page = ada.opens("/ratings/blokus").text
    assert "The computer that adapts to you plays Blokus at level 1 next." in page
    rows = re.findall(r'<th scope="row">([^<]+)</th>', page)
    assert rows == [f"Computer, level {START}", "You"]
    assert '<th scope="row">Ada</th>' in client.get("/ratings/blokus").text
    assert "Nobody has finished" in client.get("/ratings/hedgerow").text
    again = ada.opens("/new/blokus/duo").text
    assert "Computer that adapts to you, now level 1</option>" in again
    assert client.get("/ratings").status_code == 200
