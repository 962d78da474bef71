"""Check a match of Plybook and trust nobody: this file and Python (3.10 or newer) are enough.

    curl "$server/v1/matches/$match/events?limit=1000" > match.json
    python3 verify_match.py match.json [receipt.json]

``match.json``: all pages of the public events one after another (``after`` is the ``next`` of the
page before), or the lines of ``…/events/stream``. ``receipt.json``: what you kept while the match
ran, as its page lets you download it (``seed_commit``, ``own`` and ``entropy`` by seat, ``rounds``
by number), and ``heads``: hashes by version, as answers to moves carry them. All are optional.

One line a check; at the first difference the event, its value, and the right one. Exit status
0: nothing differs. A record is **proved** if it agrees with a receipt and nothing was left
unchecked, else only **consistent**: who can write the database can write a whole new history.
"""

import hashlib
import hmac
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, count
from pathlib import Path
from typing import Any, NamedTuple

Data = dict[str, Any]
LINES = {"match", "event", "ended", "closed", "dropped"}  # of a stream, which says why it ends


class Differs(Exception):
    """Something is not what it should be."""


def expect(number: int, what: str, found: object, right: object, *, holds: bool = False) -> None:
    """Go on only if both are exactly the same, or if it ``holds``; event 0 is the file itself."""
    one, other = (json.dumps(value, sort_keys=True) for value in (found, right))  # 1 is not true
    if one != other and not holds:
        raise Differs(f"event {number}: {what} is {one}, should be {other}")


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

    @property
    def name(self) -> str:
        """The kind in short: ``created`` for ``match.created.1``."""
        return self.kind.removeprefix("match.").removesuffix(".1")

    def told(self, field: str, default: Any = None) -> Any:
        """A field of the data; one that is left out has its default, or is missed."""
        found = self.data.get(field, default)
        expect(self.version, field, found, "there", holds=found is not None)
        return found

    def unhexed(self, field: str) -> bytes:
        """The bytes of a field in hex."""
        text = self.told(field)
        expect(self.version, field, re.sub("[^0-9a-f]", "", text), text)
        return bytes.fromhex(text)


def read(text: str) -> tuple[str, list[Event]]:
    """The match id and its events, from pages or lines; no name stands twice in an object."""

    def once(pairs: list[tuple[str, Any]]) -> Data:
        expect(0, "names that stand twice", len(pairs) - len(dict(pairs)), 0)
        return dict(pairs)

    match, events, due = "", list[Data](), 0
    while text := text.lstrip(" \t\r\n"):
        part, end = json.JSONDecoder(object_pairs_hook=once).raw_decode(text)
        kind, text = part.pop("type", "page"), text[end:]
        expect(0, "type of a line", kind, sorted(LINES), holds=kind in {"page", *LINES})
        if kind == "event":
            events.append(part)
        elif kind == "page":
            expect(0, "next on the page before", due, len(events))
            events, due = events + part["events"], part["next"]
        if kind in {"page", "match"}:
            match = match or part["match"]
            expect(0, "match", part["match"], match)
    expect(0, "next on the last page", due, 0)
    expect(0, "the match", match, "named, with its events", holds=bool(events and match))
    return match, [Event(**event) for event in events]


def named(events: list[Event], name: str) -> list[Event]:
    """The events of a kind."""
    return [event for event in events if event.name == name]


def check_chain(match: str, events: list[Event]) -> str:
    """Each hash is SHA-256(previous ‖ stream ‖ version ‖ kind ‖ actor ‖ received_at ‖ at ‖ data).

    ``previous`` are 32 bytes, zeros before the first event. All others are texts in UTF-8, each
    after its length (4 bytes, big-endian): numbers in decimal, the stream is ``match/`` and the
    id, data is compact JSON with its names in the order in which they are given.
    """
    previous = bytes(32)
    for number, event in enumerate(events, start=1):
        data = json.dumps(event.data, separators=(",", ":"), ensure_ascii=False)
        link = hashlib.sha256(previous)
        for part in (f"match/{match}", *event[:5], data):
            raw = str(part).encode()
            link.update(len(raw).to_bytes(4, "big") + raw)
        expect(number, "version", event.version, number)
        expect(number, "previous", event.previous, previous.hex())
        expect(number, "hash", event.hash, link.hexdigest())
        previous = link.digest()
    return f"chain: {len(events)} events, each hash follows from the one before"


