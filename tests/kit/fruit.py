"""A toy game with hidden hands: play a fruit you hold or draw one; who is rid of all wins.

Three fruits are dealt to each of two seats, the rest is the market. Every fruit has a name that
occurs nowhere else, so a test can look for a leaked one in any text. ``?`` is a fruit unseen.
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
from services.games.picture import Label, Picture, Rectangle

FRUIT = (
    "boysenberry", "carambola", "cherimoya", "cloudberry", "durian", "jackfruit", "kumquat",
    "mangosteen", "persimmon", "rambutan", "soursop", "tamarillo",
)  # fmt: skip
HAND = 3
UNSEEN = "?"
Fruits = tuple[str, ...]


class Stall(msgspec.Struct, frozen=True):
    """What was played, both hands (in order of the alphabet), the market, whose turn, who left."""

    played: Fruits = ()
    hands: tuple[Fruits, Fruits] = ((), ())
    market: Fruits = ()
    seat: Seat = ""
    out: Seat = ""


class FruitRules:
    """The judge of the toy game."""

    slug = "fruit"
    version = 1

    def ruleset(self, data: Mapping[str, Any]) -> dict[str, Any]:
        """There are no options."""
        if data:
            raise BadText("fruit has no options.")
        return {}

    def ruleset_data(self, ruleset: dict[str, Any]) -> dict[str, Any]:
        """Nothing."""
        return {}

    def terms(self, ruleset: Any) -> Terms:
        """Every ply plays a fruit or takes one from the market."""
        return Terms(seats=2, plies_max=2 * len(FRUIT), hidden=True, chance=True)

    def entry_objection(self, ruleset: Any, seat: Seat, text: str) -> Objection | None:
        """There are no entries."""
        return Objection("no-entries", "Fruit has no entries.")

    def setup(self, ruleset: Any, entries: Mapping[Seat, str] = {}) -> Stall:
        """Nothing is dealt yet."""
        return Stall()

    def awaiting(self, position: Stall) -> Seat | Deal | Over:
        """The deal first; the seat to move until a hand is empty or somebody left."""
        if not position.seat:
            return Deal(1)
        return Over() if position.out or () in position.hands else position.seat

    def deal(self, position: Stall, chance: Chance | None, recorded: Facts | None = None) -> Step:
        """Three each from the shuffled fruits, the rest is the market; unseen without chance."""
        if chance is None:
            fruits = [UNSEEN] * len(FRUIT)
        else:
            fruits = [FRUIT[n] for n in chance.permutation(len(FRUIT))]
        hands = (tuple(sorted(fruits[:HAND])), tuple(sorted(fruits[HAND : 2 * HAND])))
        stall = Stall(hands=hands, market=tuple(fruits[2 * HAND :]), seat="A")
        return Step(stall, (f"{HAND} each",), {"A": hands[0], "B": hands[1]})

    def moves(self, position: Stall, limit: int = 5_000) -> Moves:
        """The fruits in hand, and ``draw`` while there is a market."""
        if not isinstance(seat := self.awaiting(position), str):
            return Moves(())
        draw = ("draw",) if position.market else ()
        texts = (*self._hand(position, seat), *draw)
        return Moves(texts[:limit], len(texts) > limit)

    def steps(self, position: Stall, prefix: str) -> tuple[NextStep, ...]:
        """A move is one word."""
        moves = self.moves(position).texts
        return tuple(NextStep(m, True, False) for m in moves if m.startswith(prefix))

    def objection(self, position: Stall, move: str) -> Objection | None:
        """None for a listed move; the sentence says nothing about where a fruit is."""
        if move.strip() in self.moves(position).texts:
            return None
        return Objection("not-in-hand", "Play a fruit of your hand, or draw while there is one.")

    def apply(self, position: Stall, move: str, recorded: Facts | None = None) -> Step:
        """One fruit less or one more, the other seat's turn."""
        seat, word = position.seat, move.strip()
        hand, other = self._hand(position, seat), "B" if seat == "A" else "A"
        if word == "draw":
            drawn, *market = position.market
            after = replace(position, seat=other, market=tuple(market))
            step_to = self._with_hand(after, seat, (*hand, drawn))
            return Step(step_to, ("drew 1",), {seat: (f"drew {drawn}",)})
        gone = word if word in hand else UNSEEN
        left = list(hand)
        left.remove(gone)
        after = replace(position, seat=other, played=(*position.played, word))
        return Step(self._with_hand(after, seat, tuple(left)))

    def withdraw(self, position: Stall, seat: Seat, recorded: Facts | None = None) -> Step:
        """The other seat has won."""
        return Step(replace(position, out=seat))

    def outcome(self, position: Stall) -> Outcome | None:
        """As it stands, once play is over."""
        return self.standing(position) if isinstance(self.awaiting(position), Over) else None

    def standing(self, position: Stall) -> Outcome:
        """A minus point for every fruit in hand."""
        points = {seat: -len(self._hand(position, seat)) for seat in "AB"}
        best = max(points.values())
        winners = tuple(
            s for s in "AB" if s != position.out and (position.out or points[s] == best)
        )
        return Outcome(points, winners, {"market": len(position.market)})

    def view(self, position: Stall, seat: Seat | None) -> Stall:
        """The own hand; of all else only how many."""
        hands = tuple(
            hand if owner == seat else (UNSEEN,) * len(hand)
            for owner, hand in zip("AB", position.hands, strict=True)
        )
        market = (UNSEEN,) * len(position.market)
        return replace(position, hands=(hands[0], hands[1]), market=market)

    def imagine(self, view: Stall, chance: Chance) -> Stall:
        """The fruits nobody has seen, laid where something is unseen."""
        seen = {*view.played, *view.hands[0], *view.hands[1]}
        rest = [fruit for fruit in FRUIT if fruit not in seen]
        pile = iter([rest[n] for n in chance.permutation(len(rest))] if rest else [])
        laid = [
            tuple(sorted(next(pile) if fruit == UNSEEN else fruit for fruit in hand))
            for hand in view.hands
        ]
        market = tuple(next(pile) for _ in view.market)
        return replace(view, hands=(laid[0], laid[1]), market=market)

    def census(self, position: Stall) -> Mapping[str, int]:
        """No fruit is lost."""
        held = sum(len(hand) for hand in position.hands)
        return {"fruit": len(position.played) + held + len(position.market)}

    def _hand(self, position: Stall, seat: Seat) -> Fruits:
        return position.hands["AB".index(seat)]

    def _with_hand(self, position: Stall, seat: Seat, hand: Fruits) -> Stall:
        hands = list(position.hands)
        hands["AB".index(seat)] = tuple(sorted(hand))
        return replace(position, hands=(hands[0], hands[1]))


