"""Caltrop in words, for the picture's description and the board of plain characters."""

from collections.abc import Iterator

from services.games.caltrop import rules
from services.games.caltrop.board import BLUE, COLOURS, NAMES, RED, SIDE, token
from services.games.caltrop.position import Game, Position, Result
from services.games.contract import Over, Seat

WIDTH = 12
"""Characters of a column: the longest stone and the mark of the last one fit."""


def viewer_of(position: Position, seat: Seat | None, number: int) -> int:
    """The colour from whose side the ``number``-th game (from 1) is seen; Blue's by default."""
    return BLUE if seat is None else position.colour_of(seat, number)


def who(position: Position, colour: int, number: int) -> str:
    """A colour and the seat that has it in the ``number``-th game: ``Blue (A)``."""
    return f"{COLOURS[colour].capitalize()} ({position.seat_of(colour, number)})"


def heading(position: Position) -> str:
    """What is played."""
    games = position.ruleset.games
    which = f", game {max(1, len(position.games))} of {games}" if games > 1 else ""
    return f"Caltrop {position.ruleset.form}{which}"


def sentences(position: Position) -> Iterator[str]:
    """What is to be seen, in words."""
    yield f"{heading(position)}."
    if not position.games:
        yield "Who places first is drawn first."
    else:
        yield from _present_game(position)
    yield _state_of_play(position)


def _present_game(position: Position) -> Iterator[str]:
    number, game = len(position.games), position.game
    if number > 1:
        result = rules.results(position)[0]
        yield f"Game 1: {result_words(position, result, 1)}."
    if game.moves:
        colour, stone, square = game.placed_by(len(game.moves) - 1)
        yield f"Last: {who(position, colour, number)} placed {stone.text} on {NAMES[square]}."
    stones = ", ".join(_on_board(game)) or "none"
    yield f"Stones on the board, spikes north, east, south, west: {stones}."
    for colour in (BLUE, RED):
        state = hand_state(position, colour)
        yield f"{who(position, colour, number)}: {state}; in hand: {_hand(game, colour)}."


def _on_board(game: Game) -> Iterator[str]:
    names = {square: stone.text for _, stone, square in map(game.placed_by, range(len(game.moves)))}
    for square in sorted(names):
        poison = " poisoned" * (game.board.poisoned >> square & 1)
        luck = " luck spent" * (game.board.spent >> square & 1)
        spikes = "".join(map(str, game.board.spikes[4 * square : 4 * square + 4]))
        colour = COLOURS[game.board.owners[square]]
        yield f"{NAMES[square]} {colour} {names[square]} {spikes}{luck}{poison}"


def hand_state(position: Position, colour: int) -> str:
    """A colour's points and ▲ number as they stand, and whether it is to place."""
    number, game = len(position.games), position.game
    due = rules.awaiting(position) == position.seat_of(colour, number) and game.next == colour
    points = game.board.points(colour)
    counted = f"{points} point{'s' * (points != 1)}"
    return f"{'to place, ' * due}{counted}, ▲ {game.board.spikes_left(colour)}"


def _hand(game: Game, colour: int) -> str:
    stones = (
        f"{slot + 1} {stone.text} {''.join(map(str, stone.sides))}"
        for slot, stone in enumerate(game.decks[colour])
        if game.left[colour] >> slot & 1
    )
    return ", ".join(stones) or "nothing"


def result_words(position: Position, result: Result, number: int) -> str:
    """How a game ended: ``Blue (A) won 9:7, ▲ 18:14, by points``."""
    points, spikes = (":".join(map(str, pair)) for pair in (result.points, result.spikes))
    reason = {"first": "having placed first"}.get(result.by, f"by {result.by}")
    return f"{who(position, result.winner, number)} won {points}, ▲ {spikes}, {reason}"


def _state_of_play(position: Position) -> str:
    awaited = rules.awaiting(position)
    if isinstance(awaited, Over):
        winners = rules.standing(position).winners
        left = f"seat {position.out} gave up; " if position.out else ""
        won = f"seat {winners[0]} won" if len(winners) == 1 else "the duel is drawn"
        return f"Play is over; {left}{won}."
    if isinstance(awaited, str):
        return f"To place: {who(position, position.game.next, len(position.games))}."
    return "Both wait for the draw."


def board_text(position: Position, seat: Seat | None) -> str:
    """The board in plain characters as a seat sees it, ``>`` before the last stone placed."""
    lines = [*sentences(position), ""]
    if position.games:
        lines[:0] = _board_lines(position.game, viewer_of(position, seat, len(position.games)))
    return "\n".join(lines)


def _board_lines(game: Game, viewer: int) -> list[str]:
    last = game.placed_by(len(game.moves) - 1)[2] if game.moves else -1
    across = range(SIDE) if viewer == BLUE else range(SIDE - 1, -1, -1)
    down = range(SIDE - 1, -1, -1) if viewer == BLUE else range(SIDE)
    columns = "  " + "".join(f"  {'abcd'[file]:{WIDTH - 2}}" for file in across).rstrip()
    lines = [columns]
    for rank in down:
        squares = (SIDE * rank + file for file in across)
        cells = (_cell(game, square, viewer, square == last) for square in squares)
        lines.append(f"{rank + 1} " + "".join(f"{cell:{WIDTH}}" for cell in cells).rstrip())
    key = "b blue, r red; spikes up, right, down, left; * poisoned, - luck spent, > last"
    return [*lines, columns, f"As {COLOURS[viewer].capitalize()} sees it: {key}"]


def _cell(game: Game, square: int, viewer: int, is_last: bool) -> str:
    text = token(game.board, square)
    if text == "-":
        return " ."
    if viewer == RED:
        text = f"{text[0]}{text[3:5]}{text[1:3]}{text[5:]}"
    return f"{'>' if is_last else ' '}{text}"
