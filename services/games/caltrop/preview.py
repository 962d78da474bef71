"""The dry run of a turn for whoever points at a square (sheet §10): yellow, red, faded."""

import msgspec

from services.games.caltrop.board import NAMES, SQUARES, Board, as_it_lies
from services.games.caltrop.moves import read_move
from services.games.caltrop.position import Game, Position, turn_of
from services.games.caltrop.stones import PIA
from services.games.caltrop.turn import put
from services.games.contract import Facts

SIDE_NAMES = ("north", "east", "south", "west")


class Faded(msgspec.Struct, frozen=True):
    """Spikes that would be gone: how many, from which side of the stone as it lies before."""

    square: str
    side: str
    spikes: int


class Preview(msgspec.Struct, frozen=True):
    """What a move would lead to, the whole turn over.

    ``yellow`` are the stones that would turn to the mover, ``red`` those that would turn to
    the other (the new one if it ends lost), ``events`` the turn step by step.
    """

    yellow: tuple[str, ...]
    red: tuple[str, ...]
    faded: tuple[Faded, ...]
    events: Facts


def preview(position: Position, move: str) -> Preview:
    """The dry run of a move that has no objection; the position is left alone."""
    game = position.game
    slot, square = read_move(move)
    before, turned = _put_down(game, slot, square), turn_of(game, slot, square)
    changed = [s for s in range(SQUARES) if before.owners[s] != turned.board.owners[s]]
    return Preview(
        yellow=tuple(NAMES[s] for s in changed if turned.board.owners[s] == game.next),
        red=tuple(NAMES[s] for s in changed if turned.board.owners[s] != game.next),
        faded=_faded(before, turned.board, turned.events),
        events=turned.events,
    )


def _put_down(game: Game, slot: int, square: int) -> Board:
    """The board with the new stone on it, before anything happens."""
    one = game.decks[game.next][slot]
    lying = as_it_lies(one.sides, game.next)
    return put(game.board, game.next, square, one.special, lying).turned().board


def _faded(before: Board, after: Board, events: Facts) -> tuple[Faded, ...]:
    return tuple(
        Faded(NAMES[square], name, lost)
        for square in range(SQUARES)
        for side, name in enumerate(SIDE_NAMES)
        if (
            lost := before.spikes[4 * square + side]
            - after.spikes[4 * square + (side + _quarters(before, square, events)) % 4]
        )
        > 0
    )


def _quarters(board: Board, square: int, events: Facts) -> int:
    """How far Pirouette Pia has turned: her sides are compared in her own frame."""
    if board.codes[square] != PIA:
        return 0
    return sum(event.startswith(f"T {NAMES[square]} ") for event in events)
