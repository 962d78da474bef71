"""The pages in a real browser: the picker, the live board, keys, touch, and no complaint."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from services.games.blokus import drawing, pieces
from services.web.render import STATIC
from tests.api.house import House
from tests.api.visits import PHONE, Visit, visiting

pytestmark = pytest.mark.browser


def cell(visit: Visit, column: int, row: int) -> tuple[float, float]:
    """The middle of a square on the screen; row 0 is at the bottom."""
    box = visit.page.locator("#overlay").bounding_box()
    assert box is not None
    side = 14
    scale = box["width"] / (drawing.BOARD_X + side * drawing.CELL + drawing.BOARD_Y)
    x = drawing.BOARD_X + (column + 0.5) * drawing.CELL
    y = drawing.BOARD_Y + (side - 1 - row + 0.5) * drawing.CELL
    return box["x"] + x * scale, box["y"] + y * scale


def test_a_piece_is_chosen_turned_and_placed_with_the_mouse(
    home: House, browser: Browser, url: str
) -> None:
    """Hover shows whether it fits and why not; a click pins it, a second one places it."""
    with visiting(browser, url) as ada:
        match = ada.opens_match()
        page, verdict = ada.page, ada.page.locator(".verdict")
        expect(verdict).to_contain_text("start square")
        ada.picks("I3")
        page.mouse.move(*cell(ada, 8, 11))
        expect(ada.ghost).to_have_class("ghost no ")
        expect(verdict).to_contain_text("start square")
        expect(page.get_by_role("button", name="Place it")).to_be_disabled()
        page.mouse.move(*cell(ada, 4, 9))
        expect(verdict).to_contain_text("fits on d10,e10,f10")
        page.get_by_role("button", name="Turn").click()
        expect(verdict).to_contain_text("fits on e9,e10,e11")
        page.mouse.click(*cell(ada, 4, 8))
        page.mouse.click(*cell(ada, 4, 9))
        expect(page.locator("h1")).to_contain_text("is thinking")
        state = home.services.handler.load(match)
        assert state is not None
        assert [ply.move for ply in state.line] == ["e8,e9,e10"]


def test_the_board_is_live(home: House, browser: Browser, url: str) -> None:
    """The computer's answer comes in by itself, with a fresh picker and a fresh board."""
    with visiting(browser, url) as ada:
        match = ada.opens_match()
        ada.page.locator("#move").fill("e10")
        ada.page.get_by_role("button", name="Play", exact=True).click()
        expect(ada.page.locator("h1")).to_contain_text("is thinking")
        home.computer_plays(match)
        expect(ada.page.locator("h1")).to_have_text("Your turn.")
        expect(ada.page.locator(".where")).to_have_text("2 / 2")
        expect(ada.page.locator("[data-piece]")).to_have_count(20)
        assert ada.page.title().startswith("●")


def test_everything_works_with_the_keyboard_alone(home: House, browser: Browser, url: str) -> None:
    """A letter chooses, Space turns, arrows move, Enter places; elsewhere arrows walk."""
    with visiting(browser, url) as ada:
        match = ada.opens_match()
        page, keys = ada.page, ada.page.keyboard
        page.locator(".tray").wait_for()
        keys.press("v")
        expect(page.locator("[data-piece=V3]")).to_have_attribute("aria-pressed", "true")
        keys.press("v")
        expect(page.locator("[data-piece=V5]")).to_have_attribute("aria-pressed", "true")
        keys.press("Escape")
        expect(page.locator("[aria-pressed=true]")).to_have_count(0)
        keys.press("i")
        keys.press("ArrowUp")
        expect(ada.ghost).to_have_class("ghost no pinned")
        keys.press(".")
        expect(ada.ghost).to_have_class("ghost yes pinned")
        keys.press("Enter")
        expect(page.locator("h1")).to_contain_text("is thinking")
        home.computer_plays(match)
        expect(page.locator(".where")).to_have_text("2 / 2")
        keys.press("ArrowLeft")
        expect(page.locator(".where")).to_have_text("1 / 2")
        expect(page.locator("#board-image")).to_have_attribute("href", re.compile(r"\?ply=1$"))
        keys.press("Home")
        expect(page.locator(".where")).to_have_text("0 / 2")
        page.go_back()
        expect(page.locator(".where")).to_have_text("1 / 2")
        keys.press("End")
        expect(page.locator(".where")).to_have_text("2 / 2")


