"""The pages without any JavaScript: everything a person needs is links and forms."""

import itertools
import re
from collections.abc import Mapping

import httpx
import pytest
from litestar import Litestar
from litestar.testing import TestClient

from services.formats.importing import import_file
from services.formats.judge import Judged
from services.web.render import POLICY
from tests.api.house import House, Person

SITE = {"Sec-Fetch-Site": "same-origin"}


class Visitor:
    """Somebody with a browser: cookies, forms, and no scripts."""

    def __init__(self, app: Litestar, name: str = "") -> None:
        self.browser = TestClient(app)
        self.keys = map(str, itertools.count())
        self.token = ""
        if name:
            page = self.sends("/account", {"name": name})
            found = re.search(r'id="token">([^<]+)<', page.text)
            assert found, page.text
            self.token = found[1]

    def opens(self, path: str, **headers: str) -> httpx.Response:
        """A page."""
        return self.browser.get(path, headers={"Accept": "text/html", **headers})

    def sends(
        self, path: str, form: Mapping[str, str | list[str]], **headers: str
    ) -> httpx.Response:
        """A form, and the page it leads to."""
        data = {"key": next(self.keys), **form}
        return self.browser.post(path, data=data, headers={**SITE, **headers})

    def opens_match(self, **form: str) -> str:
        """A duo match; its path."""
        page = self.sends("/new/blokus/duo", {"seat_A": "me", "seat_B": "1", **form})
        assert page.status_code == 200, page.text
        return page.url.path


@pytest.fixture
def app(home: House) -> Litestar:
    """The application."""
    return home.app()


@pytest.fixture
def ada(app: Litestar) -> Visitor:
    """Somebody with an account."""
    return Visitor(app, "Ada")


def the_form(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form that goes there."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form, f"no form for {action}"
    return dict(re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))


def test_a_name_is_enough_and_the_token_is_shown_once(app: Litestar, ada: Visitor) -> None:
    """The cookie is for this site only and out of reach of scripts."""
    assert ada.token.startswith("plybook_")
    assert ada.token not in ada.opens("/account").text
    assert "Ada" in ada.opens("/").text
    again = Visitor(app)
    answer = again.browser.post(
        "/session", data={"token": ada.token}, headers=SITE, follow_redirects=False
    )
    cookie = answer.headers["set-cookie"]
    assert ("HttpOnly" in cookie, "SameSite=strict" in cookie) == (True, True)
    assert ada.token not in cookie
    assert "Ada" in again.opens("/").text
    again.sends("/session/end", {})
    assert "Sign in" in again.opens("/").text


def test_a_wrong_token_or_name_is_told_on_the_form(app: Litestar) -> None:
    """And no session is opened."""
    stranger = Visitor(app)
    refused = stranger.sends("/session", {"token": "plybook_nobody"})
    assert (refused.status_code, "unknown" in refused.text) == (403, True)
    refused = stranger.sends("/account", {"name": "<b>"})
    assert (refused.status_code, "&lt;b&gt;" in refused.text) == (400, True)
    assert "<b>" not in refused.text
    assert "Sign in" in stranger.opens("/").text


def test_a_session_ends_with_its_days_and_with_its_player(
    home: House, app: Litestar, ada: Visitor
) -> None:
    """A forged cookie is a stranger's."""
    assert "Ada" in ada.opens("/").text
    forged = Visitor(app)
    value = ada.browser.cookies["plybook_session"].strip('"')
    forged.browser.cookies.set("plybook_session", value[:-1] + ("0" if value[-1] != "0" else "1"))
    assert "Sign in" in forged.opens("/").text
    home.clock.pass_seconds(31 * 86_400)
    assert "Sign in" in ada.opens("/").text


def test_erasing_needs_a_ticked_box(ada: Visitor) -> None:
    """Afterwards the token opens nothing."""
    assert "Tick the box" in ada.sends("/account/erase", {}).text
    ada.sends("/account/erase", {"sure": "yes"})
    assert "Sign in" in ada.opens("/").text
    assert ada.sends("/session", {"token": ada.token}).status_code == 403


