"""Caltrop as text (sheet §10): moves, and the one line of a position.

A position line holds what the match is played with and, for each game, who placed first, the
moves, the board as the sheet writes it, the side to move and the slots left in both hands::

    caltrop form=classic games=2 A=Pn1,… B=Pn1,… out=- first=b moves=8d1 board=-,… next=r
    left=1234567/12345678

Board, next and left follow from the rest: reading plays the moves again and compares.
"""

from collections.abc import Iterator, Mapping, Sequence

from services.games.caltrop import rules
from services.games.caltrop.board import LETTERS, format_board
from services.games.caltrop.decks import SLOTS, deck_text
from services.games.caltrop.moves import MOVE_TEXTS, read_move
from services.games.caltrop.position import SEAT_NAMES, Game, Position, Ruleset
from services.games.contract import BadText, Deal

POSITION_CHARS_MAX = 2_000
NOTHING = "-"
_MATCH_FIELDS = ("form", "games", "A", "B", "out")
_GAME_FIELDS = ("first", "moves", "board", "next", "left")


def canonical(position: Position, move: str) -> str:  # noqa: ARG001 - spelled alike everywhere
    """The slot and the square in small letters, nothing behind them."""
    slot, square = read_move(move)
    return MOVE_TEXTS[slot][square]


def format_position(position: Position) -> str:
    """The position as one line; see the module's own words for its shape."""
    return " ".join(("caltrop", *_match_fields(position), *_games_fields(position)))


def _match_fields(position: Position) -> Iterator[str]:
    yield f"form={position.ruleset.form}"
    yield f"games={position.ruleset.games}"
    for seat, deck in zip(SEAT_NAMES, position.decks, strict=True):
        yield f"{seat}={deck_text(deck)}"
    yield f"out={position.out or NOTHING}"


def _games_fields(position: Position) -> Iterator[str]:
    for game in position.games:
        yield f"first={LETTERS[game.first]}"
        yield f"moves={','.join(game.moves) or NOTHING}"
        yield f"board={format_board(game.board)}"
        yield f"next={NOTHING if game.is_over else LETTERS[game.next]}"
        yield f"left={'/'.join(map(_slots, game.left))}"


def _slots(left: int) -> str:
    return "".join(str(slot + 1) for slot in range(SLOTS) if left >> slot & 1) or NOTHING


def state_text(game: Game) -> str:
    """A game as the sheet's full state: board, side to move, first placer, slots left (§10)."""
    left = " ".join(map(_slots, game.left))
    turn = NOTHING if game.is_over else LETTERS[game.next]
    return f"{format_board(game.board)} {turn} {LETTERS[game.first]} {left}"


def parse_position(text: str) -> Position:
    """The position of a line; it has to be spelled exactly as ``format_position`` spells it."""
    if len(text) > POSITION_CHARS_MAX:
        raise BadText(f"A position line has at most {POSITION_CHARS_MAX} characters.")
    head, *words = text.split(" ")
    fields = [word.partition("=")[::2] for word in words]
    match, games = fields[: len(_MATCH_FIELDS)], fields[len(_MATCH_FIELDS) :]
    by_game = [games[i : i + len(_GAME_FIELDS)] for i in range(0, len(games), len(_GAME_FIELDS))]
    named = [tuple(name for name, _ in part) for part in (match, *by_game)]
    if head != "caltrop" or named != [_MATCH_FIELDS, *(_GAME_FIELDS,) * len(by_game)]:
        raise BadText(
            f"A position line is caltrop with {', '.join(_MATCH_FIELDS)}, and for each game "
            f"{', '.join(_GAME_FIELDS)}."
        )
    position = _played(dict(match), [dict(part) for part in by_game])
    if format_position(position) != text:
        raise BadText(f"This position is spelled: {format_position(position)}")
    return position


def _played(match: Mapping[str, str], games: Sequence[Mapping[str, str]]) -> Position:
    """The position after all moves of the line, each judged."""
    decks = {seat: match[seat] for seat in SEAT_NAMES}
    position = rules.setup(_ruleset(match, games), decks)
    for number, game in enumerate(games, start=1):
        if isinstance(rules.awaiting(position), Deal):
            position = rules.deal(position, None, (f"first {game['first']}",)).position
        if len(position.games) != number:
            raise BadText("A game follows only when the one before it is over.")
        for move in () if game["moves"] == NOTHING else game["moves"].split(","):
            if wrong := rules.objection(position, move):
                raise BadText(f"{move[:8]}: {wrong.sentence}")
            position = rules.apply(position, move).position
    if match["out"] == NOTHING:
        return position
    try:
        left: Position = rules.withdraw(position, match["out"]).position
    except ValueError as error:
        raise BadText(f"{error}.") from None
    return left


def _ruleset(match: Mapping[str, str], games: Sequence[Mapping[str, str]]) -> Ruleset:
    form = match["form"]
    if form != "run":
        return rules.ruleset({"form": form, "games": {"1": 1, "2": 2}.get(match["games"])})
    first = games[0]["first"] if games else None
    return rules.ruleset({"form": form, "blue": match["A"], "red": match["B"], "first": first})
