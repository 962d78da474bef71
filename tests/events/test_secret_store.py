"""Sealing: only the key opens a secret, and only in its place."""

import pytest

from events.secret_store import CannotUnseal, Sealer

KEY, OTHER_KEY = bytes(32), bytes([*range(32)])
PLAIN = b"the seed of a shuffle, 32 bytes!"
STREAM, NAME = "match/m-1", "seed"


def test_a_secret_comes_back_in_its_place() -> None:
    """What was sealed opens again, for another sealer with the same key as well."""
    sealed = Sealer(KEY).seal(STREAM, NAME, PLAIN)
    assert Sealer(KEY).unseal(STREAM, NAME, sealed) == PLAIN


def test_sealed_bytes_tell_nothing() -> None:
    """The same secret is sealed differently each time, and no part of it shows."""
    sealer = Sealer(KEY)
    sealed = {sealer.seal(STREAM, NAME, PLAIN) for _ in range(20)}
    assert len(sealed) == 20
    assert not any(PLAIN[:4] in each for each in sealed)
    assert "0" * 8 not in repr(sealer)


@pytest.mark.parametrize(
    ("key", "stream", "name"),
    [
        (OTHER_KEY, STREAM, NAME),
        (KEY, "match/m-2", NAME),
        (KEY, STREAM, "salt"),
        (KEY, STREAM + NAME[0], NAME[1:]),
        (KEY, STREAM[:-1], STREAM[-1] + NAME),
    ],
)
def test_a_secret_opens_nowhere_else(key: bytes, stream: str, name: str) -> None:
    """Another key, stream or name, even with the same letters in a row, does not open it."""
    sealed = Sealer(KEY).seal(STREAM, NAME, PLAIN)
    with pytest.raises(CannotUnseal) as refusal:
        Sealer(key).unseal(stream, name, sealed)
    assert PLAIN.decode() not in str(refusal.value)


def test_changed_bytes_do_not_open() -> None:
    """Any bit changed, or any end cut off, is noticed."""
    sealer = Sealer(KEY)
    sealed = sealer.seal(STREAM, NAME, PLAIN)
    spoilt = [sealed[:n] + bytes([sealed[n] ^ 1]) + sealed[n + 1 :] for n in range(len(sealed))]
    for each in [*spoilt, *(sealed[:n] for n in range(len(sealed))), sealed + b"\0"]:
        with pytest.raises(CannotUnseal):
            sealer.unseal(STREAM, NAME, each)


def test_a_key_of_another_length_is_refused() -> None:
    """The sentence says how many bytes are right, and shows none of the key."""
    with pytest.raises(ValueError, match="a sealing key has 32 bytes, not 5"):
        Sealer(b"short")