def check_receipt(match: str, events: list[Event], receipt: Data) -> str:
    """What was kept outside the server is what the record says now."""
    entropy = {e.told("seat"): e.told("entropy") for e in named(events, "entropy_given")}
    rounds = {str(e.told("number")): e.told("round_commit") for e in named(events, "dealt")}
    said = {"match": match, "seed_commit": events[0].told("seed_commit", "")}
    expect(1, "what was kept", said, {name: receipt.get(name, said[name]) for name in said})
    parts = {"entropy": entropy, "own": entropy, "rounds": rounds}
    parts["heads"] = {str(event.version): event.hash for event in events}
    for part, found in parts.items():
        for name, kept in receipt.get(part, {}).items():
            expect(len(events), f"{part} {name}", found.get(name, "not there"), kept)
    return "receipt: the record is the one that was seen while the match ran"


def check_seats(events: list[Event]) -> dict[str, str]:
    """The actor who holds each seat: nothing is said for it by anybody else."""
    spoken = {"entropy_given", "entry_sealed", "move_played", "seat_resigned"}
    turns = {"dealt", "move_played", "seat_resigned", "seat_timed_out", "taken_back"}
    host, holders, turn = events[0].actor, dict[str, str](), 0
    expect(1, "host", events[0].told("host", "file"), host)
    for event in events:
        number, actor, seat = event.version, event.actor, event.data.get("seat", "")
        if event.name in turns:
            turn += 1
            expect(number, "turn", event.told("turn"), turn)
        if event.name == "seat_taken":
            expect(number, "seat", seat, "free", holds=seat not in holders)
            person, level = f"player:{event.told('player', '')}", event.told("level", 0)
            holders[seat] = f"computer:{seat}" if level else person
            expect(number, "actor", actor, host if level else person)
        elif event.name == "seat_left":
            expect(number, "actor", actor, host, holds=actor == holders.pop(seat))
        elif (event.name in spoken or event.name[:6] == "offer_") and host != "file":
            at_once = event.name == "offer_answered" and holders.get(seat) == f"computer:{seat}"
            expect(number, "actor", actor, holders.get(seat, "nobody"), holds=at_once)
        elif event.name == "started":
            expect(number, "actor", actor, host, holds=actor in holders.values())
    return holders


def opens(number: int, label: str, secret: bytes, commit: str) -> None:
    """A secret is the one whose commitment (hex) was shown while nobody knew it."""
    found = hashlib.sha256(f"plybook/{label}-commit/v1".encode() + b"\0" + secret)
    expect(number, f"the commitment to the {label}", found.hexdigest(), commit)


def keyed(key: bytes, label: str, message: bytes) -> bytes:
    """HMAC-SHA-256 under a label: one key has many uses, and none tells of another."""
    return hmac.digest(key, label.encode() + b"\0" + message, "sha256")


def shuffled(key: bytes, size: int) -> list[int]:
    """0 … size-1 in the order that follows from a key: Fisher-Yates, from the top."""
    stream = (n for j in count() for n in keyed(key, "plybook/stream/v1", j.to_bytes(4, "big")))
    places = list(range(size))
    for top in range(size - 1, 0, -1):
        limit = 256 - 256 % (top + 1)  # bytes past the last whole multiple would not be fair
        chosen = next(byte for byte in stream if byte < limit) % (top + 1)
        places[top], places[chosen] = places[chosen], places[top]
    return places


def check_entropy(events: list[Event], holders: dict[str, str]) -> dict[str, bytes]:
    """What each person added to the chance, or declined to: once, after the commitment."""
    people = sorted(seat for seat, actor in holders.items() if actor.startswith("player:"))
    given: dict[str, bytes] = {}
    for event in events:
        if event.name == "entropy_given":
            seat, commit = event.told("seat"), events[0].told("seed_commit")
            expect(event.version, "seed_commit", event.told("seed_commit"), commit)
            expect(event.version, "seat", seat, people, holds=seat in people and seat not in given)
            given[seat] = event.unhexed("entropy")
        elif event.name == "dealt":
            expect(event.version, "entropy given or declined by", sorted(given), people)
    return given


