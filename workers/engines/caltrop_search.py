"""Search in a game of Caltrop (rule sheet §9): full-width alpha-beta over whole turns.

Everything is exact whole numbers, and equal moves stay equal: the answer does not depend on the
order in which moves are tried, only the work does. Work is counted in positions.
"""

from collections.abc import Iterator

from services.games.caltrop.board import BLUE, EMPTY, RED, SQUARES, Board, as_it_lies
from services.games.caltrop.decks import SLOTS, Deck
from services.games.caltrop.moves import MOVE_TEXTS
from services.games.caltrop.position import Game
from services.games.caltrop.stones import PEARL, Sides
from services.games.caltrop.turn import play
from workers.engines.dice import Dice

POINT = 512
"""What a point weighs beside a spike (§9)."""
BEYOND = 1 << 30
"""More than any value."""

Move = tuple[int, int]
"""Slot and square, from 0."""

_Hands = tuple[int, int]
"""Slots still in hand, as sets, by colour."""


class OutOfBudget(Exception):
    """The positions that may be looked at are used up."""


def lead(board: Board) -> int:
    """Blue's points and spikes less Red's, weighed (§9)."""
    total, spikes = 0, board.spikes
    for square, owner in enumerate(board.owners):
        if owner != EMPTY:
            worth = POINT * (1 + (board.codes[square] == PEARL))
            worth += sum(spikes[4 * square : 4 * square + 4])
            total += worth if owner == BLUE else -worth
    return total


class Search:
    """A search from one position, for the colour to move there; ``nodes`` counts positions."""

    def __init__(self, game: Game, budget: int = BEYOND) -> None:
        self.nodes = 0
        self._game = game
        self._budget = budget
        self._stones = tuple(tuple(_stones(deck, colour)) for colour, deck in enumerate(game.decks))
        # Equal stones are one and the same move: the first slot in hand stands for them.
        self._twins = tuple(tuple(_twins(deck)) for deck in game.decks)
        self._refuting: dict[int, Move] = {}
        self._known: dict[tuple[Board, _Hands], tuple[int, int, int]] = {}
        self.empty = SQUARES - len(game.moves)

    def best(self, depth: int, order: list[Move]) -> tuple[list[Move], int]:
        """Every best move at this depth (placements, at least 1), and their value.

        ``order`` lists the moves to try, the likely best first; the answer is in its order.
        """
        game, mover = self._game, self._game.next
        best: list[Move] = []
        value = -BEYOND
        for move in order:
            board, left = self._placed(game.board, game.left, mover, move)
            # One below the best: what is equally good is told apart from what is worse.
            found = -self._value(board, left, 1 - mover, depth - 1, low=-BEYOND, high=1 - value)
            if found > value:
                best, value = [], found
            if found == value:
                best.append(move)
        return best, value

    def ordered(self) -> list[Move]:
        """Every different move, the best after one placement first, equals in canonical order."""
        game, mover = self._game, self._game.next

        def glance(move: Move) -> int:
            board, _ = self._placed(game.board, game.left, mover, move)
            return lead(board) if mover == RED else -lead(board)

        return sorted(self.moves(), key=glance)

    def moves(self) -> list[Move]:
        """Every different move, in canonical order."""
        return self._moves(self._game.board, self._game.left[self._game.next], self._game.next)

    def _value(
        self, board: Board, left: _Hands, mover: int, depth: int, *, low: int, high: int
    ) -> int:
        """The mover's value, exact between ``low`` and ``high``, a bound outside."""
        if depth == 0 or not left[mover]:
            own = lead(board) if mover == BLUE else -lead(board)
            return 2 * own + (1 if mover == self._game.first else -1)
        floor, ceiling = self._bounds(board, left, depth)
        if floor >= high or floor == ceiling:
            return floor
        if ceiling <= low:
            return ceiling
        best = -BEYOND
        for move in self._tried(board, left[mover], mover, depth):
            after, hands = self._placed(board, left, mover, move)
            reply = -max(low, best)
            found = -self._value(after, hands, 1 - mover, depth - 1, low=-high, high=reply)
            if found > best:
                best = found
                if best >= high:
                    self._refuting[depth] = move
                    break
        self._remember(board, left, depth, best, low=low, high=high)
        return best

    def _bounds(self, board: Board, left: _Hands, depth: int) -> tuple[int, int]:
        """What is known of a position searched before to the same depth."""
        known = self._known.get((board, left)) if depth > 1 else None
        if known is None or known[0] != depth:
            return -BEYOND, BEYOND
        return known[1], known[2]

    def _remember(
        self, board: Board, left: _Hands, depth: int, value: int, *, low: int, high: int
    ) -> None:
        if depth > 1:
            floor = -BEYOND if value <= low else value
            ceiling = BEYOND if value >= high else value
            self._known[board, left] = (depth, floor, ceiling)

    def _tried(self, board: Board, hand: int, mover: int, depth: int) -> Iterator[Move]:
        """The moves, first the one that refuted a neighbour of this position."""
        likely = self._refuting.get(depth)
        moves = self._moves(board, hand, mover)
        if likely in moves:
            yield likely
        for move in moves:
            if move != likely:
                yield move

    def _moves(self, board: Board, hand: int, mover: int) -> list[Move]:
        squares = [square for square, owner in enumerate(board.owners) if owner == EMPTY]
        return [
            (slot, square)
            for slot in range(SLOTS)
            if hand >> slot & 1 and not hand & self._twins[mover][slot]
            for square in squares
        ]

    def _placed(self, board: Board, left: _Hands, mover: int, move: Move) -> tuple[Board, _Hands]:
        self.nodes += 1
        if self.nodes > self._budget:
            raise OutOfBudget
        slot, square = move
        special, lying = self._stones[mover][slot]
        after = play(board, mover, square, special, lying).board
        hand = left[mover] & ~(1 << slot)
        return after, (hand, left[RED]) if mover == BLUE else (left[BLUE], hand)


def text_of(best: list[Move], seed: int) -> str:
    """One of the best moves, drawn in their canonical order."""
    slot, square = sorted(best)[Dice(seed).below(len(best))]
    return MOVE_TEXTS[slot][square]


def _stones(deck: Deck, colour: int) -> Iterator[tuple[str, Sides]]:
    for stone in deck:
        yield stone.special, as_it_lies(stone.sides, colour)


def _twins(deck: Deck) -> Iterator[int]:
    """For each slot, the slots before it with an equal stone, as a set."""
    for slot, stone in enumerate(deck):
        yield sum(1 << other for other in range(slot) if deck[other] == stone)
