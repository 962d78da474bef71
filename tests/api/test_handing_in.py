"""Before the start: entropy that quotes the commitment, entries nobody sees, moves tried out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from litestar.testing import TestClient

from services.games.registry import Registry
from services.match import shuffle
from tests.api.house import House, Person, house
from tests.kit.fruit import FRUIT_GAME
from tests.kit.nim import NIM


@pytest.fixture
def home(tmp_path: Path) -> Iterator[House]:
    """A house for the toy games: one with chance and hidden hands, one with entries."""
    with house(tmp_path, Registry([FRUIT_GAME, NIM])) as built:
        yield built


def opens(host: Person, guest: Person, game: str = "fruit", **ruleset: object) -> str:
    """A match with two people; its id."""
    opened = host.opens(game=game, ruleset=ruleset)
    match: str = opened["match"]
    assert guest.post(f"/matches/{match}/seats/B").json()["view"]["status"] == "open"
    return match


def gives(who: Person, match: str, entropy: str, **more: str) -> dict[str, object]:
    """Hand entropy in, quoting the commitment."""
    commit = who.get(f"/matches/{match}").json()["view"]["seed_commit"]
    body = {"entropy": entropy, "seed_commit": commit, **more}
    answer: dict[str, object] = who.post(f"/matches/{match}/entropy", body).json()
    return answer


def test_the_last_entropy_starts_the_match(ada: Person, bob: Person) -> None:
    """Given or declined; until then the match waits, and says for whom."""
    match = opens(ada, bob)
    assert ada.get(f"/matches/{match}").json()["view"]["waiting_for"] == ["A", "B"]
    assert ada.post(f"/matches/{match}/start").json()["code"] == "seats-not-ready"
    gives(ada, match, "00ff")
    waiting = bob.get(f"/matches/{match}").json()["view"]
    assert (waiting["status"], waiting["waiting_for"]) == ("open", ["B"])
    gives(bob, match, "")
    view = bob.get(f"/matches/{match}").json()["view"]
    assert (view["status"], view["entropy"]) == ("running", {"A": "00ff", "B": ""})
    assert view["rounds"][0]["commit"]


def test_the_end_opens_what_everybody_can_check(ada: Person, bob: Person) -> None:
    """With the seed, the entropies and SHA-256 anybody finds the deal's commitment again."""
    match = opens(ada, bob)
    gives(ada, match, "00ff")
    gives(bob, match, "ab")
    view = ada.post(f"/matches/{match}/resign").json()["view"]
    last = ada.get(f"/matches/{match}/events").json()["events"][-1]["data"]
    seed = bytes.fromhex(last["server_seed"])
    assert shuffle.seed_commit(seed).hex() == view["seed_commit"]
    key = shuffle.match_key(seed, match, [b"\x00\xff", b"\xab"])
    assert shuffle.round_commit(shuffle.round_key(key, 1)).hex() == view["rounds"][0]["commit"]


def test_the_same_entropy_again_is_the_same_answer_and_another_is_refused(
    ada: Person, bob: Person
) -> None:
    """Nobody gives twice, and nobody loses a lost answer."""
    match = opens(ada, bob)
    first = gives(ada, match, "00ff")
    assert gives(ada, match, "00ff") == first
    assert gives(ada, match, "00fe")["code"] == "entropy-given"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"entropy": "00", "seed_commit": "00" * 32}, 409, "wrong-commitment"),
        ({"entropy": "0", "seed_commit": "00" * 32}, 400, "bad-input"),
        ({"entropy": "00" * 65, "seed_commit": "00" * 32}, 400, "bad-input"),
        ({"entropy": "00"}, 400, "bad-input"),
        ({"entropy": "00", "seed_commit": "00" * 32, "seat": "B"}, 403, "not-your-seat"),
    ],
)
def test_what_is_no_share_of_the_chance_is_refused(
    ada: Person, bob: Person, body: dict[str, str], status: int, code: str
) -> None:
    """With the reason; a wrong commitment comes with the right one."""
    match = opens(ada, bob)
    problem = ada.post(f"/matches/{match}/entropy", body).json()
    assert (problem["status"], problem["code"]) == (status, code)
    if code == "wrong-commitment":
        assert problem["details"]["seed_commit"]


def test_entropy_and_entries_are_for_games_that_ask_for_them(ada: Person, bob: Person) -> None:
    """A game without either starts as ever, and says no to both."""
    match = ada.opens(game="nim", ruleset={})["match"]
    assert gives(ada, match, "00")["code"] == "no-chance"
    assert ada.post(f"/matches/{match}/entries", {"text": "3"}).json()["code"] == "no-entries"
    assert bob.post(f"/matches/{match}/seats/B").json()["view"]["status"] == "running"


def test_entries_are_seen_by_nobody_before_all_are_in(ada: Person, bob: Person) -> None:
    """Then they are opened together and the match begins."""
    match = opens(ada, bob, "nim", sealed=True)
    sealed = ada.post(f"/matches/{match}/entries", {"text": "7"})
    assert (sealed.status_code, sealed.json()["view"]["entries"]) == (201, {})
    again = ada.post(f"/matches/{match}/entries", {"text": "7"})
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert ada.post(f"/matches/{match}/entries", {"text": "8"}).json()["code"] == "entry-sealed"
    refused = bob.post(f"/matches/{match}/entries", {"text": "many"}).json()
    assert (refused["status"], refused["code"]) == (422, "not-a-digit")
    view = bob.post(f"/matches/{match}/entries", {"text": "4"}).json()["view"]
    assert (view["status"], view["entries"]) == ("running", {"A": "7", "B": "4"})
    assert view["position"].startswith("11:")


def test_a_move_is_tried_out_without_a_trace(tmp_path: Path) -> None:
    """The objection, or the position after it; the match stays as it is."""
    (tmp_path / "other").mkdir()
    with house(tmp_path / "other") as home, TestClient(home.app()) as real:
        ada = Person(real, "Ada")
        match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
        before = ada.get(f"/matches/{match}").json()
        no = ada.post(f"/matches/{match}/preview", {"move": "e1"}).json()
        assert (no["code"], no["position"], no["svg"]) == ("first-move-start-square", "", "")
        yes = ada.post(f"/matches/{match}/preview", {"move": "E10,e9"}).json()
        assert (yes["code"], yes["move"], yes["to_move"]) == ("", "e9,e10", "A")
        assert "blue=e9,e10" in yes["position"]
        assert yes["svg"].startswith("<svg")
        assert ada.get(f"/matches/{match}").json() == before


def test_a_hidden_game_has_no_previews(ada: Person, bob: Person) -> None:
    """A draw tried out would tell what is drawn."""
    match = opens(ada, bob)
    assert ada.post(f"/matches/{match}/preview", {"move": "draw"}).json()["code"] == "hidden-game"
    assert ada.get(f"/matches/{match}/preview.svg?move=draw").json()["code"] == "hidden-game"


def test_a_seat_is_looked_from_by_its_holder_only(ada: Person, bob: Person) -> None:
    """``?seat=`` shows the own hand; of another seat it is refused at every picture."""
    match = opens(ada, bob)
    gives(ada, match, "")
    gives(bob, match, "")
    for path in ("", "/board.svg", "/board.txt"):
        mine = ada.get(f"/matches/{match}{path}?seat=A")
        assert mine.text == ada.get(f"/matches/{match}{path}").text
        assert mine.text != bob.get(f"/matches/{match}{path}").text
        assert ada.get(f"/matches/{match}{path}?seat=B").json()["code"] == "not-your-seat"
        assert ada.get(f"/matches/{match}{path}?seat=Q").json()["code"] == "bad-input"
