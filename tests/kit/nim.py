"""A toy game for tests of everything that is not about a real game: take 1 or 2, last wins.

With ``drawn`` chance says who begins; with ``sealed`` every seat hands in a part of the heap.

``NIM`` is rules version 1; ``NIM_2`` is a newer version that also lets a player take 3: the
frozen-version mechanism is shown with the two.
"""

from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec.structs import replace

from services.games.contract import (
    BadText,
    Chance,
    Deal,
    Facts,
    Game,
    Moves,
    NextStep,
    Objection,
    Outcome,
    Over,
    Seat,
    Step,
    Terms,
)
from services.games.picture import Picture


class Heap(msgspec.Struct, frozen=True):
    """Objects left, whose turn (nobody's before the draw), who took last, who is out, seats."""

    left: int
    seat: Seat = "A"
    last: Seat = ""
    out: tuple[Seat, ...] = ()
    seats: int = 2


class NimRules:
    """The judge of the toy game."""

    slug = "nim"

    def __init__(self, version: int, most: int) -> None:
        self.version = version
        self.most = most

    def ruleset(self, data: Mapping[str, Any]) -> dict[str, int]:
        """``heap`` (default 5), ``seats`` (default 2), ``drawn`` and ``sealed`` if asked for."""
        if unknown := data.keys() - {"heap", "seats", "drawn", "sealed", "hidden"}:
            raise BadText(f"nim has no option {', '.join(sorted(unknown))}: heap and seats are.")
        return {"heap": 5, "seats": 2, **data}

    def ruleset_data(self, ruleset: dict[str, int]) -> dict[str, Any]:
        """The ruleset is plain already."""
        return dict(ruleset)

    def terms(self, ruleset: dict[str, int]) -> Terms:
        """At most one ply for each object."""
        return Terms(
            seats=ruleset["seats"],
            plies_max=ruleset["heap"],
            hidden="hidden" in ruleset,
            chance="drawn" in ruleset,
            sealed_entries="sealed" in ruleset,
        )

    def entry_objection(self, ruleset: Any, seat: Seat, text: str) -> Objection | None:
        """An entry is one digit."""
        return None if text.isdigit() else Objection("not-a-digit", "An entry is one digit.")

    def setup(self, ruleset: dict[str, int], entries: Mapping[Seat, str] = {}) -> Heap:
        """The whole heap, A to move; with a draw nobody yet."""
        left = sum(int(text) for text in entries.values()) or ruleset["heap"]
        return Heap(left, seat="" if "drawn" in ruleset else "A", seats=ruleset["seats"])

    def awaiting(self, position: Heap) -> Seat | Deal | Over:
        """The seat to move until the heap is gone or one seat is left; first the draw."""
        if not position.seat:
            return Deal(1)
        over = position.left == 0 or len(position.out) >= position.seats - 1
        return Over() if over else position.seat

    def deal(self, position: Heap, chance: Chance | None, recorded: Facts | None = None) -> Step:
        """Draw who begins."""
        if chance is None:
            assert recorded
            return Step(replace(position, seat=recorded[0][-1]), recorded)
        seat = "ABCD"[chance.below(position.seats)]
        return Step(replace(position, seat=seat), (f"first {seat}",))

    def moves(self, position: Heap, limit: int = 5_000) -> Moves:
        """Take 1, take 2 and so on."""
        if isinstance(self.awaiting(position), Over):
            return Moves(())
        return Moves(tuple(str(n) for n in range(1, min(self.most, position.left) + 1)))

    def steps(self, position: Heap, prefix: str) -> tuple[NextStep, ...]:
        """A move is one digit."""
        return () if prefix else tuple(NextStep(m, True, True) for m in self.moves(position).texts)

    def objection(self, position: Heap, move: str) -> Objection | None:
        """None for one of the listed moves."""
        if move.strip() in self.moves(position).texts:
            return None
        return Objection("not-a-take", f"Take 1 to {self.most} of the {position.left} left.")

    def apply(self, position: Heap, move: str, recorded: Facts | None = None) -> Step:
        """Fewer objects, the next seat; the last take is a recorded fact."""
        left = position.left - int(move)
        seat = self._next(position.seat, position.out, position.seats)
        facts = ("heap gone",) if left == 0 else ()
        heap = Heap(left, seat, position.seat, position.out, position.seats)
        return Step(heap, facts if recorded is None else recorded)

    def withdraw(self, position: Heap, seat: Seat, recorded: Facts | None = None) -> Step:
        """The seat is skipped from now on."""
        out = (*position.out, seat)
        to_move = position.seat
        if to_move == seat and len(out) < position.seats:
            to_move = self._next(seat, out, position.seats)
        return Step(Heap(position.left, to_move, position.last, out, position.seats))

    def _next(self, seat: Seat, out: tuple[Seat, ...], seats: int) -> Seat:
        names = "ABCD"[:seats]
        following = names[names.index(seat) + 1 :] + names[: names.index(seat) + 1]
        return next(name for name in following if name not in out)

    def outcome(self, position: Heap) -> Outcome | None:
        """Who took last wins; or who is left."""
        return self.standing(position) if isinstance(self.awaiting(position), Over) else None

    def standing(self, position: Heap) -> Outcome:
        """One point for who would win now."""
        names = "ABCD"[: position.seats]
        left = tuple(name for name in names if name not in position.out)
        winners = left if len(left) == 1 else tuple(n for n in names if n == position.last)
        return Outcome({n: int(n in winners) for n in names}, winners, {"left": position.left})

    def view(self, position: Heap, seat: Seat | None) -> Heap:
        """Nothing is hidden."""
        return position

    def imagine(self, view: Heap, chance: Chance) -> Heap:
        """Nothing is hidden."""
        return view

    def census(self, position: Heap) -> Mapping[str, int]:
        """Seats are never lost."""
        return {"seats": position.seats}


class NimNotation:
    """Texts of the toy game."""

    def canonical(self, position: Heap, move: str) -> str:
        """Without blanks."""
        return move.strip()

    def format_position(self, position: Heap) -> str:
        """Five fields with colons."""
        heap = position
        return f"{heap.left}:{heap.seat}:{heap.last}:{''.join(heap.out)}:{heap.seats}"

    def parse_position(self, text: str) -> Heap:
        """The five fields again."""
        parts = text.split(":")
        if len(parts) != 5 or not parts[0].isdigit():
            raise BadText("a nim position is left:seat:last:out:seats")
        return Heap(int(parts[0]), parts[1], parts[2], tuple(parts[3]), int(parts[4]))


class NimDrawing:
    """No picture, only words."""

    def picture(self, view: Heap, seat: Seat | None) -> Picture:
        """Nobody draws nim."""
        raise ValueError("nim is not drawn")

    def text(self, view: Heap, seat: Seat | None) -> str:
        """As many strokes as objects."""
        return "|" * view.left


NIM = Game("Nim", NimRules(1, 2), NimNotation(), NimDrawing())
NIM_2 = Game("Nim", NimRules(2, 3), NimNotation(), NimDrawing())
