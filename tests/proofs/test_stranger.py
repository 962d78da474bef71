"""The one-file verifier: what a stranger can prove with it, and that no change escapes it."""

import ast
import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.codec import encode
from events.event_kinds import EntriesOpened
from services.match import commands as cmd
from services.proofs.verify_match import verify
from tests.kit.desk import Desk, desk
from tests.kit.tree import ROOT
from tests.proofs.exports import Export, Sitting, events_of, person, rechained

VERIFIER = ROOT / "services/proofs/verify_match.py"
DECK = "Pn1,Pe1,Pw1,Nn1,Ne1,B1,R1,Q1"
PRINTABLE = bytes(range(0x20, 0x7F))

OUT_OF_SIGHT = {
    ("created", "game"),  # then it says that the moves of that game are not replayed
    ("created", "rules_version"),
    ("created", "per_move_s"),  # matters only where time ran out
    ("created", "visibility"),
    ("created", "rated"),
    ("created", "ruleset max_rounds"),  # options that made no difference in this match
    ("created", "ruleset bridge_two_sides"),
    ("created", "ruleset target"),
    ("offer_made", "whole"),  # offers that came to nothing
    ("offer_answered", "whole"),
}
"""What can be changed with all hashes made anew and play the same: a kept head shows it."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Desk]:
    """A log of its own for each test: equal seeds are equal matches."""
    with desk(tmp_path) as made:
        yield made


def triangles(house: Desk, seed: int = 1, **options: Any) -> Sitting:
    """A match of Triangles at its first placement."""
    return Sitting(house, "triangles", {"target": 200, **options}, seed).start()


def short(house: Desk) -> Sitting:
    """A few turns, a draw offered and declined, a resignation: a bit of everything."""
    match = triangles(house, 7).play(4).tell(person("A"), cmd.MakeOffer("draw", "A"))
    match.tell(person("B"), cmd.AnswerOffer("draw", "B", yes=False)).play(3)
    return match.tell(person("B"), cmd.Resign("B"))


def verdict(export: bytes, receipt: dict[str, Any] | None = None) -> str:
    """The last line, held to the exit status."""
    lines, is_good = verify(export, json.dumps(receipt or {}).encode())
    assert is_good == (not lines[-1].startswith("DIFFERS"))
    return lines[-1]


class TestFinished:
    """Matches that are over."""

    @pytest.mark.parametrize("players", [2, 3, 4])
    @pytest.mark.parametrize("seed", [1, 2, 3, 4])
    def test_a_finished_match_of_triangles_is_proved(
        self, house: Desk, players: int, seed: int
    ) -> None:
        """By every option that changes play; without a receipt it is no more than consistent."""
        free, two_sided = ("free", "qualifying")[seed % 2], seed > 2
        options = {"players": players, "opening_tile": free, "bridge_two_sides": two_sided}
        bonuses_only = {"score_placement": False, "max_rounds": 2} if seed == 4 else {}
        match = triangles(house, seed, **options, **bonuses_only).play()

        assert match.state.status == "ended"
        assert verdict(match.export(), match.receipt()) == "proved"
        assert verdict(match.export()).startswith("consistent; not checked: whether players saw")
        assert verdict(match.lines(), match.receipt()) == "proved"

    def test_those_matches_hold_all_that_the_rules_know(self, house: Desk) -> None:
        """Hexagons, bridges, draws, passes, both kinds of ends: none is proved by its absence."""
        seen = b"".join(triangles(house, seed).play().export() for seed in range(20, 30))
        for part in ("hexagon=", "bridge=", "draw ", "pass ", "round-end out", "round-end blocked"):
            assert part.encode() in seen, part

    def test_every_way_to_end_is_followed(self, house: Desk) -> None:
        """Resigned, timed out, agreed on, called off."""
        late = triangles(house, 40).play(3)
        seat = late.state.to_move()
        assert seat
        late.tell("server", cmd.CallTime(seat), later_s=3600 + 61)
        drawn = triangles(house, 41).play(3).tell(person("B"), cmd.MakeOffer("draw", "B"))
        drawn.tell(person("A"), cmd.AnswerOffer("draw", "A", yes=True))
        off = Sitting(house, "triangles", {}, 42).tell(person("A"), cmd.CancelMatch())
        for match in (late, drawn, off, short(house)):
            assert match.state.status == "ended"
            assert verdict(match.export(), match.receipt()) == "proved"

    def test_other_games_are_checked_as_far_as_it_goes(self, house: Desk) -> None:
        """Chain, seats, seed, entries and keys; that legality is not replayed is said."""
        blokus = Sitting(house, "blokus", {"variant": "duo"}).start().play()
        duel = Sitting(house, "caltrop", {"form": "budget", "games": 1})
        duel.start([DECK, DECK]).play()
        for match in (blokus, duel):
            lines, is_good = verify(match.export(), json.dumps(match.receipt()).encode())
            slug = match.game.rules.slug
            assert is_good
            assert lines[-1].endswith(
                f"not checked: whether moves of {slug} are legal (plybook audit does)"
            )
        assert "entries: all were opened, each as it was sealed" in lines
        assert "keys: 1 deals opened, each as committed to" in lines

    def test_sealed_decks_are_held_to_their_commitments(self, house: Desk) -> None:
        """Another deck with all hashes made anew does not open what was sealed."""
        duel = Sitting(house, "caltrop", {"form": "budget"}, 2).start([DECK, DECK]).play(2)
        match, events = events_of(duel.export())
        opened = next(event for event in events if event["kind"] == "match.entries_opened.1")
        opened["data"]["entries"]["B"] = DECK.replace("Q1", "Q2")

        assert "the commitment to the entry" in verdict(rechained(match, events))


class TestRunning:
    """What can be checked is, the rest is said."""

    def test_rounds_that_are_over_are_replayed(self, house: Desk) -> None:
        """The running one waits for its key, the whole for its seed."""
        match = triangles(house, 50, target=600)
        while len(match.state.rounds) < 2:
            match.play(1)
        lines, is_good = verify(match.export(), json.dumps(match.receipt()).encode())

        assert is_good
        assert verify(match.lines(), json.dumps(match.receipt()).encode()) == (lines, is_good)
        assert "replay: 1 rounds of Triangles: hands, draws, passes, points, result" in lines
        assert lines[-1] == (
            "consistent; not checked: the seed; what comes after: no key for it is open yet"
        )

    def test_a_stream_that_was_joined_late_is_not_the_record(self, house: Desk) -> None:
        """It takes every event from the first on."""
        late = verdict(short(house).lines(since=3))
        assert late.startswith("DIFFERS: event 1: what the record begins with is []")

    def test_a_cut_tail_looks_like_a_running_match_but_not_to_a_kept_head(
        self, house: Desk
    ) -> None:
        """Only a witness outside knows that there was more."""
        whole = short(house)
        match, events = events_of(whole.export())
        cut = rechained(match, events[:10])

        assert verdict(cut).startswith("consistent")
        heads = {str(len(events)): events[-1]["hash"]}
        assert verdict(cut, {"heads": heads}).startswith("DIFFERS")


class TestReceipts:
    """What a client kept is compared before anything is believed."""

    @pytest.mark.parametrize("part", ["seed_commit", "entropy A", "own A", "rounds 1", "match"])
    def test_another_history_is_noticed(self, house: Desk, part: str) -> None:
        """A whole new match that fits together is not the one that was seen."""
        match = short(house)
        receipt = match.receipt()
        name, _, key = part.partition(" ")
        if key:
            receipt[name][key] = "00" * 32
        else:
            receipt[name] = "00" * 32

        assert verdict(match.export()).startswith("consistent")
        assert verdict(match.export(), receipt).startswith("DIFFERS")


def altered(byte: int, dice: random.Random) -> int:
    """Another byte in its place."""
    return dice.choice([other for other in PRINTABLE if other != byte])


class TestAlterations:
    """Nothing that is published can be changed in silence."""

    def test_every_single_altered_byte_is_noticed(self, house: Desk) -> None:
        """Every byte of the export of a short match: names, numbers, hashes, brackets."""
        export, dice = short(house).export(), random.Random(1)
        plain = json.dumps(json.loads(export), separators=(",", ":"), ensure_ascii=False)
        assert export == plain.encode(), "there is no white space that would not matter"
        for place, byte in enumerate(export):
            changed = export[:place] + bytes([altered(byte, dice)]) + export[place + 1 :]
            assert not verify(changed)[1], (place, changed[max(0, place - 30) : place + 30])

    def test_altered_bytes_of_long_matches_are_noticed(self, house: Desk) -> None:
        """A seeded sample over several pages, any other value of the byte in its place."""
        export, dice = triangles(house, 3, players=4).play().export(), random.Random(2)
        assert export.count(b"\n") >= 1
        for place in dice.sample(range(len(export)), 600):
            other = dice.choice([b for b in range(256) if b != export[place]])
            changed = export[:place] + bytes([other]) + export[place + 1 :]
            if changed.split() != export.split():
                assert not verify(changed)[1], (place, other)

    def test_altered_bytes_of_a_stream_are_noticed(self, house: Desk) -> None:
        """A seeded sample of all lines but those that show the match, which the record gives."""
        lines, dice = triangles(house, 3).play().lines(), random.Random(3)
        assert json.loads(lines.splitlines()[-1]) == {"type": "ended"}
        shown = {
            p for found in re.finditer(rb'{"type":"match".*', lines) for p in range(*found.span())
        }
        for place in dice.sample(sorted(set(range(len(lines))) - shown), 600):
            changed = lines[:place] + bytes([altered(lines[place], dice)]) + lines[place + 1 :]
            if changed.split() != lines.split():
                assert not verify(changed)[1], (place, changed[max(0, place - 30) : place + 30])

    def test_a_forger_who_makes_all_hashes_anew_is_caught_by_the_replay(self, house: Desk) -> None:
        """Each field of each event changed, left out; each event doubled, left out."""
        match, events = events_of(short(house).export())
        heads = {str(len(events)): events[-1]["hash"]}
        missed = set()
        for name, field, forged in forgeries(events):
            export = rechained(match, forged)
            if verify(export)[1]:
                missed.add((name, field))
                assert verdict(export, {"heads": heads}).startswith("DIFFERS")
        assert missed <= OUT_OF_SIGHT

    def test_no_fact_of_a_finished_round_can_be_forged(self, house: Desk) -> None:
        """The last turns of a match, where hands, totals and the result are shown."""
        match, events = events_of(triangles(house, 1).play().export())
        for name, field, forged in forgeries(events, first=len(events) - 3):
            assert not verify(rechained(match, forged))[1], (name, field)

    def test_a_time_out_that_was_not_due_is_noticed(self, house: Desk) -> None:
        """A server that ends a match too early has to change the times, and is seen."""
        late = triangles(house, 43).play(3)
        seat = late.state.to_move()
        assert seat
        late.tell("server", cmd.CallTime(seat), later_s=3600 + 61)
        match, events = events_of(late.export())
        for event in events[-3:]:
            event["received_at"] -= 2_000_000

        assert "time-out" in verdict(rechained(match, events))


def forgeries(events: Export, first: int = 0) -> Iterator[tuple[str, str, Export]]:
    """Every small lie about one event: its kind, the event's name and field, all events."""
    for index in range(first, len(events)):
        event = events[index]
        name = event["kind"].removeprefix("match.").removesuffix(".1")
        before, after = copy.deepcopy(events[:index]), copy.deepcopy(events[index + 1 :])
        yield name, "whole", [*before, *after]
        yield name, "whole", [*before, event, event, *after]
        yield name, "kind", [*before, {**event, "kind": event["kind"][:-1] + "2"}, *after]
        yield name, "actor", [*before, {**event, "actor": event["actor"] + "x"}, *after]
        for field, data in changes(event["data"]):
            yield name, field, [*before, {**event, "data": data}, *after]


