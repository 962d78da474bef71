"""JSON bodies are taken to the letter, at every route that takes one."""

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
from litestar import Litestar
from litestar.enums import RequestEncodingType
from litestar.testing import TestClient

from tests.api.asked_routes import Ask
from tests.api.house import House, Person
from tests.kit.mistyped import each_mistyped

GOOD: Mapping[str, Any] = {
    "name": "Cleo", "game": "blokus", "ruleset": {}, "visibility": "link", "rated": False,
    "per_move_s": 60, "seats": {"A": "me", "B": {"level": 1, "adaptive": False}}, "seat": "A",
    "invite": "x", "level": 1, "adaptive": True, "entropy": "", "seed_commit": "00" * 32,
    "text": "x", "move": "x", "expected_turn": 1, "offer": "draw", "to_turn": 0, "yes": False,
    "difficulty": "easy", "number": 1, "stone": 1, "deck": [1, 2], "slot": 1,
}  # fmt: skip
"""A good value of every field there is; a field without one fails the test.

What is in a ruleset is judged by the game, and ``tests/contract`` holds the games to the same.
"""


def json_routes(app: Litestar) -> Iterator[tuple[str, str, Any]]:
    """Method, path and declared type wherever a JSON body is taken."""
    for route in app.routes:
        for method, (handler, _) in getattr(route, "route_handler_map", {}).items():
            body = handler.parsed_data_field
            if body and body.kwarg_definition.media_type == RequestEncodingType.JSON:
                yield method, route.path, body.annotation


def good_body(declared: Any, match: str) -> dict[str, Any]:
    """A body with every field of the type."""
    struct = next(t for t in (declared, *get_args(declared)) if hasattr(t, "__struct_fields__"))
    body = {name: {**GOOD, "match": match}[name] for name in struct.__struct_fields__}
    msgspec.convert(body, declared)
    return body


def everything_kept(folder: Path) -> list[str]:
    """All rows of all tables."""
    with closing(sqlite3.connect(folder / "log.db")) as database:
        return list(database.iterdump())


def test_nothing_is_taken_in_another_type(
    client: TestClient[Litestar], ada: Person, tmp_path: Path
) -> None:
    """A number as text, a fraction or a truth value is refused by its name; nothing is written."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    before, routes = everything_kept(tmp_path), list(json_routes(client.app))
    assert len(routes) > 15
    for method, path, declared in routes:
        good = good_body(declared, match)
        for wrong in each_mistyped(good):
            request = Ask(json=wrong).filled(method, path, match)
            answer = client.request(**{**request, "headers": ada.headers})
            problem, named = answer.json(), next(n for n in good if good[n] is not wrong[n])
            assert (problem["status"], problem["code"]) == (400, "bad-input"), (path, wrong)
            assert problem["details"]["fields"][0]["field"].startswith(named), (path, wrong)
            assert problem["detail"].startswith(f"The field '{named}"), (path, wrong)
    assert everything_kept(tmp_path) == before


def test_what_is_right_is_taken(client: TestClient[Litestar], ada: Person) -> None:
    """The bodies that were spoiled above are none of them bad input; an absent one is none."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    for method, path, declared in json_routes(client.app):
        request = Ask(json=good_body(declared, match)).filled(method, path, match)
        code = client.request(**{**request, "headers": ada.headers}).json().get("code")
        assert code != "bad-input", path
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    resigned = client.post(f"/v1/matches/{match}/resign", headers=ada.headers)
    assert resigned.json()["view"]["status"] == "ended"


def test_texts_of_an_address_still_become_numbers(home: House, ada: Person) -> None:
    """There is nothing but text in it."""
    for _ in range(2):
        ada.opens()
    home.catch_up()
    assert len(ada.get("/matches?mine=true&limit=1").json()["matches"]) == 1
