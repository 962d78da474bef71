"""Secrets that people carry: made of 256 random bits, kept only as hashes.

A plain SHA-256 is enough for them: nobody guesses 256 bits, so there is nothing for a slow
hash to slow down.
"""

import base64
import hashlib
import secrets

TOKEN_BYTES = 32
TOKEN_CHARS_MAX = 128
"""Longer texts are never tokens of ours; they are not even hashed."""

_ID_BYTES = 10


def new_token(prefix: str) -> str:
    """A fresh secret; the prefix lets a scanner of leaked texts recognise it.

    >>> new_token("plybook").startswith("plybook_")
    True
    """
    return f"{prefix}_{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_hash(token: str) -> bytes:
    """What is stored instead of the secret (SHA-256, 32 bytes).

    >>> token_hash("plybook_x").hex()[:8]
    '71e503d2'
    """
    return hashlib.sha256(token.encode()).digest()


def new_player_id() -> str:
    """A fresh public id: ``p-`` and 16 characters of base32 (80 random bits).

    >>> len(new_player_id())
    18
    """
    return "p-" + base64.b32encode(secrets.token_bytes(_ID_BYTES)).decode().lower()
