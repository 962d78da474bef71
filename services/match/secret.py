"""What only the server knows of a running match: its seed, what follows from it, sealed entries.

Nothing here is an event before its time. The commitments of sealed entries are salted, because
decks are few enough to be tried one by one: SHA-256(label ‖ 0 ‖ 32 salt bytes ‖ text). The salt
follows from the seed, so a decision about an entry needs no dice of its own.
"""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from services.games.contract import Seat
from services.match import shuffle

_ENTRY_LABEL = b"plybook/entry-commit/v1\x00"
_SALT_LABEL = b"plybook/entry-salt/v1\x00"


class Secret:
    """The server seed of a match and its sealed entries. Prints blank; no encoder takes it."""

    __slots__ = ("entries", "seed")

    def __init__(self, seed: bytes, entries: Mapping[Seat, str] | None = None) -> None:
        self.seed = seed
        self.entries = dict(entries or {})

    def __repr__(self) -> str:
        return "Secret(…)"

    def match_key(self, match: str, entropy: Sequence[bytes]) -> bytes:
        """The key all chance of the match follows from (fair shuffle §2)."""
        return shuffle.match_key(self.seed, match, entropy)

    def entry_salt(self, match: str, seat: Seat) -> bytes:
        """The 32 bytes that salt a seat's entry."""
        return hmac.digest(self.seed, _SALT_LABEL + f"{match}/{seat}".encode(), "sha256")


def entry_commit(salt: bytes, text: str) -> str:
    """What is shown of an entry until all are opened, in hex."""
    return hashlib.sha256(_ENTRY_LABEL + salt + text.encode()).hexdigest()
