"""Hedgerow, rule by rule, where the law suite and the vectors say nothing: cites the sheet."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from services.games.contract import MOVES_LISTED_MAX, BadText
from services.games.hedgerow import placement, rules
from services.games.hedgerow.board import (
    AREA,
    BOUNDARY,
    EMPTY,
    SQUARES,
    Board,
    read_diagram,
    set_of,
)
from services.games.hedgerow.harvest import Walk, next_squares
from services.games.hedgerow.pieces import PER_TYPE
from services.games.hedgerow.position import Position
from services.games.hedgerow.regions import regions
from services.games.hedgerow.tokens import path_text

VECTORS = Path(__file__).parent / "vectors" / "hedgerow_vectors.json"
DOCUMENT: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))
CASES = {case["id"]: case for case in DOCUMENT["cases"]}
GAMES = {case["id"]: case for case in DOCUMENT["games"]}


def played(*moves: str, **options: str) -> Position:
    """The position after these moves."""
    position = rules.setup(rules.ruleset(options))
    for move in moves:
        assert rules.objection(position, move) is None, move
        position = rules.apply(position, move).position
    return position


def code(position: Position, move: str) -> str:
    """The reason code of a move, or ``ok``."""
    objection = rules.objection(position, move)
    return objection.code if objection else "ok"


def game_moves(case: dict[str, Any]) -> list[str]:
    """All moves of a complete game of the vectors."""
    return [*case["placements"], *(turn["path"] for turn in case["harvests"])]


@pytest.mark.parametrize(
    ("move", "reason"),
    [
        ("", "notation"),
        ("@", "notation"),
        ("n@d4", "notation"),
        ("NE@D4", "notation"),
        ("NE @d4", "notation"),
        ("NE@d4\n", "notation"),
        ("NE@d\u0664", "notation"),
        ("c3-", "notation"),
        ("c3-c6-", "notation"),
        ("c3,c6", "notation"),
        ("-".join(["a1"] * 50), "notation"),
        ("c3-c6", "phase"),
        ("X@a1", "opening"),
        ("EN@d4", "ok"),
    ],
)
def test_a_text_that_is_no_token_is_refused_before_the_phase(move: str, reason: str) -> None:
    """Reading comes first, then the phase."""
    assert code(played(), move) == reason


def test_the_seats_swap_between_the_games_and_first_names_who_begins() -> None:
    """Sheet §8, A16: A is player 1 in game 1 and player 2 in game 2, or the other way round."""
    for first, second in (("A", "B"), ("B", "A")):
        moves = game_moves(GAMES["sg1"])
        start = played(first=first)
        assert rules.awaiting(start) == first
        after = played(*moves, first=first)
        assert (after.game, rules.awaiting(after)) == (2, second)
        assert after.board == EMPTY
        sign = 1 if first == "A" else -1
        assert rules.standing(after).points["A"] == sign * GAMES["sg1"]["final_net_first"]


def test_player_2_begins_the_harvest() -> None:
    """Sheet §7: turns 2, 1, 2, 1, …; the last one is player 1's."""
    position = played(*GAMES["sg1"]["placements"])
    assert (position.turns, position.mover) == (49, 2)
    assert code(position, "X@a1") == "phase"


def test_two_games_make_a_match() -> None:
    """The total is game 1's net for its beginner, less game 2's."""
    end = played(*game_moves(GAMES["sg1"]), *game_moves(GAMES["sg2"]))
    outcome = rules.outcome(end)
    assert outcome is not None
    total = GAMES["sg1"]["final_net_first"] - GAMES["sg2"]["final_net_first"]
    assert outcome.points == {"A": total, "B": -total}
    assert outcome.parts["game 1 net"] == GAMES["sg1"]["final_net_first"]
    assert outcome.parts["game 2 regions"] == GAMES["sg2"]["regions_net_first"]
    assert outcome.parts["game 2 isolation"] == GAMES["sg2"]["isolation_value"]
    assert outcome.parts["game 2 harvest"] == GAMES["sg2"]["harvest_net_first"]


def test_being_stuck_loses_the_match_at_once() -> None:
    """Sheet §4, rule 7: found right after the move before, as a fact of that move."""
    *before, last = CASES["s07"]["moves"]
    step = rules.apply(played(*before), last)
    assert step.facts == ("stuck game=1 seat=1", "match_ended winner=B total=+0")
    outcome = rules.outcome(step.position)
    assert outcome is not None
    assert outcome.winners == ("B",)
    assert outcome.parts["game 1 stuck"] == 1


