"""Hedgerow as text: one spelling a move, one line a position, and nothing else is read."""

import json
from pathlib import Path
from typing import Any

import pytest

from services.games.contract import BadText
from services.games.hedgerow import notation, rules
from services.games.hedgerow.position import Position

VECTORS = Path(__file__).parent / "vectors" / "hedgerow_vectors.json"
DOCUMENT: dict[str, Any] = json.loads(VECTORS.read_text(encoding="utf-8"))
GAME = DOCUMENT["games"][0]
STUCK = next(case for case in DOCUMENT["cases"] if case["id"] == "s07")["moves"]


def after(*moves: str, **options: str) -> Position:
    """The position after these moves."""
    position = rules.setup(rules.ruleset(options))
    for move in moves:
        position = rules.apply(position, move).position
    return position


PATHS = [turn["path"] for turn in GAME["harvests"]]
EARLY = notation.format_position(after("SW@d4", "NEW@d6", "NEW@e5"))
LATE = notation.format_position(after(*GAME["placements"], *PATHS[:3]))
SECOND = notation.format_position(after(*GAME["placements"], *PATHS))
LOST = notation.format_position(after(*STUCK))
COST = notation.format_position(after(*STUCK, *STUCK, stuck_loss="game"))
GIVEN_UP = notation.format_position(rules.withdraw(after("SW@d4"), "A").position)


def test_a_line_shows_the_board_as_the_sheet_draws_it() -> None:
    """Rank 7 first; what is harvested stands in small letters."""
    assert EARLY == (
        "hedgerow boundary_edges=allowed cross_presence=no stuck_loss=match first=A "
        "board=.,.,.,.,.,.,./.,.,.,2NEW,.,.,./.,.,.,.,1NEW,.,./.,.,.,1SW,.,.,./"
        ".,.,.,.,.,.,./.,.,.,.,.,.,./.,.,.,.,.,.,. "
        "game1=+0,+0,+0 game2=- over=no loser=- last=NEW@e5"
    )
    assert "board=1ESW,2e,2nes,2E,2NE,1x,2NW/" in LATE


@pytest.mark.parametrize("line", [EARLY, LATE, SECOND, LOST, COST, GIVEN_UP])
def test_every_kind_of_position_reads_back(line: str) -> None:
    """Placing, harvesting, between the games, stuck, given up."""
    assert notation.format_position(notation.parse_position(line)) == line


def test_a_token_is_kept_in_the_order_of_the_compass() -> None:
    """Sheet §3: any order on input."""
    position = rules.setup(rules.ruleset({}))
    assert notation.canonical(position, "WEN@b3") == "NEW@b3"
    assert notation.canonical(position, "c3-c6-b5") == "c3-c6-b5"
    for text in ("", "NEN@b3", "ne@b3", "c3-", "b3@NE", "NE@h1", "a8"):
        with pytest.raises(BadText):
            notation.canonical(position, text)


@pytest.mark.parametrize(
    ("line", "old", "new", "said"),
    [
        (EARLY, "hedgerow", "blokus", "is hedgerow, then"),
        (EARLY, " over=no", "", "each once"),
        (EARLY, " over=no", " over=no over=no", "is spelled"),
        (EARLY, "over=no", "over=maybe", "over is yes or no"),
        (EARLY, "loser=-", "loser=C", "over is yes or no"),
        (EARLY, "allowed", "open", "boundary_edges is allowed or forbidden"),
        (EARLY, "first=A", "first=C", "first is A or B"),
        (EARLY, "1SW", "1WS", "is no piece"),
        (EARLY, "1SW", "3SW", "is no piece"),
        (LATE, "2e,", "2w,", "two solid edges"),
        (EARLY, "1SW", "1S", "Corner Two of player 1 on d4"),
        (EARLY, "1SW", "2SW", "place in turn"),
        (EARLY, "2NEW", "2new", "Nothing is harvested before"),
        (EARLY, ".,.,.,.,.,.,./", ".,.,.,.,.,./", "seven rows"),
        (EARLY, "2NEW", ".", "place in turn"),
        (EARLY, "game1=+0,+0,+0", "game1=-", "Game 1 has begun"),
        (EARLY, "game1=+0,+0,+0", "game1=0,0,0", "A game's score is like"),
        (EARLY, "game1=+0,+0,+0", "game1=+1,+0,+0", r"scores \+0"),
        (EARLY, "game1=+0,+0,+0", "game1=+0,+0,+1", "Nothing is harvested yet"),
        (EARLY, "game1=+0,+0,+0", "game1=stuck2", "stuck exactly when"),
        (EARLY, "game2=-", "game2=+0,+0,+0", "Isolation Value of a finished game"),
        (EARLY, "over=no", "over=yes", "over exactly when a seat has lost"),
        (EARLY, "loser=-", "loser=A", "over exactly when a seat has lost"),
        (EARLY, "NEW@e5", "NEW@d6", "last is the last move"),
        (EARLY, "NEW@e5", "e5", "last is the last move"),
        (EARLY, "last=NEW@e5", "last=-", "last is the last move"),
        (EARLY, "board=.", "board=1X", "place in turn"),
        (LATE, "game1=+2", "game1=+3", r"scores \+2"),
        (LATE, f"last={PATHS[2]}", "last=-", "a harvest is the squares"),
        (LATE, f"last={PATHS[2]}", f"last={PATHS[1]}", "last is the last move"),
        (LATE, f"last={PATHS[2]}", "last=f3", "last is the last move"),
        (LATE, f"last={PATHS[2]}", "last=X@g2", "a harvest is the squares"),
        (LATE, "2X", "2x", "Each harvest takes one Cross Zero"),
        (SECOND, "game1=+2,+1", "game1=+2,+9", "Isolation Value of a finished game"),
        (SECOND, "game1=+2,+1,-1", "game1=stuck1", "A match ends with a stuck game"),
        (LOST, "loser=A", "loser=B", "its loser is the seat"),
        (LOST, "over=yes", "over=no", "The match is over"),
        (LOST, "stuck1", "+0,+0,+0", "stuck exactly when"),
        (LOST, "=match", "=game", "its loser is the seat"),
        (COST, "=game", "=match", "A match ends with a stuck game"),
        (GIVEN_UP, "over=yes", "over=no", "over exactly when a seat has lost"),
        (EARLY, EARLY, EARLY + " ", "each once"),
        (EARLY, EARLY, EARLY + "x" * 900, "at most"),
        (EARLY, EARLY, "", "is hedgerow, then"),
        (EARLY, "1SW", "1sW", "Nothing is harvested before"),
    ],
)
def test_a_line_that_is_not_whole_is_refused(line: str, old: str, new: str, said: str) -> None:
    """Each part is checked, and a position has exactly one spelling."""
    assert old in line
    with pytest.raises(BadText, match=said):
        notation.parse_position(line.replace(old, new, 1))


def test_more_than_five_of_a_type_are_refused() -> None:
    """The supply follows from the board, and has to be there."""
    board = "board=1X,1X,1X,1X,1X,1X,2N/2N,2N,2N,2N,2W,.,."
    line = EARLY.replace("board=.,.,.,.,.,.,./.,.,.,2NEW,.,.,.", board)
    with pytest.raises(BadText, match="has only 5 of each type"):
        notation.parse_position(line)


def test_the_reserve_holds_in_every_position() -> None:
    """Player 2 never has only Cross Zeros left."""
    placed = GAME["placements"]
    line = notation.format_position(after(*placed))
    with pytest.raises(BadText, match="not a Cross Zero"):
        notation.parse_position(line.replace("2X", "2E", 1))
