"""Limits: of requests, accounts and computer turns, each told with its key and the seconds."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pytest
from litestar import Litestar
from litestar.testing import TestClient

from services.api.limits import BUCKETS_MAX, Buckets
from tests.api.house import OPEN_HOUSE, House, Person


@contextmanager
def limited(home: House, **limits: Any) -> Iterator[TestClient[Litestar]]:
    """A client before a house with these limits."""
    with TestClient(home.app(limits=replace(OPEN_HOUSE, **limits))) as client:
        yield client


class Hand:
    """Seconds, moved by hand."""

    now = 0.0

    def __call__(self) -> float:
        """Now."""
        return self.now


def test_a_bucket_fills_again_steadily() -> None:
    """Whoever waits as long as told is let in, and not sooner."""
    clock = Hand()
    bucket = Buckets(3, 60.0, clock)
    assert [bucket.take("ada") for _ in range(4)] == [0.0, 0.0, 0.0, 20.0]
    clock.now += 19.9
    assert 0 < bucket.take("ada") < 0.2
    clock.now += 0.2
    assert bucket.take("ada") == 0.0
    clock.now += 1_000
    assert [bucket.take("ada") for _ in range(4)][:3] == [0.0, 0.0, 0.0]


def test_buckets_are_bounded() -> None:
    """The keys used least recently are forgotten."""
    bucket = Buckets(1, 60.0, Hand())
    for number in range(BUCKETS_MAX + 1):
        bucket.take(str(number))
    assert len(bucket._drops) == BUCKETS_MAX
    assert bucket.take("0") == 0.0, "forgotten, in the caller's favour"
    assert bucket.take(str(BUCKETS_MAX)) > 0


@pytest.mark.parametrize(
    ("limit", "key"),
    [
        ("token_requests_per_minute", "requests-by-token"),
        ("address_requests_per_minute", "requests-by-address"),
    ],
)
def test_too_many_requests_are_told_how_long_to_wait(home: House, limit: str, key: str) -> None:
    """429 with key and seconds, in the body and as Retry-After (PA-22)."""
    with limited(home) as open_client:
        ada = Person(open_client, "Ada")
    with limited(home, **{limit: 3}) as client:
        answers = [client.get("/v1/me", headers=ada.headers) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    problem = answers[-1].json()
    assert (problem["code"], problem["details"]["key"]) == ("too-many", key)
    assert answers[-1].headers["retry-after"] == str(problem["details"]["seconds"])
    assert answers[-1].headers["content-type"] == "application/problem+json"


def test_made_up_tokens_do_not_get_round_the_limit(home: House) -> None:
    """A new token each time still comes from one address."""
    with limited(home, address_requests_per_minute=3, token_requests_per_minute=3) as client:
        codes = [
            client.get("/v1/me", headers={"Authorization": f"Bearer {n}"}).status_code
            for n in range(4)
        ]
    assert codes == [401, 401, 401, 429]


def test_health_is_asked_without_a_limit(home: House) -> None:
    """A supervisor never meets one."""
    with limited(home, address_requests_per_minute=1) as client:
        assert {client.get("/health/live").status_code for _ in range(5)} == {200}


def test_accounts_of_one_address_are_limited(home: House) -> None:
    """By the hour; existing players are not touched."""
    with limited(home, accounts_per_hour=2) as client:
        ada = Person(client, "Ada")
        Person(client, "Bob")
        problem = client.post("/v1/players", json={"name": "Cyd"}).json()
        assert (problem["status"], problem["details"]["key"]) == (429, "accounts-by-address")
        assert ada.get("/me").status_code == 200


def test_nobody_keeps_more_computers_waiting_than_allowed(home: House) -> None:
    """A move that would ask one more is refused until one has answered; others are free."""
    with limited(home, computer_turns=2) as client:
        ada, bob = Person(client, "Ada"), Person(client, "Bob")
        seats = {"A": "me", "B": {"level": 1}}
        matches = [ada.opens(seats=seats)["match"] for _ in range(3)]
        home.catch_up()
        codes = [ada.plays(match, 0, "e10").status_code for match in matches]
        assert codes == [201, 201, 429]
        wanted = {"game": "blokus", "ruleset": {"variant": "duo"}, "seats": seats}
        refused = ada.post("/matches", wanted).json()
        assert refused["details"]["key"] == "computer-turns-by-player"
        assert bob.post("/matches", wanted).status_code == 201
        assert ada.opens()["match"], "a match without computers is free"
        home.computer_plays(matches[0])
        assert ada.plays(matches[2], 0, "e10").status_code == 201
