"""Matches played through the real door, and their public events as anybody may fetch them."""

import json
from collections.abc import Sequence
from typing import Any

import msgspec

from events.log import CommandId, Namespace
from events.recorded import GENESIS, link_hash
from services.api.messages import EventPage, MatchAnswer
from services.api.public_events import public_events
from services.api.streams import Line, ndjson_line
from services.games.contract import Game
from services.match import commands as cmd
from services.match.handler import Done, Handler, stream_of
from services.match.state import MatchState
from services.match.views import view_of
from tests.kit.desk import Desk, new_handler
from tests.kit.playouts import Dice, chooser

PAGE = 50

Export = list[dict[str, Any]]
"""The events of an export, as data."""


class Sitting:
    """A match whose every seat a person of its own holds; seeded, so always the same one."""

    def __init__(self, desk: Desk, game: str, ruleset: dict[str, Any], seed: int = 1) -> None:
        self.desk = desk
        self.dice = Dice(seed)
        self.clock = 1_000_000
        self.handler: Handler = new_handler(desk.log, new_seed=lambda: bytes([seed]) * 32)
        create = cmd.CreateMatch(game=game, ruleset=ruleset, per_move_s=3600)
        opened = self.handler.create(
            create,
            actor=person("A"),
            command_id=CommandId(Namespace.INSIDE, f"{game} {ruleset} {seed}"),
            received_at=self.clock,
        )
        assert isinstance(opened, Done), opened
        self.state: MatchState = opened.state
        self.match = opened.match

    @property
    def game(self) -> Game:
        """The game that is played."""
        return self.state.the_game

    def tell(self, actor: str, command: cmd.MatchCommand, later_s: int = 1) -> "Sitting":
        """One command taken in, so many seconds after the one before."""
        self.clock += later_s * 1_000_000
        done = self.handler.handle(
            self.match, command, actor=actor, command_id=None, received_at=self.clock
        )
        assert isinstance(done, Done), done
        self.state = done.state
        return self

    def start(self, entries: Sequence[str] = ()) -> "Sitting":
        """Everybody sits down, gives entropy (the last declines) and hands in what is asked."""
        for seat in self.state.seat_names():
            self.tell(person(seat), cmd.TakeSeat(seat=seat))
            if self.state.terms.chance:
                last = seat == self.state.seat_names()[-1]
                given = "" if last else f"{ord(seat):02x}" * 16
                self.tell(person(seat), cmd.GiveEntropy(seat, given, self.state.seed_commit))
        for seat, text in zip(self.state.seat_names(), entries, strict=False):
            self.tell(person(seat), cmd.SealEntry(seat, text))
        return self.tell(person("A"), cmd.StartMatch())

    def play(self, plies: int = 10_000) -> "Sitting":
        """So many seeded moves, or as many as there are."""
        choose = chooser(self.game.rules.slug)
        for _ in range(plies):
            seat = self.state.to_move()
            if seat is None:
                break
            position = self.state.position
            move = choose(position, self.game.rules.moves(position).texts, self.dice)
            self.tell(person(seat), cmd.PlayMove(seat, move, self.state.turn))
        return self

    def export(self) -> bytes:
        """All pages of the public events, one after another."""
        pages, after = [], 0
        while True:
            upto = after + PAGE
            events = public_events(self.desk.log, stream_of(self.match), after, upto)
            due = upto if upto < self.state.version else 0
            pages.append(msgspec.json.encode(EventPage(self.match, events, due)))
            if not due:
                return b"\n".join(pages)
            after = due

    def lines(self, since: int = 0) -> bytes:
        """What the stream gives: the match, the events, the match again, and the end if it is."""
        state, events = self.state, public_events(self.desk.log, stream_of(self.match), since)
        head, view = events[-1].hash, view_of(self.state, None)
        match = MatchAnswer(self.match, state.version, state.turn, head, (), {}, view)
        lines: list[Line] = [match, *events, match, "alive"]
        lines += ["ended"] if state.status == "ended" else []
        return b"".join(ndjson_line(line) for line in lines)

    def receipt(self) -> dict[str, Any]:
        """What a page keeps of the match."""
        return {
            "match": self.match,
            "seed_commit": self.state.seed_commit,
            "own": {"A": self.state.entropy["A"]} if self.state.entropy else {},
            "entropy": dict(self.state.entropy),
            "rounds": {str(dealt.number): dealt.commit for dealt in self.state.rounds},
        }


def person(seat: str) -> str:
    """The player who sits at a seat."""
    return f"player:p-{seat.lower() * 16}"


def events_of(export: bytes) -> tuple[str, Export]:
    """The match and the events of an export."""
    pages = [json.loads(line) for line in export.splitlines()]
    return pages[0]["match"], [event for page in pages for event in page["events"]]


def rechained(match: str, events: Export) -> bytes:
    """An export of these events with every version and hash made anew, as a forger would."""
    previous, chained = GENESIS, []
    for version, event in enumerate(events, start=1):
        data = msgspec.json.encode(event["data"])
        link = link_hash(
            previous,
            f"match/{match}",
            version,
            event["kind"],
            event["actor"],
            event["received_at"],
            event["at"],
            data,
        )
        hashes = {"hash": link.hex(), "previous": previous.hex()}
        chained.append({**event, "version": version, **hashes})
        previous = link
    return msgspec.json.encode({"match": match, "events": chained, "next": 0})
