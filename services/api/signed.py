"""Short texts only this server can write: page sessions and stream tickets. Nothing is stored."""

import hashlib
import hmac

SESSION_SECONDS = 30 * 86_400
TICKET_SECONDS = 60

SIGNED_CHARS_MAX = 256
_MAC_HEX = 64


def sign(key: bytes, purpose: str, what: str, until: int) -> str:
    """``what`` (no tilde in it) with its expiry (seconds since 1970) and a MAC over both.

    >>> open_signed(b"k", "ticket", sign(b"k", "ticket", "p-1", 100), now=99)
    'p-1'
    """
    body = f"{what}~{until}"
    return f"{body}~{_mac(key, purpose, body)}"


def open_signed(key: bytes, purpose: str, text: str, now: int) -> str | None:
    """What was signed for this purpose, unless it is forged or over.

    >>> open_signed(b"k", "session", sign(b"k", "ticket", "p-1", 100), now=99) is None
    True
    """
    body, _, mac = text[:SIGNED_CHARS_MAX].rpartition("~")
    what, _, until = body.rpartition("~")
    if len(mac) != _MAC_HEX or not hmac.compare_digest(
        mac.encode(), _mac(key, purpose, body).encode()
    ):
        return None
    return what if now < int(until) else None


def _mac(key: bytes, purpose: str, body: str) -> str:
    return hmac.new(key, f"plybook/{purpose}/1\0{body}".encode(), hashlib.sha256).hexdigest()