def test_a_piece_in_hand_stays_there_while_chatter_comes_in(browser: Browser, url: str) -> None:
    """An offer from the other side changes the page round the picker, not the picker."""
    with visiting(browser, url) as ada, visiting(browser, url, "Bob") as bob:
        match = ada.opens_match("open")
        bob.page.goto(f"{url}/matches/{match}")
        bob.page.get_by_role("button", name="Take").click()
        ada.page.locator(".tray").wait_for()
        ada.picks("W")
        bob.page.on("dialog", lambda dialog: dialog.accept())
        bob.page.get_by_role("button", name="Offer a draw").click()
        expect(ada.page.locator(".notice.ask")).to_contain_text("Seat B offers a draw")
        expect(ada.page.locator("[data-piece=W]")).to_have_attribute("aria-pressed", "true")
        ada.page.get_by_role("button", name="Place it").click()
        expect(bob.page.locator("h1")).to_have_text("Your turn.")


def test_a_phone_is_enough(browser: Browser, url: str) -> None:
    """Nothing is wider than the screen; buttons are big; tap, drag, tap again."""
    with visiting(browser, url, **PHONE) as ada:
        ada.opens_match()
        page = ada.page
        page.locator(".tray").wait_for()
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        small = (
            "[...document.querySelectorAll('.button, .piece, a.step')]"
            ".filter(one => one.getBoundingClientRect().height < 38).length"
        )
        assert page.evaluate(small) == 0
        page.locator("[data-piece=O4]").tap()
        page.locator("#overlay").scroll_into_view_if_needed()
        page.touchscreen.tap(*cell(ada, 4, 9))
        expect(page.locator(".verdict")).to_contain_text("O4 fits on e10,f10,e11,f11")
        page.touchscreen.tap(*cell(ada, 4, 9))
        expect(page.locator("h1")).to_contain_text("is thinking")


def test_any_game_is_played_by_pointing(home: House, browser: Browser, url: str) -> None:
    """A step by its button, a square on the board; the page says whether it can be played."""
    with visiting(browser, url) as ada:
        match = ada.opens_match("me", "standard", game="hedgerow")
        page, targets = ada.page, ada.page.locator(".target")
        page.get_by_role("button", name="NE@", exact=True).click()
        expect(targets.first).to_be_visible()
        targets.first.click()
        expect(page.locator("#move")).to_have_value(re.compile(r"^NE@[a-g][1-7]$"))
        expect(page.locator(".verdict")).to_contain_text("✓ It can be played.")
        chosen = page.locator("#move").input_value()
        page.locator("#move").fill("9z9")
        expect(page.locator(".verdict")).to_contain_text("✕")
        expect(targets).to_have_count(0)
        page.locator("#move").fill(chosen)
        page.get_by_role("button", name="Play", exact=True).click()
        expect(page.locator("h1")).to_have_text("Your turn, seat B.")
        state = home.services.handler.load(match)
        assert state is not None
        assert [ply.move for ply in state.line] == [chosen]


