"""Playing over HTTP: once is once, stale is told, and the rules' own reasons come through."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from events.log import CommandId, Namespace
from ops.web_server import web_server
from services.match.commands import PlayMove
from services.match.handler import Done
from tests.api.house import House, Person


@pytest.fixture
def real(home: House) -> Iterator[httpx.Client]:
    """A client before a real server, for requests at the same moment."""
    with web_server(home.app(), "127.0.0.1", 0) as server, httpx.Client(base_url=server.url) as c:
        yield c


def events_of(home: House, match: str, kind: str = "match.move_played.1") -> int:
    """How many events of a kind the match has."""
    return sum(event.kind == kind for event in home.services.log.read(f"match/{match}"))


def both(
    first: Callable[[], httpx.Response], second: Callable[[], httpx.Response], gap: float
) -> list[httpx.Response]:
    """Two requests from two threads, the second ``gap`` seconds after the first."""

    def later() -> httpx.Response:
        time.sleep(gap)
        return second()

    with ThreadPoolExecutor(2) as pool:
        return [answer.result() for answer in (pool.submit(first), pool.submit(later))]


def test_a_move_answers_with_the_match_after_it(ada: Person) -> None:
    """Turn, version, head and the new view; the head is the hash of the newest event."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    move = ada.first_moves(match)[0]
    answer = ada.plays(match, 0, move)
    assert answer.status_code == 201
    played = answer.json()
    assert (played["turn"], played["view"]["to_move"]) == (1, "B")
    newest = ada.get(f"/matches/{match}/events").json()["events"][-1]
    assert (played["head"], played["version"]) == (newest["hash"], newest["version"])


@pytest.mark.parametrize("gap", [0.0, 0.08])
def test_a_double_click_is_one_move(home: House, real: httpx.Client, gap: float) -> None:
    """Two equal posts with one key: one event, and the same answer twice (PA-01)."""
    ada = Person(real, "Ada")
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    move = ada.first_moves(match)[0]
    post = lambda: ada.plays(match, 0, move, key="click")  # noqa: E731 - twice the same
    one, two = both(post, post, gap)
    assert (one.status_code, two.status_code) == (201, 201)
    assert one.json() == two.json()
    assert sum("idempotent-replayed" in answer.headers for answer in (one, two)) == 1
    assert events_of(home, match) == 1


@pytest.mark.parametrize("keys", [("", ""), ("k1", "k2")])
def test_two_different_moves_at_once_are_one_move_and_one_clear_no(
    home: House, real: httpx.Client, keys: tuple[str, str]
) -> None:
    """Exactly one is taken, the other is told the new state (PA-02)."""
    ada = Person(real, "Ada")
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    moves = ada.first_moves(match)
    posts = [
        lambda move=move, key=key: ada.plays(match, 0, move, **({"key": key} if key else {}))
        for move, key in zip(moves, keys, strict=True)
    ]
    answers = both(posts[0], posts[1], 0.0)
    assert sorted(answer.status_code for answer in answers) == [201, 409]
    conflict = next(answer for answer in answers if answer.status_code == 409).json()
    assert conflict["code"] == "stale-turn"
    assert conflict["details"]["now"]["turn"] == 1
    assert events_of(home, match) == 1


def test_a_move_with_an_old_turn_is_shown_the_new_state(home: House, ada: Person) -> None:
    """409 with the whole match as it is now: never silence (PA-03)."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, ada.first_moves(match)[0])
    home.computer_plays(match)
    problem = ada.plays(match, 0, ada.first_moves(match)[0]).json()
    assert (problem["status"], problem["code"]) == (409, "stale-turn")
    assert problem["details"]["turn"] == 2
    assert problem["details"]["now"] == ada.get(f"/matches/{match}").json()


def test_another_move_under_a_used_key_is_refused(ada: Person) -> None:
    """409; the first answer stands."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    one, two = ada.first_moves(match)
    ada.plays(match, 0, one, key="k")
    problem = ada.plays(match, 0, two, key="k").json()
    assert (problem["status"], problem["code"]) == (409, "command-reused")