@pytest.mark.parametrize(
    "headers", [{"Sec-Fetch-Site": "cross-site"}, {"Origin": "https://evil.example"}]
)
def test_another_site_can_send_no_form(ada: Visitor, headers: dict[str, str]) -> None:
    """Neither to the pages nor, with the cookie, to the API."""
    for path in ("/new/blokus/duo", "/session/end", "/account/erase"):
        answer = ada.browser.post(path, data={"key": "k", "sure": "yes"}, headers=headers)
        assert answer.status_code == 403, path
    refused = ada.browser.post("/v1/matches", json={"game": "blokus"}, headers=headers)
    assert (refused.status_code, refused.json()["code"]) == (403, "cross-site")
    assert "Ada" in ada.opens("/").text


def test_a_link_from_elsewhere_comes_in_with_the_session_at_the_second_step(
    app: Litestar,
) -> None:
    """A strict cookie is not sent across sites; the page asks for itself once more."""
    stranger = Visitor(app)
    page = stranger.opens("/rules?x=1", **{"Sec-Fetch-Site": "cross-site"})
    assert '<meta http-equiv="refresh" content="0; url=/rules?x=1">' in page.text
    assert "refresh" not in stranger.opens("/rules", **SITE).text


def test_nothing_inline_is_ever_needed(ada: Visitor) -> None:
    """Every page keeps its own policy: no inline script, style or handler, nothing from afar."""
    path = ada.opens_match()
    for address in ("/", "/new", "/new/blokus/duo", "/account", "/rules", path, "/schema", "/no"):
        page = ada.opens(address)
        assert page.headers["content-security-policy"] == POLICY, address
        assert page.headers["x-content-type-options"] == "nosniff"
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=|<script(?![^>]*\ssrc=)", page.text)
        assert not re.search(r"(?:src|href)=\"(?:https?:)?//", page.text)


def test_a_whole_match_needs_no_script(home: House, ada: Visitor) -> None:
    """Open a match, type a move, see the answer, walk through the plies, resign."""
    path = ada.opens_match()
    match = path.rsplit("/", 1)[-1]
    page = ada.opens(path)
    assert "Your turn." in page.text
    fields = the_form(page.text, f"{path}/moves")
    assert "Your turn." not in ada.sends(f"{path}/moves", {**fields, "move": "e10"}).text
    home.computer_plays(match)
    assert "Your turn." in ada.opens(path).text
    earlier = ada.opens(f"{path}?ply=1")
    assert 'rel="prev"' in earlier.text
    assert 'rel="next"' in earlier.text
    assert "after move 1 of 2" in earlier.text
    assert "board.svg?ply=1" in earlier.text
    fields = the_form(ada.opens(path).text, f"{path}/resign")
    assert "Tick the box" in ada.sends(f"{path}/resign", fields).text
    assert "won by resignation" in ada.sends(f"{path}/resign", {**fields, "sure": "yes"}).text


def test_a_move_by_a_weaker_engine_is_told_as_one(home: House, ada: Visitor) -> None:
    """Who plays a level and is answered by less sees it, on the page as by HTTP."""
    path = ada.opens_match(seat_A="1", seat_B="1")
    match = path.rsplit("/", 1)[-1]
    home.computer_plays(match, "A")
    assert "weaker engine" not in ada.opens(path).text
    home.computer_plays(match, "B", fallback="time")
    assert "by a weaker engine (time)" in ada.opens(path).text
    moves = ada.browser.get(f"/v1/matches/{match}").json()["view"]["moves"]
    assert [move["fallback"] for move in moves] == ["", "time"]


def test_a_double_click_on_a_form_is_one_move(home: House, ada: Visitor) -> None:
    """The form's own key makes the second post the first one's echo."""
    path = ada.opens_match()
    fields = {**the_form(ada.opens(path).text, f"{path}/moves"), "move": "e10"}
    one, two = (ada.sends(f"{path}/moves", fields) for _ in range(2))
    assert (one.status_code, two.status_code) == (200, 200)
    state = home.services.handler.load(path.rsplit("/", 1)[-1])
    assert state is not None
    assert state.ply == 1