def test_a_dry_run_is_shown_before_a_stone_is_placed(
    home: House, browser: Browser, url: str
) -> None:
    """Keys pick a stone and a square; the board and a sentence tell; Enter plays it."""
    with visiting(browser, url) as ada:
        match = ada.opens_match("me", "classic", game="caltrop")
        page, keys, verdict = ada.page, ada.page.keyboard, ada.page.locator(".verdict")
        image = page.locator("#board-image")
        for text in ("4b2", "8c2"):
            page.locator("#move").fill(text)
            expect(verdict).to_contain_text("✓")
            page.get_by_role("button", name="Play", exact=True).click()
            expect(page.locator(".where")).to_have_text(re.compile("^[12] / "))
        page.get_by_role("button", name="7", exact=True).hover()
        keys.type("7b3")
        expect(verdict).to_contain_text("b2 north 2; b3 south 2")
        expect(image).to_have_attribute("href", re.compile(r"preview\.svg\?move=7b3$"))
        page.locator(".target").first.hover()
        expect(image).to_have_attribute("href", re.compile(r"preview\.svg\?move=7b[14]$"))
        keys.press("Escape")
        expect(image).to_have_attribute("href", re.compile(r"board\.svg"))
        expect(verdict).to_be_empty()
        keys.type("7b3")
        expect(page.locator(".target.chosen")).to_have_count(1)
        keys.press("Enter")
        expect(page.locator(".where")).to_have_text("3 / 3")
        state = home.services.handler.load(match)
        assert state is not None
        assert state.line[-1].move == "7b3"


def test_the_focus_stays_among_the_choices(browser: Browser, url: str) -> None:
    """Enter picks a stone, Tab goes over the squares and shows each, Enter picks and plays."""
    with visiting(browser, url) as ada:
        ada.opens_match("me", "classic", game="caltrop")
        page, keys = ada.page, ada.page.keyboard
        page.get_by_role("button", name="8", exact=True).focus()
        keys.press("Enter")
        expect(page.get_by_role("button", name="8a1", exact=True)).to_be_focused()
        expect(page.locator("#board-image")).to_have_attribute("href", re.compile("move=8a1$"))
        keys.press("Tab")
        expect(page.locator("#board-image")).to_have_attribute("href", re.compile("move=8b1$"))
        keys.press("Enter")
        picked = page.get_by_role("button", name="8b1", exact=True)
        expect(picked).to_have_attribute("aria-pressed", "true")
        expect(picked).to_be_focused()
        keys.press("Enter")
        expect(page.locator(".where")).to_have_text("1 / 1")


def test_on_a_phone_one_tap_previews_and_the_next_plays(browser: Browser, url: str) -> None:
    """The chosen square is framed, another one is a tap away, and all fits the screen."""
    with visiting(browser, url, **PHONE) as ada:
        ada.opens_match("me", "classic", game="caltrop")
        page, image = ada.page, ada.page.locator("#board-image")
        page.get_by_role("button", name="8", exact=True).tap()
        for square in (0, 5):
            page.locator(".target").nth(square).tap()
            expect(page.locator(".target.chosen")).to_have_count(1)
            expect(image).to_have_attribute("href", re.compile(r"preview\.svg"))
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0
        page.locator(".target.chosen").tap()
        expect(page.locator(".where")).to_have_text("1 / 1")


@pytest.mark.parametrize("game", ["caltrop", "triangles"])
def test_on_a_phone_the_hands_are_where_one_plays(browser: Browser, url: str, game: str) -> None:
    """After the choices, before what is read at leisure; the focus still goes as the page reads."""
    with visiting(browser, url, **PHONE) as ada:
        ada.opens_match("me", "classic", game=game)
        parts = ("play", "rest", "seats", "moves", "links", "letters")
        boxes = [ada.page.locator(f"[data-part={part}]").bounding_box() for part in parts]
        tops = [box["y"] for box in boxes if box is not None]
        assert len(tops) == len(parts)
        assert tops == sorted(tops)


def test_what_is_typed_stays_while_the_page_goes_on(browser: Browser, url: str) -> None:
    """Somebody else takes a seat and the page follows; a phrase half typed is not rolled over."""
    with visiting(browser, url) as ada, visiting(browser, url, "Bob") as bob:
        match = ada.opens_match("open", "classic", game="triangles")
        field = ada.page.locator("input[name=entropy]")
        expect(field).to_have_value(re.compile(r"^[0-9a-f]{32}$"))
        field.fill("half a phr")
        bob.page.goto(f"{url}/matches/{match}")
        bob.page.get_by_role("button", name="Take").click()
        expect(ada.page.locator("#match")).to_contain_text("Bob")

        expect(field).to_have_value("half a phr")
        expect(field).to_be_focused()


