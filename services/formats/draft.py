"""What a reader makes of one game in a file: a stranger's claim, not judged yet."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import msgspec

from services.formats.errors import FormatError
from services.games.contract import Seat
from services.match.state import MatchState


class Claimed(msgspec.Struct, frozen=True):
    """A move as the file has it: who is said to have made it, and in which node (from 1).

    ``who`` is the file's own word made plain (a colour in Blokus, a seat elsewhere).
    """

    node: int
    who: str
    move: str


class Result(msgspec.Struct, frozen=True):
    """What a file says about the end; checked against the rules, never believed.

    ``how`` is as in ``match.ended``; only for ``points`` do the winners follow from the board.
    """

    how: str
    points: Mapping[Seat, int]
    parts: Mapping[str, int]
    winners: tuple[Seat, ...]


class Notes(msgspec.Struct, frozen=True):
    """The personal part of a record: never in an event, kept where it can be erased.

    ``comments`` are by the number of moves played when they were written.
    """

    names: Mapping[Seat, str] = {}
    date: str = ""
    comments: Mapping[int, str] = {}

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to keep."""
        return not (self.names or self.date or self.comments)


class LeftOut(msgspec.Struct, frozen=True):
    """What a file holds beside the main line and a match does not: other lines of play."""

    lines: int = 0
    nodes: int = 0


class Draft(msgspec.Struct, frozen=True):
    """One game of a file, ready to be judged; ``start`` is a position text (empty: the usual).

    ``deals`` are the keys (hex) of all uses of chance, as the fair shuffle opens them.
    """

    game: str
    ruleset: Mapping[str, Any]
    start: str
    moves: tuple[Claimed, ...]
    notes: Notes = Notes()
    left_out: LeftOut = LeftOut()
    result: Result | None = None
    deals: tuple[str, ...] = ()


class Format(msgspec.Struct, frozen=True):
    """A way to write games down, both ways.

    ``game`` is the slug of the game it is for, ``place`` what its moves stand in (``node``,
    ``move``). ``read`` yields a draft, or what is wrong, for each game of a text, and raises
    ``FormatError`` if the text as a whole cannot be read. ``mover`` names who is to move in the
    words of ``Claimed.who`` (None: play is over). ``write`` tells a match; whether that can be
    read back is ``exporting``'s business.
    """

    name: str
    game: str
    place: str
    read: Callable[[str], Iterator[Draft | FormatError]]
    write: Callable[[MatchState, Notes], str]
    mover: Callable[[Any], str | None]
