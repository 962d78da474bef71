#!/usr/bin/env python3
# ruff: noqa: INP001 - handed out as a file of its own, it is no part of a package
"""Check a match of Plybook and trust nobody: this one file and Python (3.10 or newer) are enough.

    curl "$server/v1/matches/$match/events?after=0" > match.json
    python3 verify_match.py match.json [receipt.json]

``match.json``: all pages of the public events, one after another (as long as a page has a
``next``, ask again with ``after`` set to it), or the lines of ``…/events/stream?since=0``.
``receipt.json``: what you kept while the match ran, as the match page lets you download it:
``match``, ``seed_commit``, ``own`` and ``entropy`` by seat, ``rounds`` (commitments by number),
and ``heads`` (hashes by version, as answers to moves carry them). Each part is optional.

One line a check. At the first difference: the event's number, its value, and the right one.
Exit status 0: nothing differs. The record is **proved** if it also agrees with a receipt and
nothing was left unchecked; otherwise it is no more than **consistent**: whoever can write a
database can also write a whole new history that fits together.
"""

import hashlib
import hmac
import json
import re
import sys
from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, count
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

ALGORITHM = "plybook/fair-shuffle/v1"
Data = dict[str, Any]


class Differs(Exception):
    """Something is not what it should be; event 0 is the file itself."""

    def __init__(self, number: int, what: str, recorded: object, right: object) -> None:
        where = f"event {number}" if number else "the file"
        super().__init__(f"{where}: {what} is {exact(recorded)}, should be {exact(right)}")


def exact(value: object) -> str:
    """A value as one text: in Python 1, 1.0 and true are equal, here they are not."""
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def require(number: int, holds: bool, what: str, recorded: object, right: object) -> None:  # noqa: FBT001
    """Go on only if it holds."""
    if not holds:
        raise Differs(number, what, recorded, right)


def expect(number: int, what: str, recorded: object, right: object) -> None:
    """Go on only if both are exactly the same."""
    require(number, exact(recorded) == exact(right), what, recorded, right)


# 1. Reading. Every event has these fields; ``data`` is what happened.


class Event(NamedTuple):
    """An event as the server publishes it; times are microseconds since 1970, hashes hex."""

    version: int
    kind: str
    actor: str
    received_at: int
    at: int
    data: Data
    hash: str
    previous: str


THOUGHT: Data = {"engine": str, "engine_version": int, "level": int, "budget": int, "fallback": ""}
FIELDS: dict[str, Data] = {
    "created": {
        "game": str, "rules_version": int, "ruleset": dict, "seats": int, "seed_commit": str,
        "host": str, "visibility": "link", "rated": False, "per_move_s": 0, "algorithm": ALGORITHM,
    },
    "imported": {
        "game": str, "rules_version": int, "ruleset": dict, "seats": int, "digest": str,
        "start": "", "origin": "file",
    },
    "seat_taken": {"seat": str, "player": "", "level": 0},
    "seat_left": {"seat": str},
    "entropy_given": {"seat": str, "entropy": str, "seed_commit": str},
    "entry_sealed": {"seat": str, "commit": str},
    "entries_opened": {"entries": dict, "salts": dict},
    "started": {},
    "dealt": {"turn": int, "number": int, "round_commit": str, "facts": []},
    "round_ended": {"number": int, "round_key": str},
    "move_played": {"turn": int, "seat": str, "move": str, "facts": [], "thought": {}},
    "seat_resigned": {"turn": int, "seat": str, "facts": []},
    "seat_timed_out": {"turn": int, "seat": str, "facts": []},
    "offer_made": {"offer": str, "seat": str, "to_turn": 0},
    "offer_answered": {"offer": str, "seat": str, "yes": bool},
    "taken_back": {"turn": int, "to_turn": int},
    "ended": {"how": str, "points": dict, "winners": list, "parts": {}, "server_seed": ""},
    "counted": {"by": str},
}  # fmt: skip
"""The fields of ``data`` by kind (``match.created.1`` and so on): a type, or what absence means."""


def whole(number: int, data: Data, fields: Data) -> Data:
    """The data with absent fields filled in; no field is missing, unknown or of another type."""
    require(number, data.keys() <= fields.keys(), "fields", sorted(data), sorted(fields))
    filled = {name: data.get(name, default) for name, default in fields.items()}
    for name, value in filled.items():
        kind = fields[name] if isinstance(fields[name], type) else type(fields[name])
        require(number, type(value) is kind, name, str(value), kind.__name__)
    return filled


