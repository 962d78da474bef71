"""Whoever erases themselves leaves nobody waiting for a ghost."""

from typing import Any

import pytest

from services.api import leaving
from services.match.state import MatchState
from tests.api.house import House, Person


def state_of(home: House, match: str) -> MatchState:
    """The match as it is now."""
    state = home.services.handler.load(match)
    assert state is not None
    return state


def erase(person: Person) -> int:
    """Ask for it; the status of the answer."""
    return person.client.delete("/v1/me", headers=person.headers).status_code


def running(ada: Person, bob: Person) -> str:
    """A match of two people that has begun."""
    match: str = ada.opens()["match"]
    assert bob.post(f"/matches/{match}/seats/B").status_code == 201
    return match


@pytest.mark.parametrize("listed", [True, False])
def test_running_matches_are_resigned(
    home: House, ada: Person, bob: Person, *, listed: bool
) -> None:
    """Also those that the lists have not caught up with; the chain holds, the other has won."""
    match = running(ada, bob)
    if listed:
        home.catch_up()
    assert erase(ada) == 204
    state = state_of(home, match)
    assert state.ended is not None
    assert (state.ended.how, state.ended.winners) == ("resign", ("B",))
    assert bob.get(f"/matches/{match}/audit").json()["good"]
    assert ada.get("/me").status_code == 401


def test_a_seat_in_somebody_elses_open_match_is_free_again(
    home: House, ada: Person, bob: Person
) -> None:
    """And the match goes on waiting for players."""
    match = bob.opens(ruleset={"variant": "classic"}, seats={"A": "me"})["match"]
    assert ada.post(f"/matches/{match}/seats/B").status_code == 201
    home.catch_up()
    assert erase(ada) == 204
    state = state_of(home, match)
    assert (state.status, state.holder("B")) == ("open", None)


def test_an_open_match_hosted_alone_is_called_off_and_its_invitations_are_void(
    home: House, ada: Person, bob: Person
) -> None:
    """Nobody could ever call it off later."""
    match = ada.opens()["match"]
    token = ada.post(f"/matches/{match}/invites", {"seat": "B"}).json()["invite"]
    home.catch_up()
    assert erase(ada) == 204
    ended = state_of(home, match).ended
    assert ended is not None
    assert ended.how == "cancelled"
    late = bob.post(f"/matches/{match}/seats/B", {"invite": token}).json()
    assert late["code"] == "no-such-invite"


def test_an_open_match_with_others_at_it_is_left_to_them(
    home: House, ada: Person, bob: Person
) -> None:
    """The host's seat is free; whoever sits there can still fill and play it."""
    match = ada.opens(ruleset={"variant": "classic"}, seats={"A": "me"})["match"]
    assert bob.post(f"/matches/{match}/seats/B").status_code == 201
    home.catch_up()
    assert erase(ada) == 204
    state = state_of(home, match)
    assert (state.status, state.holder("A")) == ("open", None)
    assert state.holder("B") is not None


def test_an_erasure_that_stops_half_way_is_finished_by_asking_again(
    home: House, ada: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The account goes last: as long as there is anything left to give up, it is still there."""
    matches = [running(ada, bob) for _ in range(3)]
    home.catch_up()
    monkeypatch.setattr(leaving, "STEPS_MAX", 2)
    first: Any = ada.client.delete("/v1/me", headers=ada.headers)
    assert (first.status_code, first.json()["code"]) == (503, "leaving-goes-on")
    assert ada.get("/me").status_code == 200
    assert erase(ada) == 204
    assert {state_of(home, match).status for match in matches} == {"ended"}
