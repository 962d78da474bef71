"""The fair shuffle: chance that everybody can check afterwards and nobody can foretell.

Rule sheet: ``seeds/fair_shuffle.md`` (version 1, ``plybook/fair-shuffle/v1``). Only SHA-256 and
HMAC-SHA-256; section numbers below are the sheet's.
"""

import hashlib
import hmac
import re
import struct
from collections.abc import Sequence

ALGORITHM = "plybook/fair-shuffle/v1"
SEED_BYTES = 32
ENTROPY_BYTES_MAX = 64
_PURPOSE = re.compile(r"[a-z][a-z0-9-]*")
_HEX = re.compile(r"(?:[0-9a-f]{2})+")


def _hmac(key: bytes, label: str, message: bytes) -> bytes:
    return hmac.digest(key, label.encode() + b"\x00" + message, "sha256")


def seed_commit(server_seed: bytes) -> bytes:
    """What the first event of a match shows of its seed (§2, step 2)."""
    return hashlib.sha256(b"plybook/seed-commit/v1\x00" + server_seed).digest()


def typed_entropy(text: str) -> str:
    """What somebody typed as their share of the chance, in hex; empty if that is nothing.

    Hexadecimal digits are bytes as they stand, all else is its UTF-8 (§1). ``ValueError`` with a
    sentence for more than ``ENTROPY_BYTES_MAX`` bytes.

    >>> typed_entropy(" 00FF "), typed_entropy("hi!")
    ('00ff', '686921')
    """
    plain = text.strip()
    given = plain.lower() if _HEX.fullmatch(plain.lower()) else plain.encode().hex()
    if len(given) > 2 * ENTROPY_BYTES_MAX:
        raise ValueError(f"At most {ENTROPY_BYTES_MAX} bytes count as a share of the chance.")
    return given


def match_key(server_seed: bytes, match_id: str, entropy: Sequence[bytes]) -> bytes:
    """The secret all chance of a match follows from; ``entropy`` in seat order (§2).

    >>> match_key(bytes(32), "m", [b"", b""]) == match_key(bytes(32), "m", [b""])
    False
    """
    name = match_id.encode()
    message = struct.pack(">H", len(name)) + name + struct.pack(">B", len(entropy))
    for given in entropy:
        if len(given) > ENTROPY_BYTES_MAX:
            raise ValueError(f"entropy is {len(given)} bytes, at most {ENTROPY_BYTES_MAX}")
        message += struct.pack(">H", len(given)) + given
    return _hmac(server_seed, "plybook/match-key/v1", message)


def round_key(key: bytes, number: int) -> bytes:
    """The key of round ``number`` (1, 2, …), shown when the round is over (§2)."""
    return _hmac(key, "plybook/round-key/v1", struct.pack(">I", number))


def round_commit(key_of_round: bytes) -> bytes:
    """What the start of a round shows of its key (§2, step 6)."""
    return hashlib.sha256(b"plybook/round-commit/v1\x00" + key_of_round).digest()


def purpose_key(key: bytes, purpose: str, counter: int) -> bytes:
    """The key of one draw that is not a deal: seats, rewards, engine choices (§2)."""
    if not _PURPOSE.fullmatch(purpose):
        raise ValueError(f"{purpose!r} is no purpose: lower-case letters, digits and hyphens")
    name = purpose.encode()
    message = struct.pack(">H", len(name)) + name + struct.pack(">I", counter)
    return _hmac(key, "plybook/purpose/v1", message)


def engine_seed(key: bytes, turn: int) -> int:
    """The 64-bit seed of the computer's choice at ``turn`` (§2, purpose ``engine``)."""
    return int.from_bytes(_block(purpose_key(key, "engine", turn), 0)[:8], "big")


def _block(key: bytes, number: int) -> bytes:
    return _hmac(key, "plybook/stream/v1", struct.pack(">I", number))


class Stream:
    """The byte stream of one key, and the numbers drawn from it (§2).

    >>> Stream(bytes(32)).permutation(5) == Stream(bytes(32)).permutation(5)
    True
    """

    def __init__(self, key: bytes) -> None:
        self._key = key
        self._next_block = 0
        self._bytes = b""
        self._read = 0
        self.bytes_used = 0
        self.rejected = 0

    def byte(self) -> int:
        """The next byte, 0 to 255."""
        if self._read == len(self._bytes):
            self._bytes = _block(self._key, self._next_block)
            self._next_block += 1
            self._read = 0
        self._read += 1
        self.bytes_used += 1
        return self._bytes[self._read - 1]

    def below(self, m: int) -> int:
        """A uniform number 0 <= n < m, 1 <= m <= 256; bytes past the last whole m do not count."""
        if not 1 <= m <= 256:  # noqa: PLR2004 - one byte's worth
            raise ValueError(f"a uniform number below {m} is not defined: 1 to 256")
        limit = 256 - 256 % m
        while (b := self.byte()) >= limit:
            self.rejected += 1
        return b % m

    def permutation(self, n: int) -> tuple[int, ...]:
        """A uniform permutation of 0..n-1: Fisher-Yates from the top."""
        a = list(range(n))
        for i in range(n - 1, 0, -1):
            j = self.below(i + 1)
            a[i], a[j] = a[j], a[i]
        return tuple(a)
