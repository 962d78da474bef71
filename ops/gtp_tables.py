"""What a game looks like to programs that speak GTP: a table they place and ask at."""

from collections.abc import Mapping
from typing import Any, Protocol

from ops.gtp_protocol import GtpError
from services.games.contract import SEATS, BadText, Deal, Game, Over
from services.games.registry import game
from workers.engines.dice import Dice
from workers.engines.gtp_blokus import FreeBoard, colour_named

SIDES = {"b": 0, "black": 0, "w": 1, "white": 1}
"""How GTP names two sides; seats may also be named by their letters."""


class Table(Protocol):
    """A game in progress. Tables are values: a move gives a new one, and undo is the old one.

    ``position`` is that of the game's rules, with somebody to move or with play over.
    """

    @property
    def position(self) -> Any:
        """The position of the rules."""
        ...

    def play(self, side: str, move: str) -> "Table":
        """The table after a move; ``GtpError`` if the side may not make it."""
        ...

    def asked(self, side: str) -> Any | None:
        """The position to think about for a side; None if it has to pass."""
        ...

    def legal(self, side: str) -> tuple[str, ...]:
        """Its legal moves."""
        ...

    def score(self) -> str:
        """The result as it stands."""
        ...


class BlokusTable:
    """Blokus: any colour may place at any time."""

    def __init__(self, board: FreeBoard) -> None:
        self._board = board
        self.position = board.position

    def play(self, side: str, move: str) -> "BlokusTable":
        """The board with a piece more."""
        colour = self._colour(side)
        try:
            return BlokusTable(self._board.place(colour, move))
        except BadText as wrong:
            raise GtpError(f"illegal move: {wrong}") from None

    def asked(self, side: str) -> Any | None:
        """The position with this colour to place; None if it cannot any more."""
        return self._board.to_place(self._colour(side))

    def legal(self, side: str) -> tuple[str, ...]:
        """The placements of a colour."""
        return self._board.legal(self._colour(side))

    def score(self) -> str:
        """Two players: by how much one leads; more: the squares and bonus of each colour."""
        rules = game("blokus").rules
        if rules.terms(self.position.ruleset).seats > 2:  # noqa: PLR2004 - two sides
            return " ".join(map(str, self._board.points().values()))
        return lead(rules.standing(self.position).points)

    def _colour(self, name: str) -> int:
        try:
            return colour_named(self.position.ruleset, name)
        except BadText as wrong:
            raise GtpError(str(wrong)) from None


class TurnTable:
    """Any other open game: seats in turn, moves in the game's own notation.

    Chance, where a game has some, follows from the seed of the table: taken back and played
    again, it comes out the same.
    """

    def __init__(self, played: Game, position: Any, seed: int) -> None:
        self._game, self._seed = played, seed
        while isinstance(due := played.rules.awaiting(position), Deal):
            position = played.rules.deal(position, Dice(seed + due.number)).position
        self.position = position

    def play(self, side: str, move: str) -> "TurnTable":
        """The table after the move."""
        self._need_turn(side)
        rules = self._game.rules
        if wrong := rules.objection(self.position, move):
            raise GtpError(f"illegal move: {wrong.sentence}")
        return TurnTable(self._game, rules.apply(self.position, move).position, self._seed)

    def asked(self, side: str) -> Any | None:
        """The position; a seat that is to move has a move."""
        self._need_turn(side)
        return self.position

    def legal(self, side: str) -> tuple[str, ...]:
        """The legal moves of the seat to move; none for the others."""
        seat = self._seat(side)
        if seat != self._game.rules.awaiting(self.position):
            return ()
        return self._game.rules.moves(self.position).texts

    def score(self) -> str:
        """By how much one of the two leads."""
        return lead(self._game.rules.standing(self.position).points)

    def _seat(self, side: str) -> str:
        seat = SEATS[SIDES[side.lower()]] if side.lower() in SIDES else side.upper()
        if seat not in SEATS[:2]:
            raise GtpError(f"invalid color argument '{side}'")
        return seat

    def _need_turn(self, side: str) -> None:
        seat, awaited = self._seat(side), self._game.rules.awaiting(self.position)
        if isinstance(awaited, Over):
            raise GtpError("play is over")
        if seat != awaited:
            raise GtpError(f"it is the turn of {'bw'[SEATS.index(str(awaited))]}")


def lead(points: Mapping[str, int]) -> str:
    """The result of two as GTP writes it.

    >>> lead({"A": 3, "B": 10}), lead({"A": 0, "B": 0})
    ('W+7', '0')
    """
    ahead = points["A"] - points["B"]
    return f"{'B' if ahead > 0 else 'W'}+{abs(ahead)}" if ahead else "0"


def new_table(slug: str, options: Mapping[str, Any], seed: int) -> Table:
    """The table at the beginning; ``GtpError`` where GTP cannot serve the game."""
    played = game(slug)
    ruleset = played.rules.ruleset(options)
    terms = played.rules.terms(ruleset)
    if terms.hidden:
        raise GtpError(
            f"{played.title} cannot be played over GTP: a program is told every move and no hand, "
            "so it could know neither its own tiles nor what the others may hold"
        )
    if terms.sealed_entries:
        raise GtpError(f"this way to play {played.title} needs decks, which GTP cannot hand in")
    position = played.rules.setup(ruleset)
    if slug == "blokus":
        return BlokusTable(FreeBoard(position))
    return TurnTable(played, position, seed)