def test_being_stuck_can_cost_the_game_alone() -> None:
    """Sheet §10, A5: the game's net is -30 when seat 1 is stuck, and the match goes on."""
    *before, last = CASES["s07"]["moves"]
    step = rules.apply(played(*before, stuck_loss="game"), last)
    assert step.facts == ("stuck game=1 seat=1", "game_ended game=1 net=-30")
    assert (step.position.game, rules.awaiting(step.position)) == (2, "B")
    assert rules.standing(step.position).points == {"A": -30, "B": 30}
    end = played(*before, last, *before, last, stuck_loss="game")
    assert end.over
    assert rules.standing(end).points == {"A": 0, "B": 0}
    assert rules.standing(end).winners == ("A", "B")


def test_the_boundary_can_be_closed_to_solid_sides() -> None:
    """Sheet §10, A2: a solid side on the boundary is then an overlap; 28 segments are concerned."""
    assert sum(sides.bit_count() for sides in BOUNDARY) == 28
    for move in CASES["s04"]["checks"]:
        assert code(played("NE@d4", boundary_edges="forbidden"), move["move"]) == "overlap"
    assert code(played("NE@d4", boundary_edges="forbidden"), "NE@a1") == "ok"


@pytest.mark.parametrize(
    ("pieces", "kind", "points"),
    [
        ({"d4": "1NES", "around": "2X"}, "mixed", 3),
        ({"d4": "1NES", "around": "1X"}, "single", 0),
        ({"d4": "1NES", "c4": "2E", "around": "2X"}, "isolated", -3),
    ],
)
def test_quarters_can_count_as_their_owner(pieces: dict[str, str], kind: str, points: int) -> None:
    """Sheet §10, A7: made mixed by a quarter, with the missing side 0; isolation unchanged."""
    names = [pieces["around"]] * AREA
    for square, name in pieces.items():
        if square in SQUARES:
            names[SQUARES[square]] = name
    rows = [" ".join(names[low : low + 7]) for low in range(42, -1, -7)]
    found = {region.name: region for region in regions(read_diagram(rows), "yes")}
    assert (found["d4"].kind, found["d4"].points) == (kind, points)


def test_a_running_score_takes_empty_squares_as_open_ground() -> None:
    """Sheet §5: an empty square is one cell of nobody; a closed piece is isolated already."""
    position = played("NE@d4", "NE@a1")
    found = {region.name: region for region in regions(position.board)}
    assert found["d4"].kind == "single"
    assert len(found["d4"].cells) == 48
    assert found["a1"].kind == "isolated"
    assert sum(len(region.cells) for region in found.values()) == AREA


def test_resigning_loses_the_match_whatever_the_points_say() -> None:
    """Sheet §9: ``ended`` names the loser; finished games keep their points."""
    after = played(*game_moves(GAMES["sg1"]))
    winner = rules.standing(after).winners[0]
    total = rules.standing(after).points["A"]
    step = rules.withdraw(after, winner)
    other = "B" if winner == "A" else "A"
    assert step.facts == (
        f"ended game=2 loser={winner}",
        f"match_ended winner={other} total={total:+d}",
    )
    outcome = rules.outcome(step.position)
    assert outcome is not None
    assert (outcome.points["A"], outcome.winners) == (total, (other,))
    for seat in ("A", "C"):
        with pytest.raises(ValueError, match="cannot leave"):
            rules.withdraw(step.position, seat)


def test_facts_that_do_not_follow_are_not_folded() -> None:
    """Recorded facts are taken as they are, but have to be the right ones for the move."""
    start = played(*GAMES["sg1"]["placements"][:-1])
    move = GAMES["sg1"]["placements"][-1]
    (fact,) = rules.apply(start, move).facts
    for recorded in ((), ("stuck game=1 seat=2",), (fact, fact), (fact + " x",), (fact.upper(),)):
        with pytest.raises(BadText):
            rules.apply(start, move, recorded)
    with pytest.raises(BadText):
        rules.apply(start, GAMES["sg1"]["placements"][-1], ("phase_scored game=1",))
    other = fact.replace("regions=+2", "regions=+9")
    assert rules.apply(start, move, (other,)).facts == (other,)


def test_placements_can_be_asked_for_by_square() -> None:
    """Sheet §13: the same list as a map from squares to glyphs."""
    position = played("NE@d4")
    by_square = placement.glyphs_by_square(position)
    tokens = {f"{glyph}@{square}" for square, glyphs in by_square.items() for glyph in glyphs}
    assert tokens == set(rules.moves(position).texts)
    assert placement.glyphs_by_square(played()) == {"d4": ("NE", "ES", "NW", "SW")}


