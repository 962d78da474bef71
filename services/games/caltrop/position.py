"""What a match of Caltrop is made of: rulesets, games, and positions as frozen values.

A match is one game or two. Seat A has the blue stones in the first game, seat B in the second;
Blue's deck is that of whoever plays Blue.
"""

import msgspec

from services.games.caltrop.board import BLUE, EMPTY_BOARD, RED, SQUARES, Board, as_it_lies
from services.games.caltrop.decks import SLOTS, Deck
from services.games.caltrop.moves import MOVES
from services.games.caltrop.stones import Stone
from services.games.caltrop.turn import Turned, play
from services.games.contract import Seat

FORMS = ("classic", "budget", "run")
SEAT_NAMES: tuple[Seat, Seat] = ("A", "B")
UNDRAWN = -1
"""Who places first is to be drawn."""

ALL_SLOTS = (1 << SLOTS) - 1


class Ruleset(msgspec.Struct, frozen=True):
    """How a match is played (sheet §8).

    ``games`` is 1 or 2. Only the form ``run`` has the decks and the first placer in it; in
    the others the decks come with the form or are entered, and ``first`` is Blue where two
    games are played, and to be drawn where one is.
    """

    form: str
    games: int
    blue: Deck = ()
    red: Deck = ()
    first: int = BLUE


class Game(msgspec.Struct, frozen=True):
    """One game as it stands; pairs go by colour, Blue's first.

    ``moves`` are the moves in turn order, ``left`` the slots still in hand, as sets.
    """

    decks: tuple[Deck, Deck]
    first: int
    board: Board = EMPTY_BOARD
    moves: tuple[str, ...] = ()
    left: tuple[int, int] = (ALL_SLOTS, ALL_SLOTS)

    @property
    def next(self) -> int:
        """The colour whose turn it is, as long as the game is not over."""
        return self.first ^ (len(self.moves) & 1)

    @property
    def is_over(self) -> bool:
        """Whether the board is full."""
        return len(self.moves) == SQUARES

    def placed_by(self, number: int) -> tuple[int, Stone, int]:
        """Colour, stone and square of the ``number``-th move (from 0)."""
        colour = self.first ^ (number & 1)
        slot, square = MOVES[self.moves[number]]
        return colour, self.decks[colour][slot], square


class Position(msgspec.Struct, frozen=True):
    """A whole match: ``decks`` by seat, ``games`` in order, the last one is being played.

    There is no game yet while the first placer is to be drawn. ``out`` is the seat that gave
    up, if one did.
    """

    ruleset: Ruleset
    decks: tuple[Deck, Deck]
    games: tuple[Game, ...] = ()
    out: Seat = ""

    @property
    def game(self) -> Game:
        """The game that is played, or was played last; there has to be one."""
        return self.games[-1]

    def colour_of(self, seat: Seat, number: int) -> int:
        """The colour a seat has in the ``number``-th game (from 1)."""
        return SEAT_NAMES.index(seat) ^ (1 - number % 2)

    def seat_of(self, colour: int, number: int) -> Seat:
        """The seat that has a colour in the ``number``-th game (from 1)."""
        return SEAT_NAMES[colour ^ (1 - number % 2)]


def new_game(position: Position, first: int) -> Position:
    """The position with one more game, its board empty."""
    a, b = position.decks
    decks = (b, a) if len(position.games) % 2 else (a, b)
    return Position(
        position.ruleset, position.decks, (*position.games, Game(decks, first)), position.out
    )


def turn_of(game: Game, slot: int, square: int) -> Turned:
    """What comes of placing the stone in this slot there: the whole turn (§4)."""
    colour = game.next
    one = game.decks[colour][slot]
    return play(game.board, colour, square, one.special, as_it_lies(one.sides, colour))


def after_turn(game: Game, move: str, slot: int, board: Board) -> Game:
    """The game with a move more, which led to this board."""
    blue, red = game.left
    left = (blue & ~(1 << slot), red) if game.next == BLUE else (blue, red & ~(1 << slot))
    return Game(game.decks, game.first, board, (*game.moves, move), left)


# Results (§5, §8)


class Result(msgspec.Struct, frozen=True):
    """How a game stands: pairs go by colour; ``by`` says which of the rules decides."""

    winner: int
    points: tuple[int, int]
    spikes: tuple[int, int]
    by: str


def result_of(board: Board, first: int) -> Result:
    """More points win; level, more spikes left; level again, whoever placed first (§5)."""
    points = (board.points(BLUE), board.points(RED))
    spikes = (board.spikes_left(BLUE), board.spikes_left(RED))
    winner, by = decided(points, spikes, first)
    return Result(winner, points, spikes, by)


def decided(points: tuple[int, int], spikes: tuple[int, int], first: int) -> tuple[int, str]:
    """The winning colour, and what decides: ``points``, ``spikes`` or ``first``.

    >>> decided((8, 8), (1, 2), BLUE)
    (1, 'spikes')
    """
    for numbers, by in ((points, "points"), (spikes, "spikes")):
        if numbers[BLUE] != numbers[RED]:
            return (BLUE if numbers[BLUE] > numbers[RED] else RED), by
    return first, "first"
