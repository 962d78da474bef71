"""The harvest (sheet §7): paths over the pieces still standing, each to an own Cross Zero.

``standing`` is the set of squares with a piece; a path leaves each square empty behind it.
"""

from collections.abc import Iterator

from services.games.contract import Objection
from services.games.hedgerow.board import NAMES, RAYS, Board, set_of, squares_in
from services.games.hedgerow.pieces import CORNER, GLYPHS, TRIANGLES, TYPE_OF, piece
from services.games.hedgerow.tokens import Path


def next_squares(board: Board, standing: int, square: int) -> list[int]:
    """Where the piece on a square can go, lowest first (rule 4); none from a Cross Zero.

    ``standing`` is without the squares the path has left.
    """
    glyph = board[square] & 15
    found = []
    for ray, ascending in RAYS[glyph][square]:
        hit = standing & ray
        for _ in range(2 if TYPE_OF[glyph] == CORNER else 1):
            if hit:
                first = hit & -hit if ascending else 1 << hit.bit_length() - 1
                found.append(first.bit_length() - 1)
                hit ^= first
    found.sort()
    return found


def path_objection(board: Board, standing: int, owner: int, path: Path) -> Objection | None:
    """Why an owner may not harvest this path: the first reason in the sheet's order."""
    own_cross, opposing_cross = piece(owner, 0), piece(3 - owner, 0)
    square = path[0]
    if not standing >> square & 1:
        return Objection("start-empty", f"There is no piece on {NAMES[square]}.")
    if board[square] >> 4 != owner:
        return Objection("start-not-own", f"The piece on {NAMES[square]} is the other player's.")
    for beyond in path[1:]:
        if board[square] == own_cross:
            sentence = f"The own Cross Zero on {NAMES[square]} ends the path."
            return Objection("moves-from-cross", sentence)
        standing &= ~(1 << square)
        if beyond not in next_squares(board, standing, square):
            return Objection("no-such-step", _no_such_step(board, square, beyond))
        if board[beyond] == opposing_cross:
            sentence = f"{NAMES[beyond]} holds a Cross Zero of the other player."
            return Objection("opposing-cross", sentence)
        square = beyond
    if board[square] != own_cross:
        return Objection(
            "not-finished-on-own-cross",
            f"{NAMES[square]} holds no own Cross Zero; a path has to end on one.",
        )
    return None


def _no_such_step(board: Board, square: int, beyond: int) -> str:
    return f"{GLYPHS[board[square] & 15]} on {NAMES[square]} does not lead to {NAMES[beyond]}."


def path_score(board: Board, owner: int, path: Path, isolation: int) -> int:
    """The acting player's points of a path; a lone Cross Zero costs the Isolation Value."""
    if len(path) == 1:
        return -isolation
    own = opposing = 0
    for square in path:
        triangles = TRIANGLES[board[square] & 15]
        if board[square] >> 4 == owner:
            own += triangles
        else:
            opposing += triangles
    return own - opposing if opposing else 0


STATES_PER_WAY = 2_000
STATES_IN_ALL = 60_000
"""How many states are looked at for one way, and for all ways of a turn. In play a way takes
some dozens; boards can be built on which it takes millions."""


class Walk:
    """The ways of one turn. What is found out about a way to an own Cross Zero is kept.

    A state is the square a path has come to and the pieces standing when it has left it, so a
    way is looked at once, however many paths lead there. A way on which no end is found among
    ``STATES_PER_WAY`` states is left out, and ``is_cut`` says that some was.
    """

    def __init__(self, board: Board, standing: int, owner: int) -> None:
        self._board, self._standing, self._owner = board, standing, owner
        crosses = (
            set_of(s for s in squares_in(standing) if board[s] == piece(o, 0)) for o in (1, 2)
        )
        by_owner = dict(zip((1, 2), crosses, strict=True))
        self._own_crosses, self._dead_ends = by_owner[owner], by_owner[3 - owner]
        self._hopeful = self._leading_home()
        self._known: dict[tuple[int, int], bool] = {}
        self._states = self._states_max = 0
        self.is_cut = False

    def starts(self) -> list[int]:
        """The own pieces from which some legal path begins."""
        return [
            square
            for square in squares_in(self._standing)
            if self._board[square] >> 4 == self._owner
            and (self.ends(square) or self._goes_on(square, self._standing & ~(1 << square)))
        ]

    def ends(self, square: int) -> bool:
        """Whether a path is complete on this square."""
        return bool(self._own_crosses >> square & 1)

    def after(self, path: Path) -> list[int]:
        """The squares that can follow a path and lead on to a legal end."""
        if self.ends(path[-1]):
            return []
        return self._ways(path[-1], self._standing & ~set_of(path))

    def paths(self) -> Iterator[Path]:
        """Every legal path, depth first: by start, then by each next square."""
        for square in self.starts():
            yield from self._from((square,), self._standing & ~(1 << square))

    def _from(self, path: Path, standing: int) -> Iterator[Path]:
        if self.ends(path[-1]):
            yield path
            return
        for square in self._ways(path[-1], standing):
            yield from self._from((*path, square), standing & ~(1 << square))

    def _ways(self, square: int, standing: int) -> list[int]:
        return [
            beyond
            for beyond in next_squares(self._board, standing, square)
            if self.ends(beyond) or self._goes_on(beyond, standing & ~(1 << beyond))
        ]

    def _goes_on(self, square: int, standing: int) -> bool:
        """Whether some legal end lies beyond this square; stops at the first one found."""
        self._states_max = min(self._states + STATES_PER_WAY, STATES_IN_ALL)
        return self._search(square, standing)

    def _search(self, square: int, standing: int) -> bool:
        if not self._hopeful >> square & 1:
            return False
        state = (square, standing)
        if state in self._known:
            return self._known[state]
        if self._states >= self._states_max:
            self.is_cut = True
            return False
        self._states += 1
        found = any(
            self.ends(beyond) or self._search(beyond, standing & ~(1 << beyond))
            for beyond in next_squares(self._board, standing, square)
        )
        if found or self._states < self._states_max:
            self._known[state] = found
        return found

    def _leading_home(self) -> int:
        """The squares from which an own Cross Zero could be reached if anything may be jumped."""
        home, grown = 0, self._own_crosses
        while home != grown:
            home = grown
            for square in squares_in(self._standing & ~home):
                if any(ray & home for ray, _ in RAYS[self._board[square] & 15][square]):
                    grown |= 1 << square
        return home