@pytest.mark.parametrize("case", [c for c in CASES.values() if c["kind"] == "harvest"])
def test_steps_lead_along_legal_paths_and_nowhere_else(case: dict[str, Any]) -> None:
    """Every path of the vectors can be typed; a prefix that cannot be walked leads nowhere."""
    board = read_diagram(case["board"])
    position = replace(_harvesting(board), turns=49 + (2 - case["mover"]))
    assert position.mover == case["mover"]
    found, waiting = set(), [""]
    while waiting:
        for step in rules.steps(position, waiting.pop()):
            assert step.ends != step.completable
            if step.ends:
                found.add(step.text)
                assert rules.steps(position, step.text) == ()
            else:
                waiting.append(step.text)
    assert found == set(case["all_paths"]) == set(rules.moves(position).texts)
    for check in case["checks"]:
        if check.get("reason") not in (None, "not-finished-on-own-cross"):
            assert rules.steps(position, check["path"]) == ()


def _harvesting(board: Board) -> Position:
    standing = set_of(square for square in range(AREA) if board[square])
    return Position(rules.ruleset({}), board, standing, turns=49)


def test_paths_come_in_the_canonical_order_and_a_limit_cuts_them() -> None:
    """By the start's number, then by the next square's (sheet §13)."""
    position = _harvesting(read_diagram(CASES["s24"]["board"]))
    paths = list(Walk(position.board, position.standing, 2).paths())
    assert paths == sorted(paths)
    cut = rules.moves(position, limit=5)
    assert cut.truncated
    assert cut.texts == tuple(map(path_text, paths[:5]))
    assert not rules.moves(position, limit=len(paths)).truncated


RICH = (
    "2E 2ES 2SW 1ESW 2X 2NEW 1SW",
    "1E 2NW 2W 1ES 2NE 1NSW 1EW",
    "2NS 1NEW 2NSW 2ESW 2EW 1NW 1X",
    "1S 2X 2NSW 1NS 2NES 1NSW 1NE",
    "1NEW 1EW 2NS 1X 2X 1W 2NS",
    "2EW 1X 2NE 2X 1X 1S 1EW",
    "2W 2N 1SW 1NS 1X 2X 1N",
)
"""More than 20,000 paths for player 2; found by climbing."""

WICKED = (
    "2X 2ES 2EW 1ES 2E 2NS 1X",
    "1X 2X 1X 1NW 2S 1ESW 2ESW",
    "2NW 2X 1E 1SW 1NES 1ES 1NES",
    "2X 2NW 1EW 2NS 2NSW 2NS 2NSW",
    "2E 1W 2NE 1NS 2ESW 1EW 1EW",
    "1W 1X 1NS 2EW 1NES 2E 2NW",
    "2X 1X 1NW 2NSW 1N 1W 1ESW",
)
"""Millions of ways that end nowhere; found by climbing."""


def test_a_board_full_of_paths_is_listed_up_to_the_limit() -> None:
    """Sheet §12: boards can be built with half a million paths; nothing needs the full list."""
    position = _harvesting(read_diagram(RICH))
    listed = rules.moves(position)
    assert listed.truncated
    assert len(listed.texts) == MOVES_LISTED_MAX
    assert all(rules.objection(position, text) is None for text in listed.texts[::50])
    assert rules.steps(position, "")


def test_a_board_full_of_dead_ends_is_not_searched_for_ever() -> None:
    """Ways on which no end is found in a bounded search are left out, and the list says so."""
    position = _harvesting(read_diagram(WICKED))
    walk = Walk(position.board, position.standing, position.mover)
    assert {SQUARES[name] for name in ("a1", "a4", "b5", "b6", "a7")} <= set(walk.starts())
    assert walk.is_cut
    listed = rules.moves(position)
    assert listed.truncated
    assert len(listed.texts) < MOVES_LISTED_MAX
    assert {"a1", "a4", "b5", "b6", "a7"} <= set(listed.texts)
    for step in rules.steps(position, ""):
        assert step.completable == bool(rules.steps(position, step.text))


def test_a_corner_two_may_jump_one_piece_and_never_two() -> None:
    """Sheet §7, rule 4: the first or the second piece in line, on one diagonal."""
    board = read_diagram(
        [
            ". . . . . . 1X",
            ". . . . . 2N .",
            ". . . . 2S . .",
            ". . . 2E . . .",
            ". . 2W . . . .",
            ". 1NE . . . . .",
            ". . . . . . .",
        ]
    )
    standing = set_of(square for square in range(AREA) if board[square])
    assert next_squares(board, standing, SQUARES["b2"]) == [SQUARES["c3"], SQUARES["d4"]]


def test_the_supply_counts_five_of_each_type() -> None:
    """Sheet §3: the piece on d4 counts, whatever its orientation."""
    position = played("NE@d4")
    assert list(position.left(1)) == [5, 5, 5, 4, 5]
    assert list(position.left(2)) == [PER_TYPE] * 5