def values_in(text: str) -> Iterator[Any]:
    """The JSON values of a text, one after another; nothing in them can be read in two ways."""

    def once(pairs: list[tuple[str, Any]]) -> Data:
        names = [name for name, _ in pairs]
        require(0, len(set(names)) == len(names), "an object's names", names, "each once")
        return dict(pairs)

    def no_number(found: str) -> NoReturn:
        raise Differs(0, "a number", found, "whole")

    decoder = json.JSONDecoder(
        object_pairs_hook=once, parse_float=no_number, parse_constant=no_number
    )
    space = re.compile(r"[ \t\r\n]*")
    at = space.match(text).end()  # type: ignore[union-attr] # it matches nothing at all, too
    while at < len(text):
        value, at = decoder.raw_decode(text, at)
        yield value
        at = space.match(text, at).end()  # type: ignore[union-attr] # as above


def read(text: str, match: str) -> tuple[str, list[Event]]:
    """The match id and its events, from pages or lines; ``match`` where they do not name it."""
    events: list[Data] = []
    due = 0  # what the page before promised: 0 is the end
    for page in values_in(text):
        require(0, isinstance(page, dict), "a page", page, "an object")
        kind = page.pop("type", "event" if "version" in page else "page")
        if kind == "page":
            expect(0, "a page's fields", sorted(page), ["events", "match", "next"])
            expect(0, "the place of a page", len(events), due)
            events += page["events"]
            due = page["next"]
            require(0, due in (0, len(events)), "next", due, [0, len(events)])
        elif kind == "event":
            events.append(page)
        else:
            require(0, kind in ("match", "ended", "closed", "dropped"), "a line's type", kind, "…")
        match = match or page.get("match", "")
        expect(0, "match", page.get("match", match), match)
    expect(0, "the last page's next", due, 0)
    require(0, bool(events and match), "the export", "empty", "events of a match that is named")
    for number, event in enumerate(events, start=1):
        expect(number, "envelope", sorted(event), sorted(Event._fields))
    return match, [Event(**event) for event in events]


# 2. The chain. Each event is hashed together with the hash of the one before.


def check_chain(match: str, events: list[Event]) -> str:
    """SHA-256(previous ‖ stream ‖ version ‖ kind ‖ actor ‖ received_at ‖ at ‖ data).

    ``previous`` are 32 bytes, zeros before the first event. All others are texts in UTF-8, each
    with its length (4 bytes, big-endian) before it: numbers in decimal, the stream is ``match/``
    and the id, data is compact JSON with its names in the order in which they are given.
    """
    previous, clock = bytes(32), 0
    for number, event in enumerate(events, start=1):
        data = json.dumps(event.data, separators=(",", ":"), ensure_ascii=False)
        link = hashlib.sha256(previous)
        for part in (f"match/{match}", *event[:5], data):
            raw = str(part).encode()
            link.update(len(raw).to_bytes(4, "big") + raw)
        expect(number, "version", event.version, number)
        expect(number, "previous", event.previous, previous.hex())
        expect(number, "hash", event.hash, link.hexdigest())
        require(number, event.at >= clock, "at", event.at, f"not before {clock}")
        previous, clock = link.digest(), event.at
    return f"chain: {len(events)} events, each hash follows; the head is {previous.hex()}"


# 3. The fair shuffle. The server commits to a seed in event 1; people add their entropy
# afterwards; both together give the match key, that the key of every round, that the deck.


def commitment(label: str, secret: bytes) -> str:
    """What is shown of a secret (hex) until it is opened."""
    return hashlib.sha256(label.encode() + b"\0" + secret).hexdigest()


def keyed(key: bytes, label: str, message: bytes) -> bytes:
    """HMAC-SHA-256 under a label: one key, many uses, and none tells of another."""
    return hmac.digest(key, label.encode() + b"\0" + message, "sha256")


def round_key_of(seed: bytes, match: str, entropies: list[bytes], number: int) -> bytes:
    """The key of a round (1, 2, …): lengths stand before texts, so no two inputs look alike."""
    name = match.encode()
    message = len(name).to_bytes(2, "big") + name + bytes([len(entropies)])
    for entropy in entropies:
        message += len(entropy).to_bytes(2, "big") + entropy
    match_key = keyed(seed, "plybook/match-key/v1", message)
    return keyed(match_key, "plybook/round-key/v1", number.to_bytes(4, "big"))


