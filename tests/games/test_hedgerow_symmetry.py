"""Invariants of the Hedgerow sheet over many matches: symmetries, bounds, zero sums, conservation.

The eight symmetries of the square keep every rule and score; swapping the owners turns the sign
of every region and harvest score (sheet §9). Placing is by the sheet's policies, never uniform.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import pytest

from services.games.contract import Over
from services.games.hedgerow import rules
from services.games.hedgerow.board import AREA, NAMES, SIZE, Board, set_of, squares_in
from services.games.hedgerow.harvest import Walk, path_score
from services.games.hedgerow.pieces import GLYPHS, SIDES
from services.games.hedgerow.position import HARVESTS, PLACEMENTS, Position
from services.games.hedgerow.regions import BARE, regions
from services.games.hedgerow.tokens import is_placement, read_path, read_placement
from services.games.registry import game
from tests.games.hedgerow_play import cross_last, heavy_first
from tests.kit.playouts import Dice, Turn, playout, seeded_rulesets

HEDGEROW = game("hedgerow", 1)
RULESETS = seeded_rulesets("hedgerow")
MATCHES = 120

Turning = Callable[[int, int], tuple[int, int]]
"""Where a point lies after a symmetry; the middle of the board is 0, 0."""

TURNINGS: dict[str, Turning] = {
    "as-it-is": lambda x, y: (x, y),
    "quarter-turn": lambda x, y: (-y, x),
    "half-turn": lambda x, y: (-x, -y),
    "three-quarters": lambda x, y: (y, -x),
    "left-right": lambda x, y: (-x, y),
    "up-down": lambda x, y: (x, -y),
    "diagonal": lambda x, y: (y, x),
    "other-diagonal": lambda x, y: (-y, -x),
}
every_turning = pytest.mark.parametrize("turn", TURNINGS.values(), ids=TURNINGS)


def square_under(turn: Turning, square: int) -> int:
    """A square's place after a symmetry."""
    column, row = turn(square % SIZE - SIZE // 2, square // SIZE - SIZE // 2)
    return (row + SIZE // 2) * SIZE + column + SIZE // 2


def glyph_under(turn: Turning, glyph: int) -> int:
    """A glyph's solid sides after a symmetry."""
    ways = {(0, 1): SIDES["N"], (1, 0): SIDES["E"], (0, -1): SIDES["S"], (-1, 0): SIDES["W"]}
    return sum(ways[turn(*way)] for way, side in ways.items() if glyph & side)


def move_under(turn: Turning, move: str) -> str:
    """A token after a symmetry."""
    if is_placement(move):
        square, glyph = read_placement(move)
        return f"{GLYPHS[glyph_under(turn, glyph)]}@{NAMES[square_under(turn, square)]}"
    return "-".join(NAMES[square_under(turn, square)] for square in read_path(move))


@cache
def matches() -> tuple[tuple[Turn, ...], ...]:
    """Matches over all rulesets in turn."""
    data = list(RULESETS.values())
    starts = [rules.setup(rules.ruleset(data[seed % len(data)])) for seed in range(MATCHES)]
    return tuple(tuple(playout(HEDGEROW, s, Dice(seed))) for seed, s in enumerate(starts))


def turns() -> Iterator[Turn]:
    """Every turn of every match."""
    for match in matches():
        yield from match


@cache
def full_boards() -> tuple[Position, ...]:
    """Every position just after the last placement of a game."""
    after = (turn.step.position for turn in turns())
    return tuple(position for position in after if position.turns == PLACEMENTS)


def swapped(board: Board) -> Board:
    """The board with all owners exchanged."""
    return bytes(code and code ^ 0x30 for code in board)


@every_turning
def test_a_match_can_be_played_in_every_symmetry(turn: Turning) -> None:
    """The same moves, turned, are legal, and lead to the same facts, points and counts."""
    for match in matches()[:12]:
        position = match[0].position
        for played in match:
            move = move_under(turn, played.move)
            assert rules.objection(position, move) is None
            if played.position.turns % 7 == 0:
                listed = {move_under(turn, text) for text in played.listed}
                assert listed == set(rules.moves(position).texts)
            step = rules.apply(position, move)
            assert step.facts == played.step.facts
            position = step.position
        assert rules.outcome(position) == rules.outcome(match[-1].step.position)


def test_exchanging_the_owners_turns_every_region_score() -> None:
    """Region by region, with and without Cross Zeros that count as present."""
    assert len(full_boards()) > MATCHES
    for full in full_boards():
        for presence in ("no", "yes"):
            found = regions(full.board, presence)
            exchanged = regions(swapped(full.board), presence)
            assert [r.cells for r in found] == [r.cells for r in exchanged]
            assert [r.kind for r in found] == [r.kind for r in exchanged]
            assert [r.points for r in found] == [-r.points for r in exchanged]


def test_exchanging_the_owners_leaves_the_paths_as_they_are() -> None:
    """What one can harvest, the other could, for the same points."""
    for full in full_boards()[::5]:
        board, standing, isolation = full.board, full.standing, full.scores[-1].isolation
        for owner in (1, 2):
            paths = list(Walk(board, standing, owner).paths())
            assert paths == list(Walk(swapped(board), standing, 3 - owner).paths())
            for path in paths:
                mirrored = path_score(swapped(board), 3 - owner, path, isolation)
                assert path_score(board, owner, path, isolation) == mirrored


def test_regions_share_out_the_whole_board() -> None:
    """Every cell is in one region: 39 whole squares and the 40 quarters of ten Cross Zeros."""
    for full in full_boards():
        cells = [cell for region in regions(full.board) for cell in region.cells]
        assert len(cells) == len(set(cells)) == 39 + 40
        pieces = [square for region in regions(full.board) for square in region.squares]
        assert sorted(pieces) == [s for s in range(AREA) if full.board[s] & 15]
        assert all((r.kind == BARE) == (not r.squares) for r in regions(full.board))


def test_a_game_has_49_placements_and_ten_harvests_that_take_a_cross_each() -> None:
    """No match is longer than the sheet says, and only a stuck or given-up one is shorter."""
    for match in matches():
        harvests = [turn for turn in match if not turn.position.is_placing]
        for turn in harvests:
            gone = turn.position.standing & ~turn.step.position.standing
            if turn.step.position.game == turn.position.game:
                crosses = [s for s in squares_in(gone) if not turn.position.board[s] & 15]
                assert len(crosses) == 1
                assert turn.position.board[crosses[0]] >> 4 == turn.position.mover
                assert gone == set_of(read_path(turn.move))
        assert len(match) <= 2 * (PLACEMENTS + HARVESTS)
        assert (len(match) == 118) == all(s.stuck == 0 for s in match[-1].step.position.scores)


def test_the_facts_add_up_to_the_result() -> None:
    """Net = regions + isolation + harvests, and the total is both nets with the seats swapped."""
    for match in matches():
        nets = {1: 0, 2: 0}
        for turn in match:
            for fact in turn.step.facts:
                name, *fields = fact.split(" ")
                said = dict(field.split("=") for field in fields)
                number = {1: 1, 2: -1}.get(turn.position.mover, 0)
                if name == "phase_scored":
                    nets[int(said["game"])] = int(said["regions"]) + int(said["isolation"])
                elif name == "harvested":
                    nets[int(said["game"])] += number * int(said["score"])
                elif name == "game_ended" and "stuck" not in turn.step.facts[0]:
                    assert int(said["net"]) == nets[int(said["game"])]
        end = match[-1].step.position
        if not any(score.stuck for score in end.scores):
            sign = 1 if end.ruleset.first == "A" else -1
            outcome = rules.outcome(end)
            assert outcome is not None
            assert outcome.points["A"] == -outcome.points["B"] == sign * (nets[1] - nets[2])


def test_player_2_always_keeps_a_piece_with_triangles() -> None:
    """The reserve: one piece is left to player 2, never a Cross Zero, and none to player 1."""
    for full in full_boards():
        assert sum(full.left(1)) == 0
        assert sum(full.left(2)) == 1
        assert full.left(2)[0] == 0
        assert full.scores[-1].isolation in (1, 2, 3)


@pytest.mark.parametrize(
    ("policy", "at_least", "at_most"), [(heavy_first, 0.0, 0.0), (cross_last, 0.03, 0.45)]
)
def test_careful_placing_is_never_stuck_and_careless_placing_sometimes(
    policy: Callable[[Any, tuple[str, ...], Dice], str], at_least: float, at_most: float
) -> None:
    """The sheet's table (§12): heavy-first 0 %, Cross-last about 18 % of games."""
    dice, games, stuck = Dice(12), 80, 0
    for _ in range(games):
        position = rules.setup(rules.ruleset({}))
        while position.is_placing and not isinstance(rules.awaiting(position), Over):
            move = policy(position, rules.moves(position).texts, dice)
            position = rules.apply(position, move).position
        stuck += position.scores[-1].stuck > 0
    assert at_least <= stuck / games <= at_most