class FruitNotation:
    """Texts of the toy game."""

    def canonical(self, position: Stall, move: str) -> str:
        """Without blanks."""
        return move.strip()

    def format_position(self, position: Stall) -> str:
        """Six fields with semicolons, fruits with commas."""
        lists = (position.played, *position.hands, position.market)
        return ";".join((*(",".join(fruits) for fruits in lists), position.seat, position.out))

    def parse_position(self, text: str) -> Stall:
        """The six fields again."""
        fields = text.split(";")
        if len(fields) != 6:
            raise BadText("a fruit position is played;hand A;hand B;market;seat;out")
        played, a, b, market = (tuple(f.split(",")) if f else () for f in fields[:4])
        return Stall(played, (a, b), market, fields[4], fields[5])


class FruitDrawing:
    """The hands as words, unseen fruits as question marks."""

    def picture(self, view: Stall, seat: Seat | None) -> Picture:
        """One line for each hand, one for what was played."""
        lines = self.text(view, seat).splitlines()
        labels = (Label(20, 60 + 40 * n, line, 20) for n, line in enumerate(lines))
        ground = Rectangle(0, 0, 600, 600, "ground")
        return Picture(600, 600, "Fruit", "; ".join(lines), (ground, *labels))

    def text(self, view: Stall, seat: Seat | None) -> str:
        """The same in characters."""
        hands = (f"{s}: {' '.join(hand)}" for s, hand in zip("AB", view.hands, strict=True))
        return "\n".join((*hands, f"market: {len(view.market)}", " ".join(view.played)))


FRUIT_GAME = Game("Fruit", FruitRules(), FruitNotation(), FruitDrawing())