def shuffled(key: bytes, size: int) -> list[int]:
    """0 … size-1 in the order that follows from a key: Fisher-Yates, from the top."""
    blocks = (keyed(key, "plybook/stream/v1", j.to_bytes(4, "big")) for j in count())
    stream = (byte for block in blocks for byte in block)
    places = list(range(size))
    for top in range(size - 1, 0, -1):
        limit = 256 - 256 % (top + 1)  # a byte past the last whole multiple would not be fair
        chosen = next(byte for byte in stream if byte < limit) % (top + 1)
        places[top], places[chosen] = places[chosen], places[top]
    return places


def unhex(number: int, what: str, text: str, least: int = 32, most: int = 32) -> bytes:
    """The bytes of a hex text, of so many bytes."""
    fits = re.fullmatch("([0-9a-f]{2})*", text) and least <= len(text) // 2 <= most
    require(number, bool(fits), what, text, f"{least} to {most} bytes in hex")
    return bytes.fromhex(text)


# 4. Conduct: who may do what, and when. The same for every game.

PHASE_OF = {
    **dict.fromkeys(("created", "imported"), "new"),
    **dict.fromkeys(("seat_taken", "seat_left", "entropy_given", "started"), "open"),
    **dict.fromkeys(("entry_sealed", "entries_opened"), "open"),
    "counted": "ended",
}
"""When each kind may come; ``ended`` (called off) also before the start, all others in play."""


