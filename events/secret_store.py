"""Sealing: secrets rest in the log's database, but only whoever has the key can read them."""

import secrets

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
_NONCE_BYTES = 12
_TAG_BYTES = 16
_HEAD_BYTES = 1 + _NONCE_BYTES
_FORM = b"\x01"  # AES-256-GCM, nonce in front; another way of sealing gets another first byte


class CannotUnseal(Exception):
    """The key is another one, or the sealed bytes were changed or moved; says nothing of them."""


class Sealer:
    """Seals and unseals with one key; what is sealed for one place opens at no other.

    >>> sealer = Sealer(bytes(32))
    >>> sealer.unseal("match/m-1", "seed", sealer.seal("match/m-1", "seed", b"plain"))
    b'plain'
    """

    def __init__(self, key: bytes) -> None:
        if len(key) != KEY_BYTES:
            raise ValueError(f"a sealing key has {KEY_BYTES} bytes, not {len(key)}")
        self._cipher = AESGCM(key)

    def __repr__(self) -> str:
        return "Sealer(…)"

    def seal(self, stream: str, name: str, plain: bytes) -> bytes:
        """The secret, encrypted for this stream and name; different each time."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return _FORM + nonce + self._cipher.encrypt(nonce, plain, _place(stream, name))

    def unseal(self, stream: str, name: str, sealed: bytes) -> bytes:
        """The plain secret; ``CannotUnseal`` if key, place or bytes are not those of ``seal``."""
        form, nonce, rest = sealed[:1], sealed[1:_HEAD_BYTES], sealed[_HEAD_BYTES:]
        refusal = CannotUnseal(f"the secret {name!r} of {stream} does not open with this key")
        if form != _FORM or len(rest) < _TAG_BYTES:
            raise refusal
        try:
            return self._cipher.decrypt(nonce, rest, _place(stream, name))
        except InvalidTag:
            raise refusal from None


def _place(stream: str, name: str) -> bytes:
    """Where a secret belongs, unambiguous: no two places share these bytes."""
    raw = stream.encode()
    return len(raw).to_bytes(4, "big") + raw + name.encode()
