"""``plybook-fair-shuffle-vectors/1``: keys, streams and decks of the fair shuffle."""

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any

from ops.vectors.report import Case, Document, Verdict, flat_differences, verdicts
from services.match import shuffle

FORMAT = "plybook-fair-shuffle-vectors/1"

TILES = tuple("".join(corners) for corners in combinations_with_replacement("012345", 3))
"""The triangle game's tiles in dictionary order: what the decks of the file consist of."""

_DEAL_INPUT = ("server_seed", "match_id", "entropy", "round", "hand_size")


class _Fed(shuffle.Stream):
    """A stream whose bytes are given by hand."""

    def __init__(self, fed: bytes) -> None:
        super().__init__(b"")
        self._fed = iter(fed)

    def byte(self) -> int:
        self.bytes_used += 1
        return next(self._fed)


def run(document: Document) -> Iterator[Verdict]:
    """Every case of the three lists of a file."""
    if document.get("algorithm") != shuffle.ALGORITHM:
        yield Verdict("algorithm", ok=False, message=f"this is not {shuffle.ALGORITHM}")
    yield from verdicts(document["uniform"], _uniform)
    yield from verdicts(document["purposes"], _purpose)
    yield from verdicts(document["cases"], _deal)


def _uniform(case: Case) -> str:
    given = ("m", "bytes")
    stream = _Fed(bytes.fromhex(case["bytes"]))
    found = {"value": stream.below(case["m"]), "consumed": stream.bytes_used}
    return flat_differences(case, given, found)


def _purpose(case: Case) -> str:
    given = ("match_key", "purpose", "counter", "permutation_of", "uniform_below")
    match_key = bytes.fromhex(case["match_key"])
    key = shuffle.purpose_key(match_key, case["purpose"], case["counter"])
    found: dict[str, Any] = {"purpose_key": key.hex()}
    if "permutation_of" in case:
        found["permutation"] = list(shuffle.Stream(key).permutation(case["permutation_of"]))
    if "uniform_below" in case:
        found["value"] = shuffle.Stream(key).below(case["uniform_below"])
    if case["purpose"] == "engine":
        found["engine_seed"] = str(shuffle.engine_seed(match_key, case["counter"]))
    return flat_differences(case, given, found)


def _deal(case: Case) -> str:
    seed, size = bytes.fromhex(case["server_seed"]), case["hand_size"]
    entropy = [bytes.fromhex(given) for given in case["entropy"]]
    match_key = shuffle.match_key(seed, case["match_id"], entropy)
    round_key = shuffle.round_key(match_key, case["round"])
    stream = shuffle.Stream(round_key)
    deck = [TILES[tile] for tile in stream.permutation(len(TILES))]
    start = shuffle.Stream(round_key)
    found = {
        "seed_commit": shuffle.seed_commit(seed).hex(),
        "match_key": match_key.hex(),
        "round_key": round_key.hex(),
        "round_commit": shuffle.round_commit(round_key).hex(),
        "stream_first_32": bytes(start.byte() for _ in range(32)).hex(),
        "deck": deck,
        "bytes_used": stream.bytes_used,
        "rejected": stream.rejected,
        "hands": {
            seat: deck[place * size : (place + 1) * size]
            for place, seat in enumerate("ABCDEFGH"[: len(entropy)])
        },
        "market": deck[len(entropy) * size :],
    }
    return flat_differences(case, _DEAL_INPUT, found)
