"""Some hundred whole matches of Triangles: what the sheet says never happens, never happens."""

from collections import Counter
from collections.abc import Iterator
from functools import cache

import msgspec

from services.games.contract import Deal, Over, Step
from services.games.triangles import rules
from services.games.triangles.lattice import EMPTY
from services.games.triangles.notation import read_placement
from services.games.triangles.points import placement_points
from services.games.triangles.position import Position
from services.games.triangles.tiles import NUMBERS, VALUES, as_set, value_of
from tests.kit.playouts import Dice

OPTIONS: tuple[dict[str, object], ...] = (
    {},
    {"players": 3},
    {"players": 4},
    {"hand_size": 16, "bridge_two_sides": True},
    {"opening_tile": "free", "hand_size": 7},
    {"score_placement": False, "max_rounds": 3},
)
MATCHES = 200
"""A quarter of them greedy: the most points, then the heaviest tile."""


class Played(msgspec.Struct, frozen=True):
    """A position and the step that followed it; a deal has no move."""

    before: Position
    move: str
    step: Step


def greedy(position: Position, moves: tuple[str, ...]) -> str:
    """The move with the most points, the heaviest tile among equals."""

    def worth(move: str) -> tuple[int, int]:
        placement = read_placement(move)
        earned = placement_points(position.ruleset, position.layout, placement)
        return earned.total, VALUES[placement.tile]

    return max(moves, key=worth)


def match(seed: int) -> Iterator[Played]:
    """A whole match."""
    dice = Dice(seed)
    position: Position = rules.setup(rules.ruleset(OPTIONS[seed % len(OPTIONS)]))
    while not isinstance(awaited := rules.awaiting(position), Over):
        move = ""
        if isinstance(awaited, Deal):
            step = rules.deal(position, dice)
        else:
            moves = rules.moves(position).texts
            move = greedy(position, moves) if seed % 4 == 0 else moves[dice.below(len(moves))]
            step = rules.apply(position, move)
        yield Played(position, move, step)
        position = step.position


@cache
def matches() -> tuple[tuple[Played, ...], ...]:
    """All of them, played once."""
    return tuple(tuple(match(seed)) for seed in range(MATCHES))


def round_ends() -> list[Position]:
    """Every position in which a round had just ended."""
    positions = [p.step.position for played in matches() for p in played]
    return [position for position in positions if position.end]


def test_the_tiles_are_conserved_and_worth_420() -> None:
    """§1: every tile is in exactly one place, in each position in which all are known."""
    for played in matches():
        for event in played:
            position: Position = event.step.position
            lying = as_set(p.tile for p in position.placed)
            places = [lying, as_set(position.market), *position.hands]
            assert sum(place.bit_count() for place in places) == 56
            assert sum(map(value_of, places)) == 420


def test_a_round_is_at_most_as_long_as_there_are_tiles() -> None:
    """§7: 56 placements, a market's draws, and never as many passes in succession as seats."""
    for ended in round_ends():
        assert len(ended.placed) <= 56
        assert sum(turn.drawn for turn in ended.turns) <= ended.ruleset.market_size
        passing = 0
        for turn in ended.turns[:-1]:
            passing = 0 if turn.placement else passing + 1
            assert passing < ended.ruleset.players


def test_draws_and_passes_are_forced() -> None:
    """§4: who draws holds nothing that fits, nor is it among the drawn but the last."""
    for played in matches():
        drawn: dict[int, tuple[int, ...]] = {}
        for event in (event for event in played if event.move):
            position: Position = event.step.position
            for seat, texts in event.step.private.items():
                names = texts[0].removeprefix("draw ").split("+")
                drawn[position.seats.index(seat)] = tuple(NUMBERS[name] for name in names)
            playable = position.layout.playable()
            for fact in event.step.facts[1:]:
                kind, name, *count = fact.split(" ")
                if kind == "draw":
                    tiles = drawn[position.seats.index(name)]
                    assert len(tiles) == int(count[0])
                    assert not as_set(tiles[:-1]) & playable
                    found = as_set(tiles) & playable
                    assert bool(found) == (f"pass {name}" not in event.step.facts)
                    held = position.hands[position.seats.index(name)]
                    assert held & playable == found
                elif kind == "pass":
                    assert not position.market
                    assert not position.hands[position.seats.index(name)] & playable


def test_a_seat_to_move_can_move_and_digits_agree_at_every_vertex() -> None:
    """§4.2, §5: laying all tiles again finds no two digits on one vertex."""
    for played in matches()[:30]:
        for event in (event for event in played if event.move):
            assert rules.objection(event.before, event.move) is None
        for ended in (e.step.position for e in played if e.step.position.end):
            layout = EMPTY
            for placement in ended.placed:
                pattern = layout.pattern(placement.cell)
                pairs = zip(pattern, placement.digits, strict=True)
                assert all(known in (None, digit) for known, digit in pairs)
                layout = layout.put(placement)
            assert layout == ended.layout


def test_round_points_are_those_of_the_turns_and_the_end() -> None:
    """§7: placements less draws and passes, and end points; totals add rounds up."""
    for played in matches():
        ended = [event.step.position for event in played if event.step.position.end]
        totals = [0] * len(ended[0].seats)
        for position in ended:
            made = Counter[int]()
            for turn in position.turns:
                made[turn.seat] += turn.points
            end = position.end
            assert end is not None
            for seat in range(len(totals)):
                assert position.points[seat] == made[seat] + end.points[seat]
                assert position.totals[seat] == totals[seat]
                totals[seat] += position.points[seat]


def test_a_match_ends_only_where_it_has_to() -> None:
    """§8: after each round but the last nobody alone had the target, and no cap was met."""
    for played in matches():
        *earlier, last = [e.step.position for e in played if e.step.position.end]
        for position in earlier:
            best = sorted(position.sums())
            assert best[-1] < position.ruleset.target or best[-1] == best[-2]
        outcome = rules.outcome(last)
        assert outcome is not None
        capped = last.round == last.ruleset.max_rounds
        assert capped or max(last.sums()) >= last.ruleset.target
        assert tuple(outcome.points.values()) == last.sums()


def test_matches_are_as_long_as_the_sheet_has_measured() -> None:
    """§14: with hands of eight some 36.7 placements and 25 draws a round."""
    usual = [end for end in round_ends() if end.ruleset == rules.ruleset({})]
    assert 33 < sum(len(end.placed) for end in usual) / len(usual) < 40
    assert 22 < sum(turn.drawn for end in usual for turn in end.turns) / len(usual) < 28
    assert {end.end.kind for end in usual if end.end} == {"out", "blocked"}