def open_seed(match: str, events: list[Event], entropy: dict[str, bytes]) -> bytes:
    """The match key, once the seed is open and is the one that event 1 promised.

    The fair shuffle: the server commits to a seed, people add entropy afterwards; both give the
    match key, that gives the key of every round, that the deck.
    """
    first, ended = events[0], named(events, "ended")
    if not ended or first.name == "imported":
        return b""  # a record from a file never had a seed
    seed, name = ended[0].unhexed("server_seed"), match.encode()
    opens(ended[0].version, "seed", seed, first.told("seed_commit"))
    given = [entropy.get(seat, b"") for seat in "ABCD"[: first.told("seats")]]
    # Lengths stand before texts, so that no two inputs look alike.
    message = len(name).to_bytes(2, "big") + name + bytes([len(given)])
    message += b"".join(len(added).to_bytes(2, "big") + added for added in given)
    return keyed(seed, "plybook/match-key/v1", message)


def check_keys(events: list[Event], match_key: bytes) -> dict[int, bytes]:
    """The keys of all deals as far as they are open, each the one that was committed to."""
    shown = {event.told("number"): event for event in named(events, "round_ended")}
    keys: dict[int, bytes] = {}
    for number, deal in enumerate(named(events, "dealt"), start=1):
        expect(deal.version, "number", deal.told("number"), number)
        key = keyed(match_key, "plybook/round-key/v1", number.to_bytes(4, "big"))
        if number in shown:
            told = shown[number].unhexed("round_key")
            key = key if match_key else told
            expect(shown[number].version, "round_key", told.hex(), key.hex())
        if match_key or number in shown:
            opens(deal.version, "round", key, deal.told("round_commit"))
            keys[number] = key
    return keys


def check_entries(events: list[Event]) -> str:
    """Entries (decks) are the ones whose commitments were shown before any was opened."""
    sealed = {e.told("seat"): e.told("commit") for e in named(events, "entry_sealed")}
    for event in named(events, "entries_opened"):
        texts, salts = event.told("entries"), event.told("salts")
        expect(event.version, "seats", [sorted(texts), sorted(salts)], [sorted(sealed)] * 2)
        for seat, text in texts.items():
            opens(event.version, "entry", bytes.fromhex(salts[seat]) + text.encode(), sealed[seat])
        return "entries: all were opened, each as it was sealed"
    return f"entries: {len(sealed)} sealed, none opened"


# Triangles, rules version 1: hands and market from the deck, the rest from placements.

TILES = ["".join(digits) for digits in combinations_with_replacement("012345", 3)]
VALUE = {tile: sum(map(int, tile)) for tile in TILES}
TURNED = {tile: (tile, tile[1:] + tile[0], tile[2] + tile[:2]) for tile in TILES}  # clockwise
DRAW, PASS, OUT, HEXAGON, BRIDGE, ZEROS, TRIPLE = -5, -10, 25, 50, 40, 40, 10
OFFERS = {"draw": "draw", "abandon": "abandoned"}  # and how the match ends if all agree
PLACEMENT = re.compile(r"([0-5]{3})([ud])(0|-?[1-9][0-9]?)\.(0|-?[1-9][0-9]?)")

Vertex = tuple[int, int]
Cell = tuple[str, int, int]  # a triangle that points up or down, and where; y goes upwards
CORNERS = {"u": ((0, 1), (1, 0), (0, 0)), "d": ((1, 0), (0, 1), (1, 1))}  # clockwise from the tip
ACROSS = {"u": ((0, -1), (-1, 0), (0, 0)), "d": ((0, 1), (1, 0), (0, 0))}  # opposite each corner


def corners(cell: Cell) -> list[Vertex]:
    """The vertices of a triangle."""
    return [(cell[1] + x, cell[2] + y) for x, y in CORNERS[cell[0]]]


def beside(cell: Cell) -> list[Cell]:
    """The triangles across its sides, in the order of the corners opposite."""
    return [("ud"[cell[0] == "u"], cell[1] + x, cell[2] + y) for x, y in ACROSS[cell[0]]]


