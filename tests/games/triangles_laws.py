"""What the sheet of Triangles says of every match, as checks of one match, deals included."""

from collections import Counter
from collections.abc import Sequence

from services.games.triangles import rules
from services.games.triangles.lattice import EMPTY
from services.games.triangles.position import Position
from services.games.triangles.tiles import NUMBERS, as_set, value_of
from tests.kit.playouts import Turn


def round_ends(match: Sequence[Turn]) -> list[Position]:
    """Every position in which a round had just ended."""
    return [turn.step.position for turn in match if turn.step.position.end]


def the_tiles_are_conserved_and_worth_420(match: Sequence[Turn]) -> None:
    """§1: every tile is in exactly one place, in each position in which all are known."""
    for turn in match:
        position: Position = turn.step.position
        lying = as_set(p.tile for p in position.placed)
        places = [lying, as_set(position.market), *position.hands]
        assert sum(place.bit_count() for place in places) == 56
        assert sum(map(value_of, places)) == 420


def a_round_is_at_most_as_long_as_there_are_tiles(match: Sequence[Turn]) -> None:
    """§7: 56 placements, a market's draws, and never as many passes in succession as seats."""
    for ended in round_ends(match):
        assert len(ended.placed) <= 56
        assert sum(turn.drawn for turn in ended.turns) <= ended.ruleset.market_size
        passing = 0
        for turn in ended.turns[:-1]:
            passing = 0 if turn.placement else passing + 1
            assert passing < ended.ruleset.players


def draws_and_passes_are_forced(match: Sequence[Turn]) -> None:
    """§4: who draws holds nothing that fits, nor is it among the drawn but the last."""
    drawn: dict[int, tuple[int, ...]] = {}
    for turn in (turn for turn in match if turn.move):
        position: Position = turn.step.position
        for seat, texts in turn.step.private.items():
            names = texts[0].removeprefix("draw ").split("+")
            drawn[position.seats.index(seat)] = tuple(NUMBERS[name] for name in names)
        playable = position.layout.playable()
        for fact in turn.step.facts[1:]:
            kind, name, *count = fact.split(" ")
            if kind == "draw":
                tiles = drawn[position.seats.index(name)]
                assert len(tiles) == int(count[0])
                assert not as_set(tiles[:-1]) & playable
                found = as_set(tiles) & playable
                assert bool(found) == (f"pass {name}" not in turn.step.facts)
                assert position.hands[position.seats.index(name)] & playable == found
            elif kind == "pass":
                assert not position.market
                assert not position.hands[position.seats.index(name)] & playable


def digits_agree_at_every_vertex(match: Sequence[Turn]) -> None:
    """§4.2, §5: laying all tiles of a round again finds no two digits on one vertex."""
    for ended in round_ends(match):
        layout = EMPTY
        for placement in ended.placed:
            pattern = layout.pattern(placement.cell)
            pairs = zip(pattern, placement.digits, strict=True)
            assert all(known in (None, digit) for known, digit in pairs)
            layout = layout.put(placement)
        assert layout == ended.layout


def round_points_are_those_of_the_turns_and_the_end(match: Sequence[Turn]) -> None:
    """§7: placements less draws and passes, and end points; totals add rounds up."""
    totals = [0] * len(match[0].position.seats)
    for position in round_ends(match):
        made = Counter[int]()
        for turn in position.turns:
            made[turn.seat] += turn.points
        end = position.end
        assert end is not None
        for seat in range(len(totals)):
            assert position.points[seat] == made[seat] + end.points[seat]
            assert position.totals[seat] == totals[seat]
            totals[seat] += position.points[seat]


def a_match_ends_only_where_it_has_to(match: Sequence[Turn]) -> None:
    """§8: after each round but the last nobody alone had the target, and no cap was met."""
    *earlier, last = round_ends(match)
    for position in earlier:
        best = sorted(position.sums())
        assert best[-1] < position.ruleset.target or best[-1] == best[-2]
    outcome = rules.outcome(last)
    assert outcome is not None
    capped = last.round == last.ruleset.max_rounds
    assert capped or max(last.sums()) >= last.ruleset.target
    assert tuple(outcome.points.values()) == last.sums()


LAWS = (
    the_tiles_are_conserved_and_worth_420,
    a_round_is_at_most_as_long_as_there_are_tiles,
    draws_and_passes_are_forced,
    digits_agree_at_every_vertex,
    round_points_are_those_of_the_turns_and_the_end,
    a_match_ends_only_where_it_has_to,
)


def told(text: str, match: Sequence[Turn]) -> bool:
    """Whether the facts of a match tell of something."""
    return any(text in fact for turn in match for fact in turn.step.facts)


SIGHTS = {
    "a hexagon": lambda match: told("hexagon=", match),
    "a bridge": lambda match: told("bridge=", match),
    "a draw": lambda match: told("draw ", match),
    "a pass": lambda match: told("pass ", match),
    "going out": lambda match: told("round-end out", match),
    "a blocked round": lambda match: told("round-end blocked", match),
    "several rounds": lambda match: len(round_ends(match)) > 1,
}
