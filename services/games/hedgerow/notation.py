"""Hedgerow as text: tokens and pieces as in the sheet (§3, §9), a position is one line.

A position line names everything a position holds, e.g. (shortened)::

    hedgerow boundary_edges=allowed cross_presence=no stuck_loss=match first=A
    board=1ESW,2e,…/…/2EW,… game1=+6,+1,-4 game2=+3,+2,+0 over=no loser=- last=c3-c6-b5

The rows of the board stand from rank 7 down; a piece in small letters is harvested. A game's
numbers are regions, isolation and harvest, or ``stuck1`` and ``stuck2``; ``-`` is nothing. What
follows from the board (the supplies, whose turn it is) is not said again.
"""

import re
from collections.abc import Iterator

from services.games.contract import BadText
from services.games.hedgerow.board import AREA, SIZE, set_of
from services.games.hedgerow.pieces import (
    OWNERS,
    PER_TYPE,
    PIECE_NAMES,
    TYPE_OF,
    TYPES,
    piece,
    piece_name,
)
from services.games.hedgerow.position import (
    GAMES,
    OPTIONS,
    Position,
    Ruleset,
    Score,
    read_ruleset,
)
from services.games.hedgerow.soundness import check
from services.games.hedgerow.tokens import TOKENS, is_placement, read_path, read_placement

POSITION_CHARS_MAX = 700
"""More than any position needs: 49 pieces at five characters, a path, and the names."""

_SCORE = re.compile(r"([+-][0-9]{1,3}),([+-][0-9]{1,3}),([+-][0-9]{1,3})")
_FIELDS = (*OPTIONS, "board", "game1", "game2", "over", "loser", "last")


def canonical(position: Position, move: str) -> str:  # noqa: ARG001 - the same everywhere
    """The one spelling of a move: solid sides in the order N, E, S, W; paths have but one."""
    if not is_placement(move):
        read_path(move)
        return move
    square, glyph = read_placement(move)
    return TOKENS[square][glyph]


def format_position(position: Position) -> str:
    """The position as one line; see the module's own words for its shape."""
    return " ".join(("hedgerow", *_format_fields(position)))


def _format_fields(position: Position) -> Iterator[str]:
    for option in OPTIONS:
        yield f"{option}={getattr(position.ruleset, option)}"
    names = [square_text(position, square) for square in range(AREA)]
    rows = [",".join(names[low : low + SIZE]) for low in range(0, AREA, SIZE)]
    yield f"board={'/'.join(reversed(rows))}"
    scores = [*map(_score_text, position.scores), "-"]
    for game in range(GAMES):
        yield f"game{game + 1}={scores[game]}"
    yield f"over={'yes' if position.over else 'no'}"
    yield f"loser={position.loser or '-'}"
    yield f"last={position.last or '-'}"


def square_text(position: Position, square: int) -> str:
    """What is on a square: a piece, in small letters when it is harvested, or a dot."""
    code = position.board[square]
    if not code:
        return "."
    return piece_name(code) if position.standing >> square & 1 else piece_name(code).lower()


def _score_text(score: Score) -> str:
    if score.stuck:
        return f"stuck{score.stuck}"
    return f"{score.regions:+d},{score.isolation:+d},{score.harvest:+d}"


def parse_position(text: str) -> Position:
    """The position of a line; it has to be spelled exactly as ``format_position`` spells it."""
    if len(text) > POSITION_CHARS_MAX:
        raise BadText(f"A position line has at most {POSITION_CHARS_MAX} characters.")
    head, *rest = text.split(" ")
    fields = dict(field.partition("=")[::2] for field in rest)
    if head != "hedgerow" or tuple(fields) != _FIELDS:
        raise BadText(f"A position line is hedgerow, then {', '.join(_FIELDS)}, each once.")
    if fields["over"] not in ("yes", "no") or fields["loser"] not in ("A", "B", "-"):
        raise BadText("over is yes or no, and loser is A, B or - for nobody.")
    position = _with_board(fields, read_ruleset({option: fields[option] for option in OPTIONS}))
    check(position)
    if format_position(position) != text:
        raise BadText(f"This position is spelled: {format_position(position)}")
    return position


def _with_board(fields: dict[str, str], ruleset: Ruleset) -> Position:
    rows = [row.split(",") for row in fields["board"].split("/")]
    if [len(row) for row in rows] != [SIZE] * SIZE:
        raise BadText("The board has seven rows of seven squares, rank 7 first.")
    names = [name for row in reversed(rows) for name in row]
    board = bytes(_piece(name) for name in names)
    standing = set_of(square for square, name in enumerate(names) if name in PIECE_NAMES)
    gone = [o for o in OWNERS for s in range(AREA) if names[s] == f"{o}x"]
    return Position(
        ruleset=ruleset,
        board=board,
        standing=standing,
        supply=bytes(_left(board, owner, kind) for owner in OWNERS for kind in range(len(TYPES))),
        turns=AREA - board.count(0) + len(gone),
        scores=tuple(_scores(fields["game1"], fields["game2"])),
        over=fields["over"] == "yes",
        loser=fields["loser"].strip("-"),
        last="" if fields["last"] == "-" else fields["last"],
    )


def _piece(name: str) -> int:
    code = 0 if name == "." else PIECE_NAMES.get(name.upper())
    if code is None:
        raise BadText(f"{name[:8]!r} is no piece: an owner 1 or 2, then X or solid sides.")
    return code


def _left(board: bytes, owner: int, kind: int) -> int:
    placed = sum(board.count(piece(owner, g)) for g in range(15) if TYPE_OF[g] == kind)
    if placed > PER_TYPE:
        raise BadText(f"Player {owner} has only {PER_TYPE} of each type; {TYPES[kind]}: {placed}.")
    return PER_TYPE - placed


def _scores(*texts: str) -> Iterator[Score]:
    if texts[0] == "-":
        raise BadText("Game 1 has begun: it has a score.")
    for text in texts:
        if text in ("stuck1", "stuck2"):
            yield Score(stuck=int(text[-1]))
        elif numbers := _SCORE.fullmatch(text):
            yield Score(*map(int, numbers.groups()))
        elif text != "-":
            raise BadText("A game's score is like +6,+1,-4, or stuck1 or stuck2.")