def by_seat(values: Data) -> str:
    """Values as facts write them: ``A=1 B=2``."""
    return " ".join(f"{seat}={shown}" for seat, shown in values.items())


class Round:
    """A round with every tile known: the deck, then what each placement leads to."""

    def __init__(self, rules: Data, key: bytes, totals: dict[str, int], winner: str) -> None:
        size, self.seats, self.totals = rules["hand_size"], "".join(totals), totals
        deck = [TILES[place] for place in shuffled(key, len(TILES))]
        self.hands = {s: set(deck[i * size : (i + 1) * size]) for i, s in enumerate(self.seats)}
        self.market = deck[len(self.seats) * size :]
        self.rules, self.points = rules, dict.fromkeys(self.seats, 0)
        self.digits: dict[Vertex, str] = {}
        self.cells: set[Cell] = set()
        self.touching: Counter[Vertex] = Counter()  # placed tiles by vertex: six close a hexagon
        self.frontier: set[Cell] = {("u", 0, 0)}
        self.passes, self.is_over, self.winner = 0, False, ""
        self.next, reason, self.first = winner, "previous-winner", ""
        if not winner:  # the largest triple opens, else the highest tile
            held = [tile for hand in self.hands.values() for tile in hand]
            triples = [tile for tile in held if len(set(tile)) == 1]
            best = max(triples or held, key=lambda tile: (VALUE[tile], tile[::-1]))
            self.next = next(seat for seat in self.seats if best in self.hands[seat])
            reason = "triple" if triples else "highest-sum"
            self.first = best if rules["opening_tile"] == "qualifying" else ""
        counts = f"hands {by_seat(dict.fromkeys(self.seats, size))} market={len(self.market)}"
        self.opening = f"start={self.next} reason={reason} tile={self.first or '-'} {counts}"

    def _fits(self, reading: str, cell: Cell) -> bool:
        pairs = zip(corners(cell), reading, strict=True)
        return all(self.digits.get(vertex, digit) == digit for vertex, digit in pairs)

    def _playable(self, tile: str) -> bool:
        return any(self._fits(way, cell) for cell in self.frontier for way in TURNED[tile])

    def place(self, number: int, seat: str, move: str) -> list[str]:
        """The facts of a placement, which has to be legal, and of what follows by itself."""
        expect(number, "seat", seat, self.next)
        found = PLACEMENT.fullmatch(move)
        reading, kind, q, r = found.groups() if found else ("", "u", 0, 0)
        cell = (kind, int(q), int(r))
        tile = next((tile for tile in self.hands[seat] if reading in TURNED[tile]), "")
        expect(number, "move", move, f"a tile of {sorted(self.hands[seat])}", holds=tile != "")
        if not self.cells:
            expect(number, "move", move, f"{self.first or tile}u0.0")
        legal = cell in self.frontier and self._fits(reading, cell)
        expect(number, "move", move, "beside a tile, all digits agreeing", holds=legal)
        earned = self._earned(tile, cell)
        self.points[seat] += sum(earned.values())
        self.digits.update(zip(corners(cell), reading, strict=True))
        self.touching.update(corners(cell))
        self.cells.add(cell)
        self.frontier = self.frontier.union(beside(cell)) - self.cells
        self.hands[seat].remove(tile)
        self.passes, self.is_over = 0, not self.hands[seat]
        facts = [f"points {seat} {by_seat(earned)}", *self._forced()]
        return [*facts, self._end()] if self.is_over else facts

    def _earned(self, tile: str, cell: Cell) -> dict[str, int]:
        """Points by part: always those of the tile, others where there are some."""
        closed = sum(self.touching[vertex] == 5 for vertex in corners(cell))  # noqa: PLR2004 - 6th
        shared = [side for side, near in enumerate(beside(cell)) if near in self.cells]
        bridge = self.rules["bridge_two_sides"] and len(shared) > 1 and not closed
        if len(shared) == 1:  # does the corner opposite touch another tile?
            bridge = corners(cell)[shared[0]] in self.digits
        triple = 0 if self.cells or len(set(tile)) > 1 else ZEROS if tile == "000" else TRIPLE
        parts = {"opening": triple, "hexagon": HEXAGON * closed, "bridge": BRIDGE * bridge}
        points = {"tile": VALUE[tile] if self.rules["score_placement"] else 0}
        return points | {part: earned for part, earned in parts.items() if earned}

    def _forced(self) -> Iterator[str]:
        """Draws until a tile fits, passes where none is left; if all pass, the round is over."""
        while not self.is_over:
            seat = self.next = self.seats[(self.seats.index(self.next) + 1) % len(self.seats)]
            able, drawn = any(map(self._playable, self.hands[seat])), 0
            while self.market and not able:
                self.hands[seat].add(tile := self.market.pop(0))
                able, drawn = self._playable(tile), drawn + 1
            self.points[seat] += DRAW * drawn
            if drawn:
                yield f"draw {seat} {drawn}"
            if able:
                return
            yield f"pass {seat}"
            self.points[seat] += PASS
            self.passes += 1
            self.is_over = self.passes == len(self.seats)

    def _end(self) -> str:
        """Out: all that others hold and 25. Blocked: what others hold more than the least."""
        left = {seat: sum(VALUE[tile] for tile in hand) for seat, hand in self.hands.items()}
        out = [seat for seat, hand in self.hands.items() if not hand]
        least = out or [seat for seat in self.seats if left[seat] == min(left.values())]
        self.winner = least[0] if len(least) == 1 else ""
        gain = sum(left.values()) - len(left) * min(left.values()) + (OUT if out else 0)
        end = {seat: gain if seat == self.winner else 0 for seat in self.seats}
        self.points = {seat: points + end[seat] for seat, points in self.points.items()}
        hands = {seat: "+".join(sorted(hand)) or "-" for seat, hand in self.hands.items()}
        kind = f"{'out' if out else 'blocked'} winner={self.winner or '-'} end {by_seat(end)}"
        points = f"points {by_seat(self.points)} totals {by_seat(self.sums())}"
        return f"round-end {kind} {points} hands {by_seat(hands)}"

    def sums(self) -> dict[str, int]:
        """The totals of the match as they stand."""
        return {seat: total + self.points[seat] for seat, total in self.totals.items()}