@pytest.mark.parametrize("key", ["", "\0", "a\0b", "é", "a\n", "k" * 65])
@pytest.mark.parametrize("path", ["/new/blokus/duo", "/solo"])
def test_the_key_of_a_form_is_one_that_a_header_could_hold(
    ada: Visitor, path: str, key: str
) -> None:
    """Every store can keep it, and no two forms share an empty one."""
    page = ada.sends(path, {"difficulty": "easy", "key": key})
    assert (page.status_code, "Bad input" in page.text) == (400, True)


@pytest.mark.parametrize(
    ("move", "status", "said"),
    [("", 400, "Type a move"), ("<img>", 422, "list of squares"), ("e1", 422, "start square")],
)
def test_a_refused_move_is_told_and_kept_in_the_box(
    ada: Visitor, move: str, status: int, said: str
) -> None:
    """The page comes back with the sentence; what was typed is not lost, and not markup."""
    path = ada.opens_match()
    fields = the_form(ada.opens(path).text, f"{path}/moves")
    page = ada.sends(f"{path}/moves", {**fields, "move": move})
    assert (page.status_code, said in page.text) == (status, True)
    assert "<img>" not in page.text.replace("<img ", "")


def test_an_invitation_brings_a_friend(app: Litestar, ada: Visitor) -> None:
    """A private match, one link, one button; afterwards the link is used up."""
    path = ada.opens_match(seat_B="open", visibility="private")
    page = ada.sends(f"{path}/invites", {"seat": "B"})
    link = re.search(r'id="invite">([^<]+)<', page.text)
    assert link, page.text
    join = httpx.URL(link[1]).path
    bob = Visitor(app, "Bob")
    assert bob.opens(path).status_code == 404
    assert "Ada invites you to Blokus" in bob.opens(join).text
    joined = bob.sends(join, {})
    assert (joined.url.path, "Ada (seat A) is to move." in joined.text) == (path, True)
    eve = Visitor(app, "Eve")
    assert eve.opens(join).status_code == 404
    assert eve.sends(join, {}).status_code == 404


def test_strangers_are_shown_the_way_to_an_account_and_back(app: Litestar, ada: Visitor) -> None:
    """From wherever a name is needed; never to another site."""
    stranger = Visitor(app)
    page = stranger.opens("/new/blokus/duo")
    assert (page.url.path, page.url.params["next"]) == ("/account", "/new/blokus/duo")
    back = stranger.sends("/account", {"name": "Cyd", "next": "https://evil.example/"})
    assert "evil" not in back.text
    shown = stranger.opens(ada.opens_match(seat_B="open"))
    assert "Take</button>" in shown.text


def test_offers_are_made_and_answered(app: Litestar, ada: Visitor) -> None:
    """A draw between two people, with forms."""
    path = ada.opens_match(seat_B="open")
    bob = Visitor(app, "Bob")
    bob.sends(f"{path}/seats", {"seat": "B"})
    ada.sends(f"{path}/offers", {"seat": "A", "offer": "draw"})
    asked = bob.opens(path)
    assert "Seat A offers a draw" in asked.text
    fields = the_form(asked.text, f"{path}/answers")
    assert "A draw by agreement." in bob.sends(f"{path}/answers", {**fields, "yes": "true"}).text


def test_a_move_is_taken_back_only_when_there_is_one(app: Litestar, ada: Visitor) -> None:
    """Nobody is offered what could only be refused."""
    path = ada.opens_match(seat_B="open")
    Visitor(app, "Bob").sends(f"{path}/seats", {"seat": "B"})
    fields = the_form(ada.opens(path).text, f"{path}/moves")
    assert "Take my last move back" not in ada.opens(path).text
    moved = ada.sends(f"{path}/moves", {**fields, "move": "e10"})
    assert "Take my last move back" in moved.text


def test_the_front_page_puts_my_turn_first(home: House, app: Litestar, ada: Visitor) -> None:
    """Then my other matches, then what everybody may see."""
    ada.opens_match()
    ada.opens_match(seat_A="open", seat_B="open", visibility="public")
    home.catch_up()
    page = ada.opens("/").text
    assert page.index("Waiting for you</h2>") < page.index("Your matches</h2>")
    assert "Open to everybody</h2>" in Visitor(app).opens("/").text


