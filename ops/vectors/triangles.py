"""``plybook-triangles-vectors/1``: the cases described at the end of the Triangles rule sheet."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec.structs import replace

from ops.vectors.report import (
    Case,
    Document,
    Verdict,
    by_kind,
    differences,
    unknown_keys,
    verdicts,
)
from services.games.contract import Objection, Step
from services.games.triangles import play, points, rules
from services.games.triangles.lattice import Layout, Placement, corners
from services.games.triangles.notation import draws_text, read_placement, turn_text
from services.games.triangles.options import Ruleset
from services.games.triangles.position import NOBODY, Opening, Position, RoundEnd, first_position
from services.games.triangles.tiles import ALL_TILES, NUMBERS, TILES, as_set, tiles_in
from services.match import shuffle

FORMAT = "plybook-triangles-vectors/1"

_EVERY_KIND = ("options", "expect")


def run(document: Document) -> Iterator[Verdict]:
    """Every case of a file."""
    kinds: Mapping[str, Callable[[Case, Ruleset], str]] = {
        "place": _place,
        "legal_moves": _legal_moves,
        "opening": _opening,
        "script": _script,
        "match_end": _match_end,
        "full_round": _full_round,
    }
    defaults = document.get("defaults", {})
    judges = {kind: partial(_with_ruleset, judge, defaults) for kind, judge in kinds.items()}
    return verdicts(document["cases"], by_kind(judges))


def _with_ruleset(judge: Callable[[Case, Ruleset], str], defaults: Case, case: Case) -> str:
    return judge(case, rules.ruleset({**defaults, **case.get("options", {})}))


def _tiles(names: Sequence[str]) -> tuple[int, ...]:
    return tuple(NUMBERS[name] for name in names)


def _arranged(
    ruleset: Ruleset, board: Sequence[str], hands: Sequence[int], to_move: int = 0
) -> Position:
    """A running round with this board, each placement legal in turn whoever holds the tile."""
    start = replace(
        first_position(ruleset),
        round=1,
        opening=Opening((to_move - len(board)) % ruleset.players, "triple"),
        hands=(ALL_TILES,) * ruleset.players,
        next=(to_move - len(board)) % ruleset.players,
        unseen=0,
    )
    position = start
    for move in board:
        position = _placed(position, move)
    none = (0,) * ruleset.players
    return replace(position, hands=tuple(hands), points=none)


def _placed(position: Position, move: str) -> Position:
    if wrong := rules.objection(position, move):
        raise ValueError(f"board: {move}: {wrong.code}")
    return play.place(position, read_placement(move))[0]


def _place(case: Case, ruleset: Ruleset) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "board", "move", "hand"):
        return strange
    hand = as_set(_tiles(case["hand"])) if "hand" in case else ALL_TILES
    position = _arranged(ruleset, case["board"], [hand] * ruleset.players)
    wrong = rules.objection(position, case["move"])
    return differences(case["expect"], _placement_found(position, case["move"], wrong))


def _placement_found(position: Position, move: str, wrong: Objection | None) -> dict[str, Any]:
    if wrong:
        return {"legal": False, "reason": wrong.code}
    layout, placement = position.layout, read_placement(move)
    earned = points.placement_points(position.ruleset, layout, placement)
    return {
        "legal": True,
        "sides": len(layout.shared_sides(placement.cell)),
        "corners": _corners_met(layout, placement),
        "hexagons": points.hexagons_closed(layout, placement),
        "bridge": bool(earned.bridge),
        "points": {
            "tile": earned.tile,
            "opening": earned.opening,
            "hexagon": earned.hexagon,
            "bridge": earned.bridge,
            "total": earned.total,
        },
    }


def _corners_met(layout: Layout, placement: Placement) -> int:
    return sum(vertex in layout.digits for vertex in corners(placement.cell))


def _legal_moves(case: Case, ruleset: Ruleset) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "board", "hand"):
        return strange
    hand = as_set(_tiles(case["hand"]))
    position = _arranged(ruleset, case["board"], [hand] * ruleset.players)
    return differences(case["expect"], {"moves": list(rules.moves(position).texts)})


def _opening(case: Case, ruleset: Ruleset) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "hands"):
        return strange
    hands = [as_set(_tiles(case["hands"][seat])) for seat in ruleset.seats]
    opening = play.opening_of(first_position(ruleset), hands)
    found = {
        "starter": ruleset.seats[opening.seat],
        "tile": TILES[opening.tile],
        "reason": opening.reason,
    }
    return differences(case["expect"], found)


def _match_end(case: Case, ruleset: Ruleset) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "totals", "rounds_played"):
        return strange
    totals = [case["totals"][seat] for seat in ruleset.seats]
    ended = RoundEnd("out", 0, (0,) * ruleset.players)
    position = replace(
        first_position(ruleset), totals=tuple(totals), round=case["rounds_played"], end=ended
    )
    outcome = rules.outcome(position)
    alone = outcome.winners[0] if outcome and len(outcome.winners) == 1 else None
    return differences(case["expect"], {"over": outcome is not None, "winner": alone})


class _Telling:
    """A round told turn by turn as a full record writes it, with every tile drawn."""

    def __init__(self, start: Step) -> None:
        self.position: Position = start.position
        self.first = len(start.position.turns)
        self._drawn: dict[int, tuple[int, ...]] = {}
        self.record: list[str] = []

    def take(self, step: Step) -> None:
        """The turns that a step finished."""
        drawn = {
            self.position.seats.index(seat): _tiles(facts[0].removeprefix("draw ").split("+"))
            for seat, facts in step.private.items()
        }
        self._drawn |= drawn
        self.position = step.position
        for turn in self.position.turns[self.first + len(self.record) :]:
            seat = self.position.seats[turn.seat]
            tiles = self._drawn.pop(turn.seat, ()) if turn.drawn else ()
            self.record.append(turn_text(seat, tiles, turn.placement))

    def play(self, moves: Sequence[str]) -> None:
        """Moves as ``A:333u0.0``, each judged."""
        for text in moves:
            seat, _, move = text.partition(":")
            if seat != rules.awaiting(self.position):
                raise ValueError(f"{text}: it is the turn of {rules.awaiting(self.position)}")
            if wrong := rules.objection(self.position, move):
                raise ValueError(f"{text}: {wrong.code}")
            self.take(rules.apply(self.position, move))

    def found(self) -> dict[str, Any]:
        """What the file can expect of a round."""
        p, end = self.position, self.position.end
        by_seat = dict(enumerate(p.seats))
        pending = []
        if p.drawn:
            pending.append(draws_text(p.seats[p.next], self._drawn[p.next]))
        nobody = end is None or end.winner == NOBODY
        return {
            "record": self.record + pending,
            "points_by_token": [turn.points for turn in p.turns[self.first :]],
            "end": end.kind if end else None,
            "winner": None if end is None or nobody else by_seat[end.winner],
            "end_points": dict(zip(p.seats, end.points, strict=True)) if end else None,
            "round_points": dict(zip(p.seats, p.points, strict=True)),
            "hands": {s: [TILES[t] for t in tiles_in(p.hands[n])] for n, s in by_seat.items()},
            "market": [TILES[tile] for tile in p.market],
            "to_move": p.seats[p.next] if end is None else None,
        }


def _script(case: Case, ruleset: Ruleset) -> str:
    setup = case["setup"]
    known = unknown_keys(setup, "board", "hands", "market", "to_move")
    if strange := unknown_keys(case, *_EVERY_KIND, "setup", "moves") or known:
        return strange
    hands = [as_set(_tiles(setup["hands"][seat])) for seat in ruleset.seats]
    to_move = ruleset.seats.index(setup["to_move"])
    position = _arranged(ruleset, setup["board"], hands, to_move)
    telling = _Telling(Step(replace(position, market=_tiles(setup["market"]))))
    telling.take(rules.settle(telling.position, ()))
    telling.play(case["moves"])
    return differences(case["expect"], telling.found())


def _full_round(case: Case, ruleset: Ruleset) -> str:
    if strange := unknown_keys(case, *_EVERY_KIND, "deal", "deck", "starter", "record"):
        return strange
    given = case["deal"]
    entropy = [bytes.fromhex(text) for text in given["entropy"]]
    key = shuffle.match_key(bytes.fromhex(given["server_seed"]), given["match_id"], entropy)
    stream = shuffle.Stream(shuffle.round_key(key, given["round"]))
    step = rules.deal(_before(ruleset, case["starter"]), stream)
    dealt: Position = step.position
    size = ruleset.hand_size
    deck = _tiles(case["deck"])
    hands = tuple(as_set(deck[n * size : n * size + size]) for n in range(ruleset.players))
    if dealt.hands != hands or dealt.market != deck[ruleset.players * size :]:
        return "deck: another one is dealt"
    telling = _Telling(Step(dealt))
    telling.play([_without_draws(token) for token in case["record"] if not token.endswith(":-")])
    found = telling.found() | {"starter": dealt.seats[dealt.opening.seat if dealt.opening else 0]}
    return differences({**case["expect"], "record": case["record"]}, found)


def _before(ruleset: Ruleset, starter: str | None) -> Position:
    """What comes before a round: the start, or a round that ``starter`` won."""
    first = first_position(ruleset)
    if starter is None:
        return first
    won = RoundEnd("out", ruleset.seats.index(starter), (0,) * ruleset.players)
    return replace(first, round=1, end=won)


def _without_draws(token: str) -> str:
    seat, _, move = token.partition(":")
    return f"{seat[:1]}:{move}"
