"""People with real browser windows, for tests of pages with their scripts."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

PHONE: dict[str, Any] = {
    "viewport": {"width": 390, "height": 800},
    "has_touch": True,
    "is_mobile": True,
}


class Visit:
    """One person's browser window; whatever the page complains of is kept."""

    def __init__(self, context: BrowserContext, url: str, name: str) -> None:
        self.page: Page = context.new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("console", self._note)
        self.url = url
        self.page.goto(f"{url}/account")
        self.page.get_by_label("Your name").fill(name)
        self.page.get_by_role("button", name="Play under this name").click()

    def _note(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def opens_match(self, seat_b: str = "1", ruleset: str = "duo", game: str = "blokus") -> str:
        """A match against the computer, or with an open seat; the match id."""
        self.page.goto(f"{self.url}/new/{game}/{ruleset}")
        self.page.locator("select[name=seat_B]").select_option(seat_b)
        self.page.get_by_role("button", name="Open the match").click()
        self.page.wait_for_url("**/matches/m-*")
        return self.page.url.rsplit("/", 1)[-1]

    def picks(self, piece: str) -> None:
        """Take a piece from the tray."""
        self.page.locator(f"[data-piece={piece}]").click()

    @property
    def ghost(self) -> Any:
        """The piece in hand, on the board."""
        return self.page.locator("#overlay .ghost")


@contextmanager
def visiting(browser: Browser, url: str, name: str = "Ada", **options: Any) -> Iterator[Visit]:
    """A window; at its end nothing may have been complained of."""
    context = browser.new_context(**options)
    visit = Visit(context, url, name)
    yield visit
    context.close()
    assert visit.complaints == [], visit.complaints