def test_a_seat_can_be_left_and_a_match_called_off(ada: Visitor) -> None:
    """Before the start, by its host."""
    path = ada.opens_match(seat_B="open")
    assert "seats A and B still free" in ada.sends(f"{path}/seats/free", {"seat": "A"}).text
    assert "Called off before the start." in ada.sends(f"{path}/cancel", {}).text


def test_a_bad_wish_comes_back_with_a_sentence(ada: Visitor) -> None:
    """The form is not lost."""
    page = ada.sends("/new/blokus/duo", {"seat_A": "me", "seat_B": "8"})
    assert (page.status_code, "no level 8" in page.text) == (400, True)
    assert ada.opens("/new/blokus/unknown").status_code == 404
    assert ada.opens("/rules/unknown").status_code == 404


def test_chance_is_given_and_declined_without_a_script(app: Litestar, ada: Visitor) -> None:
    """A field for words or bytes; the page says what was given, and for whom it waits."""
    page = ada.sends("/new/triangles/classic", {"seat_A": "me", "seat_B": "open", "days": "3"})
    path = page.url.path
    bob = Visitor(app, "Bob")
    assert "Waiting for you to get ready." in bob.sends(f"{path}/seats", {"seat": "B"}).text
    fields = the_form(ada.opens(path).text, f"{path}/entropy")
    assert "or decline" in ada.sends(f"{path}/entropy", fields).text
    given = ada.sends(f"{path}/entropy", {**fields, "entropy": "blue moon"})
    assert "Waiting for Bob (seat B) to get ready." in given.text
    assert b"blue moon".hex() in given.text
    fields = the_form(bob.opens(path).text, f"{path}/entropy")
    started = bob.sends(f"{path}/entropy", {**fields, "decline": "yes"})
    assert "Until <time" in started.text
    assert "declined" in started.text
    assert "entropy: none." not in started.text


def test_a_deal_without_entropy_says_so(app: Litestar, ada: Visitor) -> None:
    """Everybody declined: then the deal is the server's alone, and the page does not hide it."""
    path = ada.sends("/new/triangles/classic", {"seat_A": "me", "seat_B": "open"}).url.path
    bob = Visitor(app, "Bob")
    bob.sends(f"{path}/seats", {"seat": "B"})
    for who in (ada, bob):
        fields = the_form(who.opens(path).text, f"{path}/entropy")
        who.sends(f"{path}/entropy", {**fields, "decline": "yes"})
    assert "entropy: none." in Visitor(app).opens(path).text


def test_an_entry_is_handed_in_without_a_script(app: Litestar, ada: Visitor) -> None:
    """A bad one comes back with its reason and is not lost; the other side sees nothing of it."""
    path = ada.sends("/new/caltrop/budget", {"seat_A": "me", "seat_B": "open"}).url.path
    bob = Visitor(app, "Bob")
    bob.sends(f"{path}/seats", {"seat": "B"})
    refused = ada.sends(f"{path}/entries", {"seat": "A", "text": "no such deck"})
    assert (refused.status_code, "no such deck</textarea>" in refused.text) == (422, True)
    assert "no such deck" not in bob.opens(path).text


def test_names_of_records_stand_at_their_seats(home: House, ada: Visitor) -> None:
    """Never "Free": whom a record names, or a dash."""
    record = "(;GM[Blokus Duo]PB[Eve]PW[];B[e10])"
    lines = import_file(home.services.handler, home.services.store, record.encode(), "r", 0)
    judged = lines[0].verdict
    assert isinstance(judged, Judged)
    home.catch_up()
    page = ada.opens(f"/matches/{judged.match}").text
    assert "Blokus duo · from a record" in page
    assert ("Eve" in page, "Free" in page, "<td>\u2013" in page) == (True, False, True)
    assert "Eve · \u2013" in ada.opens("/").text


def test_names_are_never_markup(ada: Visitor, client: TestClient[Litestar]) -> None:
    """Imported and typed texts are escaped wherever they are shown."""
    page = ada.opens("/account?next=/%22%3E%3Cscript%3E")
    assert "<script>" not in page.text
    assert Person(client, "O'Neil").get("/me").json()["name"] == "O'Neil"