class Conduct:
    """What the events tell of seats, turns and secrets, each held to what was told before."""

    def __init__(self, match: str, events: list[Event]) -> None:
        self.match = match
        self.first: Data = {}
        self.phase = "new"
        self.turn = 0
        self.holders: dict[str, str] = {}  # seat -> the actor who speaks for it
        self.levels: dict[str, int] = {}
        self.entropy: dict[str, str] = {}
        self.sealed: dict[str, Event] = {}
        self.salts: Data = {}
        self.deals: dict[int, Event] = {}
        self.keys: dict[int, bytes] = {}
        self.key_events: dict[int, Event] = {}
        self.seed = b""
        for event in events:
            self._take(event)

    @property
    def seats(self) -> str:
        """The seats, A first."""
        return "ABCD"[: self.first["seats"]]

    def _take(self, event: Event) -> None:
        due = PHASE_OF.get(event.kind, "running")
        at_its_time = self.phase == due or (event.kind == "ended" and self.phase == "open")
        require(event.version, at_its_time, event.kind, self.phase, f"while the match is {due}")
        if "turn" in event.data:
            self.turn += 1
            expect(event.version, "turn", event.data["turn"], self.turn)
        seat = event.data.get("seat", "A")
        if self.first:
            require(event.version, seat in tuple(self.seats), "seat", seat, list(self.seats))
        getattr(self, f"_{event.kind}", self._spoken)(event, event.data)

    def _spoken(self, event: Event, data: Data) -> None:
        """An event of a seat comes from whoever holds it; computers answer offers at once."""
        holder = self.holders.get(data.get("seat", ""), "file")
        by_server = event.kind in ("seat_timed_out", "taken_back", "round_ended")
        if not by_server and not (event.kind == "offer_answered" and holder[:9] == "computer:"):
            expect(event.version, "actor", event.actor, holder)

    def _created(self, event: Event, data: Data) -> None:
        self.first, self.phase = data, "open"
        require(event.version, 1 <= data["seats"] <= 4, "seats", data["seats"], "1 to 4")  # noqa: PLR2004
        expect(event.version, "algorithm", data["algorithm"], ALGORITHM)
        expect(event.version, "host", data["host"], event.actor)
        unhex(event.version, "seed_commit", data["seed_commit"])

    def _imported(self, event: Event, data: Data) -> None:
        require(event.version, 1 <= data["seats"] <= 4, "seats", data["seats"], "1 to 4")  # noqa: PLR2004
        self.first, self.phase = data, "running"

    def _seat_taken(self, event: Event, data: Data) -> None:
        seat, level = data["seat"], data["level"]
        require(event.version, seat not in self.holders, "seat", seat, "a free seat")
        person = f"player:{data['player']}"
        require(event.version, bool(level) != bool(data["player"]), "holder", data, "one of both")
        expect(event.version, "actor", event.actor, self.first["host"] if level else person)
        self.holders[seat] = f"computer:{seat}" if level else person
        self.levels[seat] = level

    def _seat_left(self, event: Event, data: Data) -> None:
        committed = self.entropy.keys() | self.sealed.keys()
        free = self.holders.keys() - committed
        require(event.version, data["seat"] in free, "seat", data["seat"], sorted(free))
        allowed = [self.holders.pop(data["seat"]), self.first["host"]]
        require(event.version, event.actor in allowed, "actor", event.actor, allowed)

    def _entropy_given(self, event: Event, data: Data) -> None:
        seat = data["seat"]
        self._spoken(event, data)
        require(event.version, self.levels[seat] == 0, "entropy of", seat, "a person's seat")
        require(event.version, seat not in self.entropy, "entropy of", seat, "given once")
        expect(event.version, "seed_commit", data["seed_commit"], self.first["seed_commit"])
        unhex(event.version, "entropy", data["entropy"], 0, 64)
        self.entropy[seat] = data["entropy"]

    def _entry_sealed(self, event: Event, data: Data) -> None:
        self._spoken(event, data)
        require(event.version, data["seat"] not in self.sealed, "entry of", data["seat"], "once")
        self.sealed[data["seat"]] = event

    def _entries_opened(self, event: Event, data: Data) -> None:
        self.salts = data["salts"]
        expect(event.version, "entries", sorted(data["entries"]), sorted(self.sealed))
        expect(event.version, "salts", sorted(self.salts), sorted(self.sealed))
        for seat, text in data["entries"].items():
            salt = unhex(event.version, f"salt of {seat}", str(self.salts[seat]))
            opened = commitment("plybook/entry-commit/v1", salt + str(text).encode())
            sealed = self.sealed[seat].data["commit"]
            expect(event.version, f"entry of {seat} commits to", opened, sealed)

    def _started(self, event: Event, _data: Data) -> None:
        expect(event.version, "seats taken", sorted(self.holders), list(self.seats))
        expect(event.version, "entries opened for", sorted(self.salts), sorted(self.sealed))
        able = [self.first["host"], *self.holders.values()]
        require(event.version, event.actor in able, "actor", event.actor, able)
        self.phase = "running"

    def _dealt(self, event: Event, data: Data) -> None:
        expect(event.version, "number", data["number"], len(self.deals) + 1)
        people = [seat for seat, level in sorted(self.levels.items()) if not level]
        expect(event.version, "seats that gave or declined entropy", sorted(self.entropy), people)
        self.deals[data["number"]] = event

    def _round_ended(self, event: Event, data: Data) -> None:
        number = data["number"]
        expect(event.version, "number", number, len(self.deals))
        require(event.version, number not in self.keys, "key of round", number, "opened once")
        self.keys[number] = unhex(event.version, "round_key", data["round_key"])
        self.key_events[number] = event
        self._opens(number, self.keys[number])

    def _opens(self, number: int, key: bytes) -> None:
        deal = self.deals[number]
        opened = commitment("plybook/round-commit/v1", key)
        expect(deal.version, "round_commit", deal.data["round_commit"], opened)

    def _move_played(self, event: Event, data: Data) -> None:
        self._spoken(event, data)
        thought, level = data["thought"], self.levels.get(data["seat"], 0)
        if thought or level:
            thought = whole(event.version, thought, THOUGHT)
            weaker = thought["fallback"] and 0 < thought["level"] < level
            fits = thought["level"] == level or weaker
            require(event.version, bool(fits), "thought level", thought["level"], level)

    def _ended(self, event: Event, data: Data) -> None:
        self.phase = "ended"
        if "seed_commit" not in self.first:
            return
        self.seed = unhex(event.version, "server_seed", data["server_seed"])
        opened = commitment("plybook/seed-commit/v1", self.seed)
        expect(event.version, "server_seed commits to", opened, self.first["seed_commit"])
        entropies = [bytes.fromhex(self.entropy.get(seat, "")) for seat in self.seats]
        for number in self.deals:
            key = round_key_of(self.seed, self.match, entropies, number)
            shown = self.key_events.get(number, event)
            expect(shown.version, "round_key", self.keys.setdefault(number, key).hex(), key.hex())
            self._opens(number, key)
        for seat, salt in self.salts.items():
            right = keyed(self.seed, "plybook/entry-salt/v1", f"{self.match}/{seat}".encode())
            expect(self.sealed[seat].version, f"salt of {seat}", salt, right.hex())

    def _counted(self, event: Event, data: Data) -> None:
        expect(event.version, "by", [data["by"], event.actor], [self.first["host"]] * 2)
