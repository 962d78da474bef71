"""Who is asking: a bearer token (programs), or a same-site session cookie (pages)."""

import hmac
import re
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

from litestar import Request

from services.api.problems import Problem
from services.api.services import Services
from services.api.signed import open_signed
from services.players.tokens import TOKEN_CHARS_MAX, token_hash

SESSION_COOKIE = "plybook_session"
KEY_HEADER = "Idempotency-Key"
KEY_CHARS_MAX = 64
KEY_PATTERN = rf"\A[ -~]{{1,{KEY_CHARS_MAX}}}\Z"
"""Of an idempotency key, in a header or in a form: printable ASCII."""
_SAFE = ("GET", "HEAD", "OPTIONS")
_SECOND = 1_000_000  # microseconds


class Caller:
    """One request's sender, and the services it reaches; what every route is handed.

    ``received_at`` (µs) is the edge's stamp. The database is asked only when a handler wants
    to know who this is.
    """

    def __init__(self, services: Services, request: Request[Any, Any, Any]) -> None:
        self.services = services
        self.request = request
        self.received_at = services.clock()
        self.token = bearer_token(request.headers.get("authorization", ""))

    @cached_property
    def player_or_none(self) -> str | None:
        """The player's id; None for a stranger. A token nobody has is an error, not a stranger."""
        if self.token is None:
            return self._by_cookie()
        if self.is_operator:
            return None
        player = self.services.players.by_token(self.token)
        if player is None:
            raise Problem(
                401, "who-are-you", "This token is unknown, or its player was erased.", None, _ASK
            )
        return player

    @property
    def player(self) -> str:
        """The player's id; strangers get a 401."""
        if self.player_or_none is None:
            sentence = "Say who you are: send 'Authorization: Bearer <token>' (POST /v1/players)."
            raise Problem(401, "who-are-you", sentence, None, _ASK)
        return self.player_or_none

    @property
    def actor(self) -> str:
        """How the log names the player."""
        return f"player:{self.player}"

    @cached_property
    def key(self) -> str | None:
        """The idempotency key; printable ASCII, at most ``KEY_CHARS_MAX`` characters."""
        key = self.request.headers.get(KEY_HEADER)
        if key is None or re.match(KEY_PATTERN, key):
            return key
        sentence = f"{KEY_HEADER} has 1 to {KEY_CHARS_MAX} printable ASCII characters."
        raise Problem(400, "bad-input", sentence, {"field": KEY_HEADER})

    @property
    def is_operator(self) -> bool:
        """Whether the token is the operator's."""
        wanted = self.services.operator_hash
        return bool(wanted and self.token and hmac.compare_digest(token_hash(self.token), wanted))

    def show_ticket(self, ticket: str, match: str) -> None:
        """Let a ticket say who this is, for one match's stream."""
        now = self.received_at // _SECOND
        player, _, for_match = (
            open_signed(self.services.key, "ticket", ticket, now) or ""
        ).partition(" ")
        if for_match != match:
            raise Problem(401, "bad-ticket", "This ticket is forged, over, or for another match.")
        self.player_or_none = player

    def need_operator(self) -> None:
        """Let only the operator pass."""
        if not self.is_operator:
            status = 401 if self.token is None else 403
            raise Problem(status, "operators-only", "Only the operator's token may do this.")

    def _by_cookie(self) -> str | None:
        cookie = self.request.cookies.get(SESSION_COOKIE)
        if cookie is None:
            return None
        if self.request.method not in _SAFE and not same_origin(self.request):
            raise Problem(403, "cross-site", "Another site cannot act in your name.")
        now = self.received_at // _SECOND
        player = open_signed(self.services.key, "session", cookie, now)
        return player if player and self.services.players.exists(player) else None


_ASK = {"WWW-Authenticate": "Bearer"}


def bearer_token(header: str) -> str | None:
    """The token of an ``Authorization`` header.

    >>> bearer_token("Bearer plybook_x"), bearer_token("Basic abc")
    ('plybook_x', None)
    """
    scheme, _, token = header.partition(" ")
    token = token.strip()
    if scheme.lower() != "bearer" or not 1 <= len(token) <= TOKEN_CHARS_MAX:
        return None
    return token


def same_origin(request: Request[Any, Any, Any]) -> bool:
    """Whether a browser says that one of our own pages sent this.

    The cookie is SameSite=Strict already; this is the second lock.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = request.headers.get("origin")
    return origin is None or urlsplit(origin).netloc == request.headers.get("host")