def play(rest: Iterator[Event], game: Round, since: int, per_move_s: int) -> tuple[str, str]:
    """Take a round to its last event: how that ends the match, if it does, and who gave up."""
    agreed: dict[str, set[str]] = {}
    for event in rest:
        number, seat = event.version, event.told("seat", "")
        expect(number, "seat", seat, list(game.seats), holds=seat in tuple(game.seats))
        if event.name == "move_played":
            facts = game.place(number, seat, event.told("move"))
            expect(number, "facts", event.told("facts", []), facts)
            since, agreed = event.received_at, {}
            if game.is_over:
                break
        elif event.name == "seat_resigned":
            return "resign", seat
        elif event.name == "seat_timed_out":
            due = since + (per_move_s + 60) * 1_000_000  # a minute of grace
            late = per_move_s > 0 and seat == game.next and event.received_at > due
            expect(number, "time-out", [seat, event.received_at], [game.next, due], holds=late)
            return "time", seat
        else:
            offer, made = event.told("offer", ""), event.name == "offer_made"
            known = offer in OFFERS if made else event.name == "offer_answered" and offer in agreed
            expect(number, event.name, offer, "what a running round allows", holds=known)
            agreed[offer] = agreed.get(offer, set()) | {seat}
            if not event.told("yes", made or None):
                del agreed[offer]
            elif len(agreed[offer]) == len(game.seats):
                return OFFERS[offer], ""
    return "", ""


