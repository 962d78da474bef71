"""A run in the browser on the real server: fought by keys, and carried on by the workers."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect, sync_playwright

from ops.dev.test_services import CHROMIUM
from services.games.caltrop import notation
from tests.journeys.test_solo import best_move
from tests.kit.machine import PATIENCE_SECONDS, Machine

pytestmark = pytest.mark.browser

PATIENCE_MS = PATIENCE_SECONDS * 1_000
TRIES_MAX = 5
"""Runs that are begun until a first match is won; the engine hardly ever needs a second."""


@pytest.fixture(scope="module")
def machine(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A new installation whose server runs."""
    machine = Machine(tmp_path_factory.mktemp("home") / "data")
    with machine.serving():
        yield machine


@pytest.fixture
def page(machine: Machine) -> Iterator[Page]:
    """Ada's window, after she has chosen her name."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM.path, args=["--no-sandbox"])
        page = browser.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.goto(f"{machine.url}/account")
        page.get_by_label("Your name").fill("Ada")
        page.get_by_role("button", name="Play under this name").click()
        yield page
        browser.close()


def first_match_is_won(page: Page, address: str) -> bool:
    """A new run's first match to its end: each move is typed, seen as a dry run, and played."""
    page.goto(f"{address}/solo")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Begin run 1").click()
    page.get_by_role("button", name="Fight").click()
    page.wait_for_url("**/matches/m-*")
    title, match = page.locator("h1"), page.locator("#match")
    while True:
        expect(title).to_have_text(re.compile("Your turn|won"), timeout=PATIENCE_MS)
        if match.get_attribute("data-status") == "ended":
            return title.inner_text().startswith("You won")
        position = match.get_attribute("data-position")
        assert position is not None
        move = best_move(notation.parse_position(position))
        page.locator(".choices-row button").first.wait_for()
        page.keyboard.type(move)
        dry_run = re.compile(rf"preview\.svg\?move={move}$")
        expect(page.locator("#board-image")).to_have_attribute("href", dry_run)
        turn = match.get_attribute("data-turn")
        page.keyboard.press("Enter")
        expect(page.locator(f"#match[data-turn='{turn}']")).to_have_count(0, timeout=PATIENCE_MS)


def test_a_win_leads_to_the_next_match_in_the_browser(machine: Machine, page: Page) -> None:
    """The workers count it and let the opponents grow; the player only chooses an upgrade."""
    assert any(first_match_is_won(page, machine.url) for _ in range(TRIES_MAX))
    title = page.locator("h1")
    page.get_by_role("link", name="Go on with the run").click()
    expect(title).to_have_text("Match 1 is won: choose an upgrade", timeout=PATIENCE_MS)
    page.get_by_role("radio").first.check()
    page.get_by_role("button", name="Upgrade it").click()
    expect(title).to_contain_text("Match 2 of 20: ", timeout=PATIENCE_MS)
    then, now = page.locator(".met dd").all_inner_texts()
    risen = [one for one, was in zip(now.split(), then.split(), strict=True) if one != was]
    assert len(risen) == 1
    expect(page.get_by_role("button", name="Fight")).to_be_enabled()
