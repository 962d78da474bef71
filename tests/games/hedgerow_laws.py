"""What the sheet of Hedgerow says of every match: symmetries, bounds, zero sums, conservation.

The eight symmetries of the square keep every rule and score; swapping the owners turns the sign
of every region and harvest score (sheet §9).
"""

from collections.abc import Callable, Sequence

from services.games.contract import MOVES_LISTED_MAX
from services.games.hedgerow import rules
from services.games.hedgerow.board import AREA, NAMES, SIZE, Board, set_of, squares_in
from services.games.hedgerow.harvest import Walk, path_score
from services.games.hedgerow.pieces import GLYPHS, SIDES
from services.games.hedgerow.position import HARVESTS, PLACEMENTS, Position
from services.games.hedgerow.regions import BARE, regions
from services.games.hedgerow.tokens import is_placement, read_path, read_placement
from tests.kit.playouts import Turn

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


def full_boards(match: Sequence[Turn]) -> list[Position]:
    """The position just after the last placement of each game that came so far."""
    after = (turn.step.position for turn in match)
    return [position for position in after if position.turns == PLACEMENTS]


def swapped(board: Board) -> Board:
    """The board with all owners exchanged."""
    return bytes(code and code ^ 0x30 for code in board)


def it_can_be_played_in_every_symmetry(match: Sequence[Turn]) -> None:
    """The same moves, turned, are legal, and lead to the same facts, points and counts.

    A list that a limit has cut ends elsewhere in another symmetry.
    """
    for turning in TURNINGS.values():
        position = match[0].position
        for played in match:
            move = move_under(turning, played.move)
            assert rules.objection(position, move) is None
            if played.position.turns % 7 == 0 and len(played.listed) < MOVES_LISTED_MAX:
                listed = {move_under(turning, text) for text in played.listed}
                assert listed == set(rules.moves(position).texts)
            step = rules.apply(position, move)
            assert step.facts == played.step.facts
            position = step.position
        assert rules.outcome(position) == rules.outcome(match[-1].step.position)


def exchanging_the_owners_turns_every_region_score(match: Sequence[Turn]) -> None:
    """Region by region, with and without Cross Zeros that count as present."""
    for full in full_boards(match):
        for presence in ("no", "yes"):
            found = regions(full.board, presence)
            exchanged = regions(swapped(full.board), presence)
            assert [r.cells for r in found] == [r.cells for r in exchanged]
            assert [r.kind for r in found] == [r.kind for r in exchanged]
            assert [r.points for r in found] == [-r.points for r in exchanged]


def exchanging_the_owners_leaves_the_paths_as_they_are(match: Sequence[Turn]) -> None:
    """What one can harvest, the other could, for the same points."""
    for full in full_boards(match):
        board, standing, isolation = full.board, full.standing, full.scores[-1].isolation
        for owner in (1, 2):
            paths = list(Walk(board, standing, owner).paths())
            assert paths == list(Walk(swapped(board), standing, 3 - owner).paths())
            for path in paths:
                mirrored = path_score(swapped(board), 3 - owner, path, isolation)
                assert path_score(board, owner, path, isolation) == mirrored


def regions_share_out_the_whole_board(match: Sequence[Turn]) -> None:
    """Every cell is in one region: 39 whole squares and the 40 quarters of ten Cross Zeros."""
    for full in full_boards(match):
        found = regions(full.board)
        cells = [cell for region in found for cell in region.cells]
        assert len(cells) == len(set(cells)) == 39 + 40
        pieces = [square for region in found for square in region.squares]
        assert sorted(pieces) == [s for s in range(AREA) if full.board[s] & 15]
        assert all((r.kind == BARE) == (not r.squares) for r in found)


def a_game_is_49_placements_and_ten_harvests_that_take_a_cross_each(match: Sequence[Turn]) -> None:
    """No match is longer than the sheet says, and only a stuck one is shorter."""
    for turn in match:
        if turn.position.is_placing or turn.step.position.game != turn.position.game:
            continue
        gone = turn.position.standing & ~turn.step.position.standing
        crosses = [s for s in squares_in(gone) if not turn.position.board[s] & 15]
        assert len(crosses) == 1
        assert turn.position.board[crosses[0]] >> 4 == turn.position.mover
        assert gone == set_of(read_path(turn.move))
    assert len(match) <= 2 * (PLACEMENTS + HARVESTS)
    assert (len(match) == 118) == all(s.stuck == 0 for s in match[-1].step.position.scores)


def the_facts_add_up_to_the_result(match: Sequence[Turn]) -> None:
    """Net = regions + isolation + harvests, and the total is both nets with the seats swapped."""
    nets = {1: 0, 2: 0}
    for turn in match:
        for fact in turn.step.facts:
            name, *fields = fact.split(" ")
            said = dict(field.split("=") for field in fields)
            if name == "phase_scored":
                nets[int(said["game"])] = int(said["regions"]) + int(said["isolation"])
            elif name == "harvested":
                gain = int(said["score"])
                nets[int(said["game"])] += gain if turn.position.mover == 1 else -gain
            elif name == "game_ended" and "stuck" not in turn.step.facts[0]:
                assert int(said["net"]) == nets[int(said["game"])]
    end = match[-1].step.position
    if not any(score.stuck for score in end.scores):
        sign = 1 if end.ruleset.first == "A" else -1
        outcome = rules.outcome(end)
        assert outcome is not None
        assert outcome.points["A"] == -outcome.points["B"] == sign * (nets[1] - nets[2])


def player_2_always_keeps_a_piece_with_triangles(match: Sequence[Turn]) -> None:
    """The reserve: one piece is left to player 2, never a Cross Zero, and none to player 1."""
    for full in full_boards(match):
        assert sum(full.left(1)) == 0
        assert sum(full.left(2)) == 1
        assert full.left(2)[0] == 0
        assert full.scores[-1].isolation in (1, 2, 3)


LAWS = (
    it_can_be_played_in_every_symmetry,
    exchanging_the_owners_turns_every_region_score,
    exchanging_the_owners_leaves_the_paths_as_they_are,
    regions_share_out_the_whole_board,
    a_game_is_49_placements_and_ten_harvests_that_take_a_cross_each,
    the_facts_add_up_to_the_result,
    player_2_always_keeps_a_piece_with_triangles,
)
SIGHTS = {
    "two whole games": lambda match: len(match) == 118,
    "a stuck player": lambda match: any(s.stuck for s in match[-1].step.position.scores),
    "a path over four squares": lambda match: any(turn.move.count("-") > 2 for turn in match),
}
