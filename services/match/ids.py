"""Names of matches, runs and campaigns: unguessable, and found again from what they follow from."""

import base64
import hmac
from collections.abc import Sequence

import msgspec

ID_BYTES = 10
_encoder = msgspec.json.Encoder(order="deterministic")


def id_of(prefix: str, raw: bytes) -> str:
    """An id from ten bytes.

    >>> id_of("m", bytes(10))
    'm-aaaaaaaaaaaaaaaa'
    """
    return f"{prefix}-{base64.b32encode(raw[:ID_BYTES]).decode().lower()}"


def id_from(key: bytes, prefix: str, named: Sequence[str | int]) -> str:
    """The id that follows from some names under a secret key: the same ones, the same id."""
    return id_of(prefix, hmac.digest(key, _encoder.encode(named), "sha256"))