def changes(data: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each field left out, and with each small change of its value."""
    for field, value in data.items():
        if isinstance(value, dict) and field == "ruleset":
            yield from ((f"{field} {key}", {**data, field: new}) for key, new in changes(value))
            continue
        yield field, {key: kept for key, kept in data.items() if key != field}
        yield from ((field, {**data, field: other}) for other in others(value) if other != value)


def others(value: Any) -> Iterator[Any]:
    """Values that are nearly this one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (value + 1, value - 1, str(value))
    elif isinstance(value, str):
        yield from (value + "0", value[:-1], value[:-1] + ("1" if value[-1:] != "1" else "2"))
    elif isinstance(value, list):
        yield [*value, "x"]
        for index, item in enumerate(value):
            yield [*value[:index], *value[index + 1 :]]
            yield from ([*value[:index], other, *value[index + 1 :]] for other in others(item))
    else:
        for key, item in value.items():
            yield {name: kept for name, kept in value.items() if name != key}
            yield from ({**value, key: other} for other in others(item))


class TestFile:
    """A stranger reads it whole and runs it anywhere."""

    def test_it_imports_the_standard_library_alone(self) -> None:
        """Nothing of ours, nothing that has to be installed."""
        tree = ast.parse(VERIFIER.read_text(encoding="utf-8"))
        named = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        modules = {
            name.split(".")[0]
            for node in named
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else ["." * node.level + (node.module or "")]
            )
        }
        assert modules
        assert modules <= sys.stdlib_module_names

    def test_it_runs_by_itself(self, house: Desk, tmp_path: Path) -> None:
        """In a bare interpreter, elsewhere; its exit status is the answer."""
        match = triangles(house, 2).play()
        export, receipt = tmp_path / "match.json", tmp_path / "receipt.json"
        export.write_bytes(match.export())
        receipt.write_text(json.dumps(match.receipt()), encoding="utf-8")

        proved = run(tmp_path, export, receipt)
        assert (proved.returncode, proved.stdout.splitlines()[-1]) == (0, "proved")
        export.write_bytes(export.read_bytes().replace(b"points A tile=", b"points B tile=", 1))
        wrong = run(tmp_path, export, receipt)
        assert wrong.returncode == 1
        assert wrong.stdout.startswith("DIFFERS: event ")

    @given(text=st.text())
    def test_what_was_hashed_is_compact_json(self, text: str) -> None:
        """Whatever a text holds, the file writes an event's data as the log did."""
        data = encode(EntriesOpened(entries={"A": text}, salts={})).data
        again = json.dumps(json.loads(data), separators=(",", ":"), ensure_ascii=False)
        assert again.encode() == data


def run(folder: Path, *files: Path) -> subprocess.CompletedProcess[str]:
    """The file started by hand, without site packages and without this checkout in reach."""
    words = [sys.executable, "-I", "-S", *map(str, (VERIFIER, *files))]
    return subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
