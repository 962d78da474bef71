"""What a page says, in sentences, and rule sheets as pages."""

from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from services.games.registry import REGISTRY
from services.match.commands import CreateMatch
from services.match.decider import decide
from services.match.folding import evolve
from services.match.secret import Secret
from services.match.state import MatchState, initial
from services.match.views import OfferView, SeatView, view_of
from services.web.markdown import to_html
from services.web.words import GONE, seat_words, seats_asked, status_words
from tests.kit.tree import ROOT


def opened() -> MatchState:
    """A duo match nobody has joined."""
    state = initial("m-test", Secret(bytes(32)))
    decision = decide(state, CreateMatch("blokus", {"variant": "duo"}), "player:p-ada", 0)
    assert isinstance(decision, tuple)
    for event in decision:
        state = evolve(state, event)
    return state


def test_an_open_match_names_its_free_seats() -> None:
    """One or several."""
    assert (
        status_words(view_of(opened()), {}, ()) == "Waiting for players: seats A and B still free."
    )


def test_somebody_who_left_has_no_name() -> None:
    """An erased player is spoken of all the same."""
    seat = view_of(opened()).seats[0]
    person = type(seat)("A", "person", player="p-gone")
    assert seat_words(person, {}) == GONE
    assert seat_words(person, {}, ("A",)) == "You"


def test_the_heading_of_a_match_begins_with_a_capital() -> None:
    """Also where it begins with somebody who has no name any more."""
    view = view_of(opened())
    seats = (SeatView("A", "person", player="p-gone"), SeatView("B", "person", player="p-bob"))
    running = replace(view, status="running", seats=seats, to_move="A")
    won = replace(running, status="ended", winners=("A",), how="resign")
    assert status_words(running, {}, ()) == "Somebody who left (seat A) is to move."
    assert status_words(won, {}, ()) == "Somebody who left won by resignation."


def test_one_seat_of_a_visitor_has_answered_for_all_of_them() -> None:
    """Only those who have not said anything yet are asked."""
    seats = tuple(SeatView(seat, "person", player="p") for seat in "ABC")
    offer = OfferView("draw", "A", 0, ("A",))
    assert seats_asked(offer, seats, ("A", "C")) == ()
    assert seats_asked(offer, seats, ("B",)) == ("B",)


class Tags(HTMLParser):
    """Counts tags and sees that each is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """One more is open."""
        self.open.append(tag)
        self.seen.add(tag)
        assert all(name in {"href", "class"} for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        """The last one is closed."""
        assert self.open.pop() == tag


@pytest.mark.parametrize("game", REGISTRY.slugs())
def test_every_rule_sheet_is_a_page(game: str) -> None:
    """Headings, tables and code come through; no mark of Markdown is left over."""
    html = to_html((ROOT / "seeds" / game / "RULES.md").read_text("utf-8"))
    tags = Tags()
    tags.feed(html)
    assert tags.open == []
    assert {"h1", "h2", "p", "table", "code", "li"} <= tags.seen
    for mark in ("**", "|---", "\n#", "`"):
        assert mark not in html


@given(st.text(st.sampled_from("#*`|-[]()<>&\"' \n1.ab"), max_size=60))
def test_no_text_becomes_markup_of_its_own(text: str) -> None:
    """Only our own tags, all closed, whatever a sheet holds."""
    tags = Tags()
    tags.feed(to_html(text))
    assert tags.open == []
    assert tags.seen <= {
        "h1", "h2", "h3", "h4", "p", "ul", "ol", "li", "pre", "code", "strong", "em", "a",
        "div", "table", "thead", "tbody", "tr", "th", "td",
    }  # fmt: skip
