"""What a game is: three small protocols every game fulfils. Read this page first.

Positions are frozen values; moves, facts and positions are **texts** outside a game. The law
suite (``tests/contract/test_game_laws.py``) states each law below over every registered game
and rules version. A game exposes ``rules.py`` (judges), ``notation.py`` (texts) and
``drawing.py`` (pictures), one whose sheet has a dry run also ``foretelling.py``; nothing else.
"""

from collections.abc import Mapping
from typing import Any, Protocol, TypeVar

import msgspec

from services.games.picture import Picture

Seat = str
"""A place in a match: ``"A"`` to ``"D"``, lettered in the order of joining."""

SEATS = ("A", "B", "C", "D")

Facts = tuple[str, ...]
"""What the rules did by themselves after a move (forced passes, draws), one text each."""

MOVES_LISTED_MAX = 5_000

R = TypeVar("R")
P = TypeVar("P")


class Deal(msgspec.Struct, frozen=True):
    """Play waits for chance: the ``number``-th use of it (1, 2, …: a round, a draw)."""

    number: int


class Over(msgspec.Struct, frozen=True):
    """Play has ended; ``Rules.outcome`` tells how."""


class Terms(msgspec.Struct, frozen=True):
    """What a ruleset asks of a match. ``plies_max`` is never exceeded in legal play."""

    seats: int
    plies_max: int
    hidden: bool = False
    chance: bool = False
    sealed_entries: bool = False


class Objection(msgspec.Struct, frozen=True):
    """Why a move (or entry) is refused: the rule sheet's reason code and a sentence."""

    code: str
    sentence: str


class Chance(Protocol):
    """The chance of one deal, handed in from outside (fair shuffle, or a test)."""

    def below(self, m: int) -> int:
        """A uniform number 0 <= n < m, 1 <= m <= 256."""
        ...

    def permutation(self, n: int) -> tuple[int, ...]:
        """A uniform permutation of 0..n-1 (1 <= n <= 256)."""
        ...


class Step(msgspec.Struct, frozen=True):
    """What a move or deal led to: the position, public facts, and private facts by seat."""

    position: Any
    facts: Facts = ()
    private: Mapping[Seat, Facts] = {}


class Moves(msgspec.Struct, frozen=True):
    """Legal moves in the game's own canonical order; ``truncated`` when a limit cut the list."""

    texts: tuple[str, ...]
    truncated: bool = False


class NextStep(msgspec.Struct, frozen=True):
    """A way to go on typing a move.

    ``text`` so far, whether it ``ends`` a legal move as it is, whether it is ``completable``.
    """

    text: str
    ends: bool
    completable: bool


class Outcome(msgspec.Struct, frozen=True):
    """How play stands at its end: points per seat, who won (several: shared), named parts.

    ``parts`` holds what the points are made of, e.g. ``{"blue": -8, "red": -15}``.
    """

    points: Mapping[Seat, int]
    winners: tuple[Seat, ...]
    parts: Mapping[str, int]


class BadText(ValueError):
    """A text (move, position, ruleset, record) that cannot be read; says what would be right."""


class Rules(Protocol):
    """The judge of one game at one rules version. Pure; deterministic; no randomness."""

    slug: str
    version: int

    def ruleset(self, data: Mapping[str, Any]) -> Any:
        """A checked ruleset from plain data; ``BadText`` on unknown keys or values."""
        ...

    def ruleset_data(self, ruleset: Any) -> dict[str, Any]:
        """The whole ruleset as plain data, every default written out: what the log keeps."""
        ...

    def terms(self, ruleset: Any) -> Terms:
        """What this ruleset asks of a match."""
        ...

    def entry_objection(self, ruleset: Any, seat: Seat, text: str) -> Objection | None:
        """Why a seat's entry (a deck) is refused; None where it is right."""
        ...

    def setup(self, ruleset: Any, entries: Mapping[Seat, str] = {}) -> Any:
        """The first position."""
        ...

    def awaiting(self, position: Any) -> Seat | Deal | Over:
        """Whose move it is, or that chance is due, or that play is over."""
        ...

    def deal(self, position: Any, chance: Chance | None, recorded: Facts | None = None) -> Step:
        """The only place where chance enters.

        Public facts tell what everybody saw of it, private facts what a seat saw. Without
        ``chance`` the ``recorded`` facts give the public position: hidden things stay blank.
        """
        ...

    def moves(self, position: Any, limit: int = MOVES_LISTED_MAX) -> Moves:
        """The legal moves of the awaited seat, at most ``limit``."""
        ...

    def steps(self, position: Any, prefix: str) -> tuple[NextStep, ...]:
        """How a move that begins with ``prefix`` can go on; for typing and clicking."""
        ...

    def objection(self, position: Any, move: str) -> Objection | None:
        """None when the awaited seat may play this text now. Never raises on any text."""
        ...

    def apply(self, position: Any, move: str, recorded: Facts | None = None) -> Step:
        """The position after a move that has no objection.

        With ``recorded`` facts the consequences are taken from them instead of being derived:
        folding is then cheap, and possible in a position with blanks (the public one). Without,
        they are derived: auditing compares the two.
        """
        ...

    def withdraw(self, position: Any, seat: Seat, recorded: Facts | None = None) -> Step:
        """The position after a seat resigned or timed out, as the rule sheet says."""
        ...

    def outcome(self, position: Any) -> Outcome | None:
        """None until ``awaiting`` is ``Over``."""
        ...

    def standing(self, position: Any) -> Outcome:
        """Points as they stand now, in any position (``winners``: who leads)."""
        ...

    def view(self, position: Any, seat: Seat | None) -> Any:
        """What a seat (None: anybody) may see; the identity where nothing is hidden."""
        ...

    def imagine(self, view: Any, chance: Chance) -> Any:
        """A full position that fits a view."""
        ...

    def census(self, position: Any) -> Mapping[str, int]:
        """Counts that never change in a match: conservation of material."""
        ...


class Notation(Protocol):
    """Texts of one game, both ways."""

    def canonical(self, position: Any, move: str) -> str:
        """The one spelling of a move the log keeps; ``BadText`` if it cannot be read."""
        ...

    def format_position(self, position: Any) -> str:
        """One line, complete: two positions are equal exactly when their texts are."""
        ...

    def parse_position(self, text: str) -> Any:
        """The position of a text; ``BadText`` says what cannot be read."""
        ...


class Drawing(Protocol):
    """Pictures of views: one description, drawn as SVG or by others."""

    def picture(self, view: Any, seat: Seat | None) -> Picture:
        """The board as ``seat`` (None: anybody) sees it."""
        ...

    def text(self, view: Any, seat: Seat | None) -> str:
        """The board in plain characters, readable aloud and without colour."""
        ...


class Foretold(msgspec.Struct, frozen=True):
    """What a move would lead to, told while somebody only points at it (a dry run).

    ``marks`` are what the sheet calls them, each with texts that begin with the name of a spot;
    ``sentence`` says the same aloud, and ``picture`` is the board as it stands with all of it
    marked, never by colour alone.
    """

    marks: Mapping[str, tuple[str, ...]]
    sentence: str
    picture: Picture


class Foretelling(Protocol):
    """Dry runs, for a game whose sheet has them; nothing is hidden in it."""

    def foretell(self, view: Any, move: str, seat: Seat | None) -> Foretold:
        """What a move that has no objection would lead to; ``seat`` is who looks."""
        ...


class Game(msgspec.Struct, frozen=True):
    """A game at one rules version: its three faces together, and dry runs if it has them."""

    title: str
    rules: Rules
    notation: Notation
    drawing: Drawing
    foretelling: Foretelling | None = None
