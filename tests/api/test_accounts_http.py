"""Accounts over HTTP: one token, shown once; a problem for everybody else."""

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from tests.api.house import OPERATOR, House, Person, replaced


def test_an_account_is_a_name_and_a_token(ada: Person) -> None:
    """The token names its player afterwards and is in no other answer."""
    me = ada.get("/me")
    assert me.json() == {"player": ada.player, "name": "Ada"}
    assert ada.token not in me.text


@pytest.mark.parametrize("header", ["", "Bearer nobody", "Basic abc", "Bearer", "Bearer  "])
def test_strangers_are_told_how_to_say_who_they_are(
    client: TestClient[Litestar], header: str
) -> None:
    """401 with the way in, as a problem."""
    answer = client.get("/v1/me", headers={"Authorization": header} if header else {})
    assert answer.status_code == 401
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["www-authenticate"] == "Bearer"
    assert answer.json()["code"] == "who-are-you"


def test_a_bad_name_says_what_a_good_one_is(client: TestClient[Litestar]) -> None:
    """400 naming the field."""
    problem = client.post("/v1/players", json={"name": "<script>"}).json()
    assert (problem["status"], problem["code"]) == (400, "bad-name")
    assert problem["details"] == {"field": "name"}
    assert "letters" in problem["detail"]


def test_an_erased_player_is_gone_and_their_match_still_proves(ada: Person) -> None:
    """The token stops working; the match keeps a bare id, and its chain verifies."""
    match = ada.opens(visibility="public", seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, ada.first_moves(match)[0])
    assert ada.client.delete("/v1/me", headers=ada.headers).status_code == 204
    assert ada.get("/me").status_code == 401
    view = ada.client.get(f"/v1/matches/{match}").json()
    assert view["names"] == {}
    assert view["view"]["seats"][0]["player"] == ada.player
    assert ada.client.get(f"/v1/matches/{match}/audit").json()["good"]


def test_the_operator_is_no_player(client: TestClient[Litestar]) -> None:
    """Their token opens the operator's doors only."""
    headers = {"Authorization": f"Bearer {OPERATOR}"}
    assert client.get("/v1/me", headers=headers).status_code == 401
    assert client.post("/v1/imports", content=b"?", headers=headers).status_code == 200


def test_without_an_operator_nobody_is_one(home: House) -> None:
    """An empty hash matches no token, not even an empty one."""
    with TestClient(home.app(operator_hash=b"")) as client:
        for token in (OPERATOR, " ", ""):
            headers = {"Authorization": f"Bearer {token}"}
            assert client.post("/v1/operations/rebuild", headers=headers).status_code in (401, 403)


def test_a_player_is_no_operator(ada: Person) -> None:
    """403 for who is known, 401 for who is not."""
    assert ada.post("/operations/rebuild").json()["code"] == "operators-only"
    assert ada.client.post("/v1/imports", content=b"x").status_code == 401


def test_the_operator_rebuilds(home: House) -> None:
    """What the rebuild did is the answer."""
    with TestClient(home.app(rebuild=lambda: {"boards": 3})) as client:
        headers = {"Authorization": f"Bearer {OPERATOR}"}
        answer = client.post("/v1/operations/rebuild", headers=headers)
        assert (answer.status_code, answer.json()) == (201, {"boards": 3})
    assert replaced(home.services).rebuild is None
