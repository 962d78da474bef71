"""Reading a match: views at any version, boards, legal moves, events that verify."""

import hashlib
import json
import struct
from xml.etree import ElementTree as ET

import pytest

from events.recorded import link_hash
from tests.api.house import House, Person


@pytest.fixture
def match(home: House, ada: Person) -> str:
    """A running match after two moves."""
    opened: str = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    assert ada.plays(opened, 0, ada.first_moves(opened)[0]).status_code == 201
    home.computer_plays(opened)
    return opened


def test_a_view_can_be_had_at_any_version_and_ply(ada: Person, match: str) -> None:
    """Each is the match as it was then."""
    now = ada.get(f"/matches/{match}").json()
    assert now["view"]["ply"] == 2
    start = ada.get(f"/matches/{match}?ply=0").json()
    assert (start["view"]["ply"], start["view"]["status"]) == (0, "running")
    assert ada.get(f"/matches/{match}?version={now['version']}").json() == now
    assert ada.get(f"/matches/{match}?version=1").json()["view"]["status"] == "open"


@pytest.mark.parametrize("query", ["ply=3", "version=99"])
def test_what_was_never_there_says_what_there_is(ada: Person, match: str, query: str) -> None:
    """404 with the newest version and ply."""
    problem = ada.get(f"/matches/{match}?{query}").json()
    assert (problem["status"], problem["code"]) == (404, "no-such-version")
    assert problem["details"]["ply"] == 2


@pytest.mark.parametrize("query", ["ply=-1", "version=0", "ply=x"])
def test_a_number_that_is_none_is_bad_input(ada: Person, match: str, query: str) -> None:
    """400 naming the parameter."""
    problem = ada.get(f"/matches/{match}?{query}").json()
    assert (problem["status"], problem["code"]) == (400, "bad-input")
    assert problem["details"]["fields"][0]["field"] == query.partition("=")[0]