def replay(events: list[Event], keys: dict[int, bytes]) -> tuple[int, bool]:
    """Play a match of Triangles again: how many rounds, and whether they are all of the match."""
    first, rest, winner = events[0], iter(events), ""
    rules, per_move_s = first.told("ruleset"), first.told("per_move_s", 0)
    totals = dict.fromkeys("ABCD"[: rules["players"]], 0)
    expect(1, "seats", first.told("seats"), len(totals))

    def due(name: str, **right: Any) -> Event:
        event = next(rest, None)
        if event is None:
            raise Differs(f"event {len(events)}: it is the last, but {name} should follow")
        expect(event.version, "kind", event.name, name)
        expect(event.version, "actor", event.actor, events[event.version - 2].actor)
        for field, derived in right.items():
            expect(event.version, field, event.told(field, type(derived)()), derived)
        return event

    if not any(event.name == "started" for event in rest):  # which reads up to it
        expect(len(events), "how", events[-1].data.get("how", "cancelled"), "cancelled")
        return 0, events[-1].name == "ended"
    for number in count(1):
        if number not in keys:
            expect(len(events), "deal", "not there", number, holds=events[-1].name != "ended")
            return number - 1, False
        game = Round(rules, keys[number], totals, winner)
        dealt = due("dealt", number=number, facts=[f"round {number} {game.opening}"])
        how, out = play(rest, game, dealt.received_at, per_move_s)
        if how not in OFFERS.values():
            due("round_ended", number=number)
        totals, winner = game.sums(), game.winner
        staying = {seat: total for seat, total in totals.items() if seat != out}
        best = [seat for seat in staying if staying[seat] == max(staying.values())]
        reached = max(staying.values()) >= rules["target"] and len(best) == 1
        if how or reached or number == rules["max_rounds"]:
            break
    winners = {"draw": list(totals), "abandoned": []}.get(how, best)
    parts = {"rounds": number} | {f"{s} in this round": n for s, n in game.points.items()}
    due("ended", how=how or "points", points=totals, winners=winners, parts=parts)
    expect(len(events), "events after the end", [event.name for event in rest], [])
    return number, True


def checks(match: str, events: list[Event], receipt: Data) -> Iterator[str]:
    """Every check in its order, a line each; the verdict comes last."""
    first, unchecked = events[0], ["whether players saw this history (no receipt)"]
    begun = [event.kind for event in events if event.name in {"created", "imported"}]
    expect(1, "what the record begins with", begun, [first.kind])
    yield check_chain(match, events)
    if receipt.keys() & {"seed_commit", "heads"}:
        yield check_receipt(match, events, receipt)
        unchecked = []
    holders = check_seats(events)
    yield f"seats: {by_seat(holders) or 'none taken'}; turns follow one after another"
    match_key = open_seed(match, events, entropy := check_entropy(events, holders))
    keys = check_keys(events, match_key)
    yield f"commitment: the seed {'is the one committed to' if match_key else 'is not open'}"
    unchecked += [] if match_key else ["the seed"]
    if named(events, "dealt"):
        given = by_seat({seat: added.hex() for seat, added in entropy.items() if added})
        yield f"entropy: {given or 'none, all chance was of the server alone'}"
        yield f"keys: {len(keys)} deals opened, each as committed to"
    if named(events, "entry_sealed"):
        yield check_entries(events)
    if (first.name, first.told("game"), first.told("rules_version")) == ("created", "triangles", 1):
        rounds, is_whole = replay(events, keys)
        yield f"replay: {rounds} rounds of Triangles: hands, draws, passes, points, result"
        unchecked += [] if is_whole else ["what comes after: no key for it is open yet"]
    else:
        unchecked.append(f"whether moves of {first.told('game')} are legal (plybook audit does)")
    yield f"consistent; not checked: {'; '.join(unchecked)}" if unchecked else "proved"


def verify(export: bytes, receipt: bytes = b"{}") -> tuple[list[str], bool]:
    """The lines to show, and whether nothing differs."""
    lines: list[str] = []
    try:
        lines.extend(checks(*read(export.decode()), json.loads(receipt)))  # up to a difference
    except (Differs, ValueError, LookupError, TypeError, AttributeError, RecursionError) as wrong:
        is_found = isinstance(wrong, Differs)
        return [*lines, f"DIFFERS: {wrong if is_found else f'cannot be read, {wrong!r}'}"], False
    return lines, True


if __name__ == "__main__":
    if not sys.argv[1:]:
        sys.exit(__doc__)
    shown, is_good = verify(*(Path(name).read_bytes() for name in sys.argv[1:3]))
    sys.stdout.write("\n".join([*shown, ""]))
    sys.exit(not is_good)
