"""A Blokus engine without search: it weighs each move by what the board looks like after it.

Points are thousandths of a five-square piece. Every legal move gets a first look: large pieces
first, towards the middle while the board is empty, onto the rivals' contact points, many new
contact points and few lost ones. The best ``budget`` moves get a second look, in which the guess
by contact points gives way to a measurement: how far each colour can still spread. ``noise`` is
how many points a worse move may seem better by; the seed decides.
"""

from collections.abc import Iterator

import msgspec

from services.games.blokus import notation, rules
from services.games.blokus.board import Board, Placement
from services.games.blokus.pieces import PIECES
from services.games.blokus.position import NOBODY, SHARED, Position
from workers.engines.contract import Answer, Question
from workers.engines.dice import Dice

NAME = "blokus-greedy"
VERSION = 1

SQUARE = 200
"""For each square of the piece: what cannot be placed at the end counts against us."""
OPENING_PIECES = 4
STEP_FROM_MIDDLE = 20
"""Against each half square between the piece and the middle, for a colour's first pieces."""
RIVAL_CONTACT = 60
"""For each contact point taken from a rival; against it if it is the partner's."""
CONTACT_GAINED = 30
CONTACT_LOST = 20
OWN_SPREAD = 5
OTHERS_SPREAD = 6
SPREAD_STEPS = 8
"""How many steps a colour is followed; a square counts once for each step it is early."""


def choose(question: Question) -> Answer:
    """The move for the seat to move, the same for the same question for ever."""
    position = notation.parse_position(question.view)
    if position.next == NOBODY or question.rules_version != rules.version:
        raise ValueError("nothing to choose here, or not by these rules")
    outlook, dice = _Outlook(position), Dice(question.seed)
    placements = _in_canonical_order(position)
    points = [outlook.first_look(p) + dice.below(question.noise + 1) for p in placements]
    # Sorting is stable: of equal moves the canonical order's first stands first.
    ranks = sorted(range(len(points)), key=points.__getitem__, reverse=True)
    if question.budget:
        del ranks[question.budget :]
        for rank in ranks:
            points[rank] += outlook.second_look(placements[rank])
    best = max(ranks, key=points.__getitem__)
    return Answer(placements[best].text, nodes=len(placements))


def _in_canonical_order(position: Position) -> list[Placement]:
    found = {p.number: p for p in rules.colour_placements(position, position.next)}
    return [found[number] for number in sorted(found)]


class _Other(msgspec.Struct, frozen=True):
    """Another colour before the move; ``side`` is 1 for a partner and -1 for a rival.

    ``free`` are the squares it may ever cover, ``region`` those it comes to in a few steps.
    """

    side: int
    contacts: int
    free: int
    region: int
    spread: int


class _Outlook:
    """One position as the seat to move sees it; sets of squares are integers."""

    def __init__(self, position: Position) -> None:
        self._board = position.board
        self._taken = rules.taken(position)
        self._own = position.covered[position.next]
        self._contacts = _contacts(self._board, self._own, self._taken)
        self._is_opening = len(position.placed[position.next]) < OPENING_PIECES
        # A shared colour scores for nobody: it is placed only to be in the others' way.
        self._is_ours = position.sheet.owners[position.next] != SHARED
        self._others = tuple(self._look_at_others(position))

    def first_look(self, placement: Placement) -> int:
        """The points of a move at a glance."""
        gained, lost = self._contacts_changed(placement.mask)
        return self._plain(placement) + CONTACT_GAINED * gained - CONTACT_LOST * lost

    def second_look(self, placement: Placement) -> int:
        """What to add to the first look: how far all colours spread, for the contact points."""
        mask, points = placement.mask, 0
        if self._is_ours:
            gained, lost = self._contacts_changed(mask)
            points += CONTACT_LOST * lost - CONTACT_GAINED * gained
            own, taken = self._own | mask, self._taken | mask
            free = self._board.full & ~taken & ~self._board.beside(own)
            spread, _ = _spread(self._board, self._board.diagonal(own) & free, free)
            points += OWN_SPREAD * spread
        for other in self._others:
            if mask & other.region:
                left = other.free & ~mask
                spread, _ = _spread(self._board, other.contacts & left, left)
                points += other.side * OTHERS_SPREAD * (spread - other.spread)
        return points

    def _plain(self, placement: Placement) -> int:
        points = SQUARE * PIECES[placement.piece].size
        if self._is_opening:
            points -= STEP_FROM_MIDDLE * min(map(self._from_middle, placement.squares))
        for other in self._others:
            points -= other.side * RIVAL_CONTACT * (placement.mask & other.contacts).bit_count()
        return points

    def _contacts_changed(self, mask: int) -> tuple[int, int]:
        """How many contact points the moving colour gains and loses."""
        if not self._is_ours:
            return 0, 0
        barred = self._taken | mask | self._board.beside(self._own | mask)
        gained = self._board.diagonal(mask) & ~barred & ~self._contacts
        return gained.bit_count(), (self._contacts & barred).bit_count()

    def _from_middle(self, square: int) -> int:
        row, column = divmod(square, self._board.size)
        middle = self._board.size - 1
        return abs(2 * row - middle) + abs(2 * column - middle)

    def _look_at_others(self, position: Position) -> Iterator[_Other]:
        board, owners = self._board, position.sheet.owners
        seat = position.seat_of(position.next)
        for colour, covered in enumerate(position.covered):
            is_done = position.done >> colour & 1
            if covered and not is_done and colour != position.next and owners[colour] != SHARED:
                contacts = _contacts(board, covered, self._taken)
                free = board.full & ~self._taken & ~board.beside(covered)
                spread, region = _spread(board, contacts, free)
                yield _Other(1 if owners[colour] == seat else -1, contacts, free, region, spread)


def _contacts(board: Board, own: int, taken: int) -> int:
    """The free squares where a colour's next piece can touch: its contact points."""
    return board.diagonal(own) & ~taken & ~board.beside(own)


def _spread(board: Board, start: int, free: int) -> tuple[int, int]:
    """How far a colour can spread over ``free`` squares: a score, and the squares it reaches."""
    score, region = 0, start
    for _ in range(SPREAD_STEPS):
        score += region.bit_count()
        region |= (board.beside(region) | board.diagonal(region)) & free
    return score, region
