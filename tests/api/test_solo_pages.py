"""The pages of the solo game without any script: begin, fight, choose, keep; and every no."""

import re

import pytest
from litestar import Litestar

from tests.api.house import House
from tests.api.test_pages import Visitor


class Solo:
    """Somebody in a run, and the workers' steps made by hand."""

    def __init__(self, home: House, visitor: Visitor) -> None:
        self.home = home
        self.visitor = visitor
        self.campaign = visitor.sends("/solo", {"difficulty": "easy"}).url.path
        self.run = visitor.sends(f"{self.campaign}/runs", {"number": "1"}).url.path

    @property
    def page(self) -> str:
        """The run's page."""
        return self.visitor.opens(self.run).text

    @property
    def title(self) -> str:
        """Where the run stands, as its page says it."""
        (title,) = re.findall("<h1>(.*?)</h1>", self.page)
        return str(title)

    def fights(self, number: int, *, won: bool) -> str:
        """A match of the run, given up at once by one side; the match's path."""
        path = self.visitor.sends(f"{self.run}/fight", {"number": str(number)}).url.path
        match = path.rsplit("/", 1)[-1]
        state = self.home.services.handler.load(match)
        assert state is not None
        player = state.seats[0]
        assert player is not None
        seat, actor = ("B", "computer:B") if won else ("A", f"player:{player.player}")
        self.home.resigns(match, seat, actor)
        return path

    def is_counted(self, path: str) -> None:
        """The run step after a match."""
        self.home.services.campaigns.count(path.rsplit("/", 1)[-1], 1)

    def grows(self, number: int) -> None:
        """The growth after a win."""
        self.home.services.campaigns.grow(self.run.rsplit("/", 1)[-1], number, 1)

    def offered(self) -> list[str]:
        """The slots on offer."""
        return re.findall(r'name="slot" value="(\d)"', self.page)


@pytest.fixture
def app(home: House) -> Litestar:
    """The application."""
    return home.app()


@pytest.fixture
def solo(home: House, app: Litestar) -> Solo:
    """Ada's first run on Easy."""
    return Solo(home, Visitor(app, "Ada"))


def test_strangers_read_the_cards_and_are_shown_the_way(app: Litestar) -> None:
    """Four difficulties with what they mean; a name comes first, then back here."""
    page = Visitor(app).opens("/solo").text
    assert re.findall("<strong>(.*?)</strong>", page) == ["Easy", "Normal", "Hard", "Very hard"]
    assert "gains 2 levels whenever you win" in page
    assert "/account?next=/solo" in page
    assert 'type="radio"' not in page


def test_a_run_needs_no_script(solo: Solo) -> None:
    """Fight, count, grow, choose: each state says what it waits for, and goes on."""
    assert solo.title.startswith("Match 1 of 20: ")
    assert "places second" in solo.page
    match = solo.fights(1, won=True)
    page = solo.visitor.opens(match).text
    assert "Match 1 of a solo run, against " in page
    assert f'href="{solo.run}"' in page
    assert (solo.title, "refresh" in solo.page) == ("Match 1 of 20 is being counted", True)
    solo.is_counted(match)
    assert solo.title == "Match 1 is won: choose an upgrade"
    slots = solo.offered()
    assert len(slots) == 3
    solo.visitor.sends(f"{solo.run}/upgrade", {"number": "1", "slot": slots[0]})
    assert (solo.title, "refresh" in solo.page) == ("The opponents are gaining levels", True)
    solo.grows(1)
    assert solo.title.startswith("Match 2 of 20: ")
    assert "refresh" not in solo.page
    assert "places first" in solo.page
    (now,) = re.findall("<dt>now</dt><dd>(.*?)</dd>", solo.page)
    assert sum(stone.endswith("1") for stone in now.split()) == 1


def test_a_stone_is_kept_and_the_next_run_begins(solo: Solo) -> None:
    """A lost match ends the run; nothing chosen is told; what is kept is there for good."""
    won = solo.fights(1, won=True)
    solo.is_counted(won)
    solo.visitor.sends(f"{solo.run}/upgrade", {"number": "1", "slot": solo.offered()[0]})
    solo.grows(1)
    solo.is_counted(solo.fights(2, won=False))
    assert solo.title == "The run ended at match 2"
    assert "Choose the stone to keep" in solo.page
    campaign = solo.visitor.opens(solo.campaign).text
    won_stone, _upgrade, none = re.findall(r'name="stone" value="(\d+)"', campaign)
    assert none == "0"
    keep = f"{solo.campaign}/keep"
    assert "Choose a stone" in solo.visitor.sends(keep, {"number": "1"}).text
    kept = solo.visitor.sends(keep, {"number": "1", "stone": won_stone}).text
    assert "Begin run 2" in kept
    assert len(re.findall('<li><span class="stone">', kept)) == 9
    assert "1 of 20" in kept
    second = solo.visitor.sends(f"{solo.campaign}/runs", {"number": "2"})
    assert "run 2" in second.text
    assert "Choose the stone to keep" not in solo.page


def test_a_deck_is_ticked_or_taken_by_strength(solo: Solo) -> None:
    """Seven or one are too few and are told so; the strongest are put in by themselves."""
    solo.is_counted(solo.fights(1, won=True))
    solo.visitor.sends(f"{solo.run}/upgrade", {"number": "1", "slot": solo.offered()[0]})
    solo.grows(1)
    boxes = re.findall(r'name="stone" value="(\d+)"( checked)?', solo.page)
    ticked = [number for number, checked in boxes if checked]
    assert len(ticked) == 8
    for few in (0, 1, 7):
        page = solo.visitor.sends(f"{solo.run}/deck", {"stone": ticked[:few]})
        assert f"A deck has 8 stones, not {few}." in page.text
    swapped = [*ticked[1:], next(number for number, checked in boxes if not checked)]
    solo.visitor.sends(f"{solo.run}/deck", {"stone": swapped})
    after = re.findall(r'name="stone" value="(\d+)" checked', solo.page)
    assert set(after) == set(swapped)
    solo.visitor.sends(f"{solo.run}/deck", {"auto": "yes"})
    state = solo.home.services.campaigns.run(solo.run.rsplit("/", 1)[-1])
    assert state is not None
    assert state.collection.deck == state.collection.strongest()


def test_others_may_look_and_find_nothing_to_press(solo: Solo, app: Litestar) -> None:
    """Whoever has the address reads it; a form sent all the same is refused."""
    bob = Visitor(app, "Bob")
    for path in (solo.run, solo.campaign):
        page = bob.opens(path)
        assert page.status_code == 200
        assert "<form" not in page.text
    refused = bob.sends(f"{solo.run}/fight", {"number": "1"})
    assert (refused.status_code, "somebody else" in refused.text) == (403, True)


def test_a_match_left_half_open_is_opened_by_its_run(
    solo: Solo, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run's page offers it, and the same door finishes it."""
    with monkeypatch.context() as patched:
        patched.setattr(solo.home.services.campaigns, "_open_match", lambda *_: None)
        solo.visitor.sends(f"{solo.run}/fight", {"number": "1"})
    assert "Open the match" in solo.page
    solo.visitor.sends(f"{solo.run}/fight", {"number": "1"})
    assert "To the match" in solo.page


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/runs/r-none", 404), ("/campaigns/c-none", 404), ("/stones/blue/X9", 404),
        ("/stones/green/Pn1", 400), ("/stones/red/ED2", 200),
    ],
)  # fmt: skip
def test_what_is_not_there_is_told(app: Litestar, path: str, status: int) -> None:
    """A sentence and a way back, or the stone."""
    assert Visitor(app).opens(path).status_code == status
