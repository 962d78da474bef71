"""What Pentobi says of Blokus: ``plybook-legal-counts/1`` and ``plybook-final-scores/1``.

Pentobi starts in fixed corners, names three pieces otherwise, and counts squares placed where
we count squares left.
"""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from ops.vectors.blokus_play import by_piece, pieces_left, played
from ops.vectors.report import Case, Document, Verdict, differences, flat_differences, verdicts
from services.games.blokus import rules
from services.games.blokus.pieces import ALL_PIECES, PIECES, squares_in
from services.games.blokus.position import Position, Ruleset

COUNTS = "plybook-legal-counts/1"
SCORES = "plybook-final-scores/1"

_VARIANTS = {
    "Blokus": "classic",
    "Blokus Two-Player": "classic-2",
    "Blokus Three-Player": "classic-3",
    "Blokus Duo": "duo",
}
_PIECES = {"I1": "1", "I2": "2", "O4": "O"}


def run_counts(document: Document) -> Iterator[Verdict]:
    """Legal moves of a position: how many, of which pieces, and exactly which."""
    yield from verdicts(document["positions"], _counts)
    yield _complete(document, "positions")


def run_scores(document: Document) -> Iterator[Verdict]:
    """Whole games: points, pieces left, last pieces, and the engine's own final scores."""
    yield from verdicts(document["games"], _scores)
    yield _complete(document, "games")


def _complete(document: Document, items: str) -> Verdict:
    found = {"count": len(document[items])}
    wrong = differences({"count": document["count"]}, found) if "count" in document else ""
    return Verdict("whole file", not wrong, wrong)


def _counts(case: Case) -> str:
    position = _played(case["variant"], case["moves"])
    marks = _marks(position.sheet.colours)
    moves = {
        mark: rules.colour_moves(position, number) for number, mark in enumerate(marks.values())
    }
    to_move = sorted(moves[case["to_move"]])
    due = rules.colour_to_place(position)
    pieces = by_piece(position, to_move)
    found = {
        "legal_count": len(to_move),
        "legal_counts_all": {mark: len(texts) for mark, texts in moves.items()},
        "effective_to_play": None if due is None else marks[due],
        "game_over": due is None,
        "points": _points(position),
        "legal_by_piece": {_piece(number): count for number, count in pieces.items()},
        "legal_sha256": hashlib.sha256("\n".join(to_move).encode()).hexdigest(),
    }
    return flat_differences(case, ("variant", "moves", "to_move"), found)


def _scores(case: Case) -> str:
    scored: Mapping[str, str] = case["engine_final_score"]
    left = {mark: sorted(pieces) for mark, pieces in case["pieces_left"].items()}
    case = {**case, "pieces_left": left}
    for variant in scored:
        position = _played(variant, case["moves"])
        found = _ending(position) | {
            "engine_final_score": {**scored, variant: _final_score(position)}
        }
        wrong = flat_differences(case, ("moves",), found)
        if not wrong and rules.outcome(position) is None:
            wrong = "the game is not over"
        if wrong:
            return f"{variant}: {wrong}"
    return "" if scored else "names no variant to replay the game in"


def _ending(position: Position) -> dict[str, Any]:
    marks = _marks(position.sheet.colours)
    by_mask = position.board.by_mask
    left = pieces_left(position)
    return {
        "points": _points(position),
        "pieces_left": {marks[colour]: sorted(map(_piece, left[colour])) for colour in left},
        "last_piece": {
            mark: _piece(by_mask[placed[-1]].piece) if placed else None
            for mark, placed in zip(marks.values(), position.placed, strict=True)
        },
    }


def _played(variant: str, moves: list[tuple[str, str]]) -> Position:
    ruleset = _ruleset(variant)
    colours = {mark: colour for colour, mark in _marks(ruleset.sheet.colours).items()}
    return played(ruleset, [(colours[mark], move) for mark, move in moves])


def _ruleset(variant: str) -> Ruleset:
    if variant not in _VARIANTS:
        raise ValueError(f"unknown variant {variant!r}; known: {', '.join(_VARIANTS)}")
    return rules.ruleset({"variant": _VARIANTS[variant], "corners": "fixed"})


def _marks(colours: tuple[str, ...]) -> dict[str, str]:
    """Pentobi's mark of each of our colours."""
    marks = {2: "bw", 4: "1234"}[len(colours)]
    return dict(zip(colours, marks, strict=True))


def _piece(number: int) -> str:
    name = PIECES[number].name
    return _PIECES.get(name, name)


def _points(position: Position) -> dict[str, int]:
    """Squares placed and bonus, which is our score and 89."""
    marks = _marks(position.sheet.colours)
    parts = rules.standing(position).parts
    return {marks[colour]: score + squares_in(ALL_PIECES) for colour, score in parts.items()}


def _final_score(position: Position) -> str:
    """The engine's spelling: the lead of one of two players, or the points of each colour."""
    points = list(rules.standing(position).points.values())
    if len(points) > 2:  # noqa: PLR2004 - two players have a difference
        return " ".join(str(score) for score in _points(position).values())
    lead = points[0] - points[1]
    return f"{'B' if lead > 0 else 'W'}+{abs(lead)}" if lead else "0"
