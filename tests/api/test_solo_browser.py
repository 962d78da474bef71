"""A run in a real browser: its page goes on by itself, and counts what is ticked."""

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.house import House
from tests.api.visits import PHONE, Visit, visiting

pytestmark = pytest.mark.browser

WIDER_THAN_THE_SCREEN = (
    "document.documentElement.scrollWidth - document.documentElement.clientWidth"
)


def begins_a_run(visit: Visit) -> str:
    """A campaign on Hard and its first run; the run's id."""
    page = visit.page
    page.goto(f"{visit.url}/solo")
    page.get_by_role("radio", name="Hard", exact=False).first.check()
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("button", name="Begin run 1").click()
    page.wait_for_url("**/runs/r-*")
    return page.url.rsplit("/", 1)[-1]


def is_won(home: House, page: Page) -> str:
    """The match whose page this is, given up by the computer; its id."""
    page.wait_for_url("**/matches/m-*")
    page.locator(".choices-row button").first.wait_for()  # the picker has its answer
    match = page.url.rsplit("/", 1)[-1]
    home.resigns(match, "B", "computer:B")
    return match


def test_a_run_goes_on_by_itself_while_the_workers_work(
    home: House, browser: Browser, url: str
) -> None:
    """Counting, choosing, growing: nobody has to press anything for what the server does."""
    with visiting(browser, url) as ada:
        run, page, title = begins_a_run(ada), ada.page, ada.page.locator("h1")
        page.get_by_role("button", name="Fight").click()
        match = is_won(home, page)
        page.get_by_role("link", name="Go on with the run").click()
        expect(title).to_have_text("Match 1 of 20 is being counted")
        home.services.campaigns.count(match, 1)
        expect(title).to_have_text("Match 1 is won: choose an upgrade")
        page.get_by_role("radio").first.check()
        page.get_by_role("button", name="Upgrade it").click()
        expect(page.get_by_role("status").first).to_contain_text("gains levels")
        home.services.campaigns.grow(run, 1, 1)
        expect(title).to_contain_text("Match 2 of 20: ")
        page.get_by_text("Change stones").click()
        expect(page.locator("[data-count]")).to_have_text("8 of 8 ticked")
        page.get_by_role("checkbox").first.click()
        expect(page.locator("[data-count]")).to_contain_text("of 8 ticked")
        expect(page.get_by_role("button", name="Take these")).to_be_disabled()


def test_the_solo_pages_fit_a_phone(browser: Browser, url: str) -> None:
    """Nothing is wider than the screen, and what is pressed is big enough."""
    with visiting(browser, url, **PHONE) as ada:
        page = ada.page
        begins_a_run(ada)
        page.get_by_text("Change stones").tap()
        campaign = page.get_by_role("link", name="Hard campaign").get_attribute("href")
        for path in (page.url, f"{url}{campaign}", f"{url}/solo"):
            page.goto(path)
            assert page.evaluate(WIDER_THAN_THE_SCREEN) == 0, path
            small = (
                "[...document.querySelectorAll('.button, .pick')]"
                ".filter(one => one.offsetParent && one.getBoundingClientRect().height < 38).length"
            )
            assert page.evaluate(small) == 0, path
