"""Who looks at a page, and two courtesies that strict cookies need."""

import secrets
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from litestar import Request, Response

from services.api.callers import SESSION_COOKIE, Caller, same_origin
from services.api.messages import MatchLine
from services.api.problems import Problem
from services.api.signed import SESSION_SECONDS, sign
from services.formats.importing import notes_of
from services.match.views import MatchView
from services.web.render import page

_SECOND = 1_000_000  # microseconds
_SAFE = ("GET", "HEAD")


def shell(caller: Caller) -> dict[str, Any]:
    """What every page needs to know: who is here, and a fresh key for its forms."""
    player = caller.player_or_none
    name = caller.services.players.names([player]).get(player, "") if player else ""
    return {"me": player, "my_name": name, "key": secrets.token_hex(16)}


def record_names(caller: Caller, view: MatchView | MatchLine) -> Mapping[str, str] | None:
    """The names by seat that came with an imported match; None for matches played here."""
    return notes_of(caller.services.store, view.match).names if view.imported else None


def need_player(caller: Caller) -> str:
    """The visitor's player id; strangers are shown the way to an account and back."""
    if caller.player_or_none is None:
        raise NotSignedIn(caller.request.url.path)
    return caller.player_or_none


class NotSignedIn(Exception):
    """A page that needs a player was asked for by a stranger."""

    def __init__(self, path: str) -> None:
        super().__init__(path)
        self.path = path


def acted(
    caller: Caller,
    key: str,
    act: Callable[[], str],
    shown_again: Callable[[Problem], Response[str]],
) -> Response[Any]:
    """After a form with this key: do it and go where it leads, or show the page with a problem."""
    need_player(caller)
    caller.key = key
    try:
        return to(act())
    except Problem as problem:
        return shown_again(problem)


def to(path: str, caller: Caller | None = None, player: str = "") -> Response[None]:
    """See other: after a form, the page that shows what it did; opens a session for ``player``."""
    response: Response[None] = Response(None, status_code=303, headers={"Location": path})
    if caller and player:
        until = caller.received_at // _SECOND + SESSION_SECONDS
        set_session(caller, response, sign(caller.services.key, "session", player, until))
    return response


def set_session(caller: Caller, response: Response[Any], value: str) -> None:
    """Put the session cookie on a response; an empty value ends the session."""
    response.set_cookie(
        SESSION_COOKIE,
        value,
        max_age=SESSION_SECONDS if value else 0,
        path="/",
        httponly=True,
        secure=caller.services.secure_cookies,
        samesite="strict",
    )


def local_path(text: str) -> str:
    """A path on this server, or home: a form never leads elsewhere.

    >>> local_path("/matches/m-1"), local_path("//elsewhere"), local_path("https://x")
    ('/matches/m-1', '/', '/')
    """
    plain = text.startswith("/") and not text.startswith(("//", "/\\")) and text.isprintable()
    return text if plain else "/"


def account_path(back_to: str) -> str:
    """The account page that leads back to where one came from."""
    return f"/account?next={quote(back_to, safe='/')}"


async def edge(request: Request[Any, Any, Any]) -> Response[str] | None:
    """Before any page: other sites can neither post here nor hide a session.

    A link from elsewhere (a mail, a chat) arrives without the SameSite=Strict cookie; the page
    then asks for itself once more, and that request is our own.
    """
    if request.method not in _SAFE:
        if not same_origin(request):
            raise Problem(403, "cross-site", "Another site cannot act in your name.")
        return None
    foreign = request.headers.get("sec-fetch-site") == "cross-site"
    if foreign and SESSION_COOKIE not in request.cookies:
        query = f"?{request.url.query}" if request.url.query else ""
        return page("again.html", path=request.url.path + query)
    return None
