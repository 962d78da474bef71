"""What a reader makes of one game in a file: a stranger's claim, not judged yet."""

from collections.abc import Mapping

import msgspec

from services.games.contract import Seat


class Claimed(msgspec.Struct, frozen=True):
    """A move as the file has it: who is said to have made it, and in which node.

    ``who`` is the file's own word made plain (a colour in Blokus, a seat elsewhere).
    """

    node: int
    who: str
    move: str


class Notes(msgspec.Struct, frozen=True):
    """The personal part of a record: never in an event, kept where it can be erased.

    ``comments`` are by the number of moves played when they were written.
    """

    names: Mapping[Seat, str] = {}
    date: str = ""
    comments: Mapping[int, str] = {}

    def __bool__(self) -> bool:
        return bool(self.names or self.date or self.comments)


class LeftOut(msgspec.Struct, frozen=True):
    """What a file holds beside the main line and a match cannot: other lines of play."""

    lines: int = 0
    nodes: int = 0


class Draft(msgspec.Struct, frozen=True):
    """One game of a file, ready to be judged.

    ``start`` is a position text (empty: the usual start), ``result`` the file's claim about
    the end in the words of its format (empty: none).
    """

    game: str
    ruleset: Mapping[str, str]
    start: str
    moves: tuple[Claimed, ...]
    notes: Notes = Notes()
    left_out: LeftOut = LeftOut()
    result: str = ""