@pytest.mark.parametrize("key", ["x" * 65, "", "tab\there"])
def test_a_key_is_short_and_printable(ada: Person, key: str) -> None:
    """400 naming the header."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    headers = {**ada.headers, "Idempotency-Key": key}
    body = {"move": "e10", "expected_turn": 0}
    answer = ada.client.post(f"/v1/matches/{match}/moves", json=body, headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad-input")
    assert answer.json()["details"] == {"field": "Idempotency-Key"}


def test_the_computers_own_command_id_as_a_key_changes_nothing(home: House, ada: Person) -> None:
    """Ids from outside and from inside never meet: the computer's turn is played all the same."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    inside = CommandId(Namespace.INSIDE, "ai/B/1")
    ada.plays(match, 0, ada.first_moves(match)[0], key=inside.key)
    state = home.services.handler.load(match)
    assert state is not None
    answer = home.services.handler.handle(
        match,
        PlayMove(
            seat="B", move=state.the_game.rules.moves(state.position).texts[0], expected_turn=1
        ),
        actor="computer:B",
        command_id=inside,
        received_at=home.clock(),
    )
    assert isinstance(answer, Done)
    assert not answer.repeated
    assert events_of(home, match) == 2


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("e1", "first-move-start-square"),
        ("e10,e9,e8,e7,e6,e5", "not-a-piece"),
        ("z1", "off-board"),
        ("e10,e10", "duplicate-square"),
        ("resign!", "notation"),
    ],
)
def test_the_rules_say_why_not(ada: Person, move: str, code: str) -> None:
    """422 with the sheet's own reason and a sentence."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    problem = ada.plays(match, 0, move).json()
    assert (problem["status"], problem["code"]) == (422, code)
    assert problem["detail"].endswith(".")


def test_a_seat_is_moved_by_its_holder_only(ada: Person, bob: Person) -> None:
    """403 for people without a seat and for other seats; 422 out of turn."""
    match = ada.opens(visibility="public")["match"]
    move = "e10"
    assert bob.plays(match, 0, move).json()["code"] == "not-your-seat"
    bob.post(f"/matches/{match}/seats/B")
    foreign = bob.post(
        f"/matches/{match}/moves", {"move": move, "expected_turn": 0, "seat": "A"}
    ).json()
    assert (foreign["status"], foreign["code"]) == (403, "not-your-seat")
    early = bob.plays(match, 0, "j5").json()
    assert (early["status"], early["code"], early["details"]) == (
        422,
        "not-your-turn",
        {"to_move": "A"},
    )


def test_somebody_with_both_seats_names_one(ada: Person) -> None:
    """The same request must always mean the same command, so nothing is guessed."""
    match = ada.opens(seats={"A": "me", "B": "me"})["match"]
    problem = ada.plays(match, 0, "e10").json()
    assert (problem["status"], problem["code"]) == (400, "which-seat")
    assert problem["details"]["seats"] == ["A", "B"]
    body = {"move": "e10", "expected_turn": 0, "seat": "A"}
    assert ada.post(f"/matches/{match}/moves", body).status_code == 201


@pytest.mark.parametrize(
    "body",
    [
        {"move": "e10"},
        {"move": "", "expected_turn": 0},
        {"move": "x" * 513, "expected_turn": 0},
        {"move": "e10", "expected_turn": -1},
        {"move": "e10", "expected_turn": "soon"},
        {"move": "e10", "expected_turn": 0, "seat": "Z"},
    ],
)
def test_expected_turn_is_required_and_texts_are_bounded(
    ada: Person, body: dict[str, object]
) -> None:
    """400 before the match is looked at."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    assert ada.post(f"/matches/{match}/moves", body).json()["code"] == "bad-input"


def test_resigning_ends_a_match_of_two(ada: Person, bob: Person) -> None:
    """The other seat wins; afterwards every move is too late."""
    match = ada.opens()["match"]
    bob.post(f"/matches/{match}/seats/B")
    ended = ada.post(f"/matches/{match}/resign").json()["view"]
    assert (ended["status"], ended["how"], ended["winners"]) == ("ended", "resign", ["B"])
    assert bob.plays(match, 1, "j5").json()["code"] == "match-over"


def test_a_draw_is_agreed_by_both(ada: Person, bob: Person) -> None:
    """An offer, an answer, the end; a second offer meanwhile is refused."""
    match = ada.opens()["match"]
    bob.post(f"/matches/{match}/seats/B")
    offered = ada.post(f"/matches/{match}/offers", {"offer": "draw"}).json()
    assert offered["view"]["offers"] == [
        {"offer": "draw", "seat": "A", "to_turn": 0, "agreed": ["A"]}
    ]
    assert ada.post(f"/matches/{match}/offers", {"offer": "draw"}).json()["status"] == 409
    agreed = bob.post(f"/matches/{match}/offers/draw/answer", {"yes": True}).json()
    assert (agreed["view"]["status"], agreed["view"]["how"]) == ("ended", "draw")
    late = bob.post(f"/matches/{match}/offers/draw/answer", {"yes": True}).json()
    assert late["code"] == "match-over"


def test_a_computer_lets_a_move_be_taken_back(home: House, ada: Person) -> None:
    """Both moves go, the turn goes on counting."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, ada.first_moves(match)[0])
    home.computer_plays(match)
    back = ada.post(f"/matches/{match}/offers", {"offer": "takeback"}).json()
    assert (back["turn"], back["view"]["ply"], back["view"]["to_move"]) == (3, 0, "A")


def test_chatter_does_not_make_an_answer_stale(home: House, real: httpx.Client) -> None:
    """Draw offers all the while: the computer's move at its turn is taken."""
    ada = Person(real, "Ada")
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    stop = threading.Event()

    def chatter() -> None:
        while not stop.is_set():
            ada.post(f"/matches/{match}/offers", {"offer": "draw"})

    thread = threading.Thread(target=chatter)
    thread.start()
    try:
        for turn in range(0, 6, 2):
            assert ada.plays(match, turn, ada.first_moves(match)[0]).status_code == 201
            home.computer_plays(match)
    finally:
        stop.set()
        thread.join()
    assert events_of(home, match) == 6
    assert events_of(home, match, "match.offer_made.1") > 0
