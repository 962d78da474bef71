"""Whatever is sent, the answer is an answer: never a fault of the server's own."""

from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.api.house import Person

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**70), 2**70)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
WORDS = st.sampled_from(
    ("A", "B", "me", "open", "blokus", "e10", "draw", "takeback", "duo", "private", "x\n", "")
)
VALUES = JSON | WORDS | st.dictionaries(WORDS, WORDS | JSON, max_size=3)
FIELDS = (
    "name", "game", "ruleset", "visibility", "rated", "per_move_s", "seats", "seat", "invite",
    "level", "move", "expected_turn", "offer", "to_turn", "yes", "match",
)  # fmt: skip
BODIES = JSON | st.dictionaries(st.sampled_from(FIELDS), VALUES, max_size=5)
PATHS = st.sampled_from(
    (
        "/players", "/matches", "/tickets", "/matches/{}/seats/B", "/matches/{}/invites",
        "/matches/{}/moves", "/matches/{}/offers", "/matches/{}/offers/draw/answer",
    )
)  # fmt: skip
QUERIES = st.text(st.characters(codec="utf-8"), max_size=12)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(path=PATHS, body=BODIES)
def test_any_body_gets_an_answer(ada: Person, path: str, body: Any) -> None:
    """201, or a problem that says what is wrong."""
    match = ada.opens()["match"]
    answer = ada.client.post(f"/v1{path.format(match)}", json=body, headers=ada.headers)
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert {"type", "title", "status", "code", "detail"} <= answer.json().keys()


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    page=st.sampled_from(("", "/legal-moves", "/steps", "/events", "/board.svg", "/export")),
    name=st.sampled_from(("ply", "version", "after", "limit", "prefix", "format")),
    value=QUERIES | st.integers(-10, 10**20).map(str),
)
def test_any_query_gets_an_answer(ada: Person, page: str, name: str, value: str) -> None:
    """Also for numbers that are none or far too large."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    answer = ada.client.get(f"/v1/matches/{match}{page}", params={name: value}, headers=ada.headers)
    assert answer.status_code < 500, answer.text