def test_a_browser_keeps_receipts_and_compares_them(browser: Browser, url: str) -> None:
    """It rolls 16 bytes, shows them, keeps what it saw, and raises its voice at another story."""
    with visiting(browser, url) as ada, visiting(browser, url, "Bob") as bob:
        match = ada.opens_match("open", "classic", game="triangles")
        bob.page.goto(f"{url}/matches/{match}")
        bob.page.get_by_role("button", name="Take").click()
        field = ada.page.locator("input[name=entropy]")
        expect(field).to_have_value(re.compile(r"^[0-9a-f]{32}$"))
        given = field.input_value()
        ada.page.get_by_role("button", name="Give it").click()
        expect(ada.page.locator(".chance dd").first).to_have_text(given)
        bob.page.locator("input[name=entropy]").fill("blue moon")
        bob.page.get_by_role("button", name="Give it").click()
        expect(bob.page.locator(".chance dd").nth(1)).to_have_text(b"blue moon".hex())
        expect(ada.page.locator(".receipt")).to_contain_text("✓")
        ada.page.locator(".chance summary").click()
        with ada.page.expect_download() as download:
            ada.page.get_by_role("link", name="Download the receipt").click()
        kept = json.loads(download.value.path().read_text("utf-8"))
        assert (kept["match"], kept["own"]) == (match, {"A": given})
        assert list(kept["rounds"]) == ["1"]
        kept["rounds"]["1"] = "00" * 32
        ada.page.evaluate(
            "([name, text]) => localStorage.setItem(name, text)",
            [f"plybook-receipt {match}", json.dumps(kept)],
        )
        ada.page.reload()
        expect(ada.page.locator(".receipt.bad")).to_contain_text("the commitment to deal 1")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_colours_keep_their_contrast(browser: Browser, url: str, scheme: Any) -> None:
    """Text against its ground is at least 4.5 : 1 in both schemes (WCAG AA)."""
    with visiting(browser, url, color_scheme=scheme) as ada:
        ada.opens_match()
        for chosen in ("body", ".eyebrow", ".hint", "#move-send", ".links a", ".tag"):
            ratio = ada.page.locator(chosen).first.evaluate(CONTRAST)
            assert ratio >= 4.5, (chosen, ratio)


CONTRAST = """(element) => {
  const numbers = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b]
    .map((c) => c / 255).map((c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  let ground = element;
  while (ground.parentElement && numbers(getComputedStyle(ground).backgroundColor)[3] === 0) {
    ground = ground.parentElement;
  }
  const [a, b] = [getComputedStyle(element).color, getComputedStyle(ground).backgroundColor]
    .map((text) => light(numbers(text)) + 0.05);
  return Math.max(a, b) / Math.min(a, b);
}"""


def test_the_picker_and_the_drawing_have_the_same_measures(browser: Browser, url: str) -> None:
    """The script's numbers are the drawing's, and its pieces are the sheet's."""
    with visiting(browser, url) as ada:
        ada.opens_match()
        module = ada.page.evaluate(
            "async () => { const m = await import('/static/blokus.js');"
            " return [m.CELL, m.BOARD_X, m.BOARD_Y, m.pieceName('e8,e9,e10')]; }"
        )
    assert module == [drawing.CELL, drawing.BOARD_X, drawing.BOARD_Y, "I3"]
    script = (STATIC / "blokus.js").read_text("utf-8")
    for piece in pieces.PIECES:
        cells = " ".join(f"{column}{row}" for row, column in piece.cells)
        names = set(cells.split())
        told = script.partition(f'{piece.name}: "')[2].partition('"')[0]
        assert set(told.split()) == names, piece.name