@pytest.mark.parametrize("path", ["", "/board.svg", "/board.txt", "/board.svg?ply=1"])
def test_an_answer_one_has_is_not_sent_again(ada: Person, match: str, path: str) -> None:
    """The same ETag as long as nothing changed; another one after a move, unless at a ply."""
    first = ada.get(f"/matches/{match}{path}")
    again = ada.get(f"/matches/{match}{path}", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert again.headers["etag"] == first.headers["etag"]
    ada.plays(match, 2, ada.first_moves(match)[0])
    later = ada.get(f"/matches/{match}{path}", **{"If-None-Match": first.headers["etag"]})
    assert later.status_code == (304 if "ply" in path else 200)


def test_the_board_is_a_picture_and_a_text(ada: Person, match: str) -> None:
    """An SVG document that may run and load nothing; and letters."""
    svg = ada.get(f"/matches/{match}/board.svg")
    assert svg.headers["content-type"] == "image/svg+xml"
    assert "default-src 'none'" in svg.headers["content-security-policy"]
    assert ET.fromstring(svg.text).tag.endswith("svg")  # noqa: S314 - our own text
    text = ada.get(f"/matches/{match}/board.txt")
    assert text.headers["content-type"] == "text/plain; charset=utf-8"
    assert "To place: blue" in text.text


def test_an_open_match_shows_its_empty_board(ada: Person) -> None:
    """Nobody has to wait for a start to see what will be played."""
    match = ada.opens()["match"]
    assert "To place: blue" in ada.get(f"/matches/{match}/board.txt").text


def test_legal_moves_come_in_pages(ada: Person) -> None:
    """Together they are the whole list, each move once; what is cut says so."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    moves, after, truncated = [], 0, True
    while truncated:
        page = ada.get(f"/matches/{match}/legal-moves?after={after}&limit=100").json()
        assert len(page["moves"]) <= 100
        moves += page["moves"]
        after, truncated = page["next"], page["truncated"]
    assert len(moves) == len(set(moves)) == 414
    assert ada.get(f"/matches/{match}/legal-moves?limit=5001").status_code == 400


def test_steps_lead_to_a_legal_move(ada: Person) -> None:
    """From a prefix to what may follow, until it ends a move."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    prefix = ""
    for _ in range(6):
        steps = ada.get(f"/matches/{match}/steps?prefix={prefix}").json()["steps"]
        ends = [step["text"] for step in steps if step["ends"]]
        if ends:
            assert ada.plays(match, 0, ends[0]).status_code == 201
            return
        prefix = next(step["text"] for step in steps if step["completable"])
    pytest.fail("no move ended within six steps")


def test_nobody_has_moves_in_a_match_that_waits_for_none(ada: Person) -> None:
    """409 before the start."""
    match = ada.opens()["match"]
    assert ada.get(f"/matches/{match}/legal-moves").json()["code"] == "nobody-to-move"


def test_public_events_are_enough_to_verify_the_chain(ada: Person, match: str) -> None:
    """Anybody recomputes every hash from the answer alone, with SHA-256 and nothing of ours."""
    page = ada.get(f"/matches/{match}/events").json()
    previous = bytes(32)
    for event in page["events"]:
        assert event["previous"] == previous.hex()
        data = json.dumps(event["data"], separators=(",", ":"), ensure_ascii=False).encode()
        words = [f"match/{match}", event["version"], event["kind"], event["actor"]]
        words += [event["received_at"], event["at"]]
        digest = hashlib.sha256(previous)
        for raw in (*(str(word).encode() for word in words), data):
            digest.update(struct.pack(">I", len(raw)) + raw)
        assert event["hash"] == digest.hexdigest()
        previous = digest.digest()
    assert page["next"] == 0


def test_pages_of_events_join_without_a_gap(home: House, ada: Person, match: str) -> None:
    """Each page begins with the hash the last one ended with."""
    events, after = [], 0
    while True:
        page = ada.get(f"/matches/{match}/events?after={after}&limit=2").json()
        events += page["events"]
        if not (after := page["next"]):
            break
    assert [event["version"] for event in events] == list(range(1, len(events) + 1))
    links = [event["hash"] for event in events]
    assert [event["previous"] for event in events] == ["00" * 32, *links[:-1]]
    stored = home.services.log.read(f"match/{match}")
    assert link_hash(
        bytes(32), stored[0].stream, 1, stored[0].kind, stored[0].actor,
        stored[0].received_at, stored[0].at, stored[0].data,
    ).hex() == links[0]  # fmt: skip


def test_no_command_id_is_ever_public(ada: Person) -> None:
    """Not in events, views or streams: nobody learns another's keys."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    ada.plays(match, 0, ada.first_moves(match)[0], key="my-secret-key")
    for path in ("", "/events", "/audit", "/export"):
        assert "my-secret-key" not in ada.get(f"/matches/{match}{path}").text


def test_the_seed_is_nowhere_before_the_end(home: House, ada: Person, match: str) -> None:
    """Views, events, problems and pages hold its commitment only."""
    state = home.services.handler.load(match)
    assert state is not None
    assert state.secret is not None
    seed = state.secret.seed.hex()
    for path in ("", "/events", "/audit", "/export", "/board.svg", "/legal-moves"):
        assert seed not in ada.get(f"/matches/{match}{path}").text
    assert seed not in ada.plays(match, 0, "e10").text
    assert seed not in ada.client.get(f"/matches/{match}").text
    assert (
        seed in ada.post(f"/matches/{match}/resign").text + ada.get(f"/matches/{match}/events").text
    )


def test_a_dry_run_comes_with_the_preview_and_has_a_picture(ada: Person) -> None:
    """Marks by the sheet's names, a sentence, and the board of now; a bad move gets its reason."""
    match = ada.opens(game="caltrop", ruleset={}, seats={"A": "me", "B": "me"})["match"]
    for turn, (seat, move) in enumerate((("A", "4b2"), ("B", "8c2"))):
        ada.post(f"/matches/{match}/moves", {"move": move, "expected_turn": turn, "seat": seat})
    before = ada.get(f"/matches/{match}").json()
    told = ada.post(f"/matches/{match}/preview", {"move": "7B3"}).json()["dry_run"]
    assert told["marks"] == {"yellow": [], "red": [], "faded": ["b2 north 2", "b3 south 2"]}
    assert told["sentence"].startswith("No stone would change hands. Spikes that would be gone")
    picture = ada.get(f"/matches/{match}/preview.svg?move=7b3")
    assert picture.headers["content-type"].startswith("image/svg+xml")
    assert told["sentence"] in picture.text
    assert ada.get(f"/matches/{match}").json() == before
    bad = ada.get(f"/matches/{match}/preview.svg?move=7b2")
    assert (bad.status_code, bad.json()["code"]) == (422, "square-taken")


def test_a_game_whose_sheet_has_no_dry_run_shows_none(ada: Person) -> None:
    """Its previews go without, and the picture is refused with a sentence."""
    match = ada.opens(seats={"A": "me", "B": {"level": 1}})["match"]
    assert ada.post(f"/matches/{match}/preview", {"move": "e10"}).json()["dry_run"] is None
    assert ada.get(f"/matches/{match}/preview.svg?move=e10").json()["code"] == "no-dry-run"
