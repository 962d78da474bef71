"""What can be asked of a match. A command is who wants what; it is never stored.

Every command comes through one door (``handler.handle``), whoever sends it: page, bot, mail,
worker. Texts are bounded here, at the edge; the rules judge the rest.
"""

from typing import Annotated, Any, Literal

import msgspec

from events.event_kinds import Thought

MOVE_CHARS_MAX = 512
LEVEL_MAX = 99
"""A game's own levels end at 8; further ones are an operator's."""

MoveText = Annotated[str, msgspec.Meta(min_length=1, max_length=MOVE_CHARS_MAX)]
Turn = Annotated[int, msgspec.Meta(ge=0, le=1_000_000)]
Level = Annotated[int, msgspec.Meta(ge=1, le=LEVEL_MAX)]
EntryText = Annotated[str, msgspec.Meta(min_length=1, max_length=MOVE_CHARS_MAX)]
EntropyHex = Annotated[str, msgspec.Meta(pattern=r"\A([0-9a-f]{2}){0,64}\Z")]
Commit = Annotated[str, msgspec.Meta(pattern=r"\A[0-9a-f]{64}\Z")]
MoveSeconds = Annotated[int, msgspec.Meta(ge=0, le=90 * 86_400)]
OfferKind = Literal["draw", "takeback", "abandon"]
Visibility = Literal["public", "link", "private"]
# The length too: "$" lets a newline pass.
SeatName = Annotated[str, msgspec.Meta(pattern="^[A-D]$", max_length=1)]


class Command(msgspec.Struct, frozen=True, tag_field="do", forbid_unknown_fields=True):
    """The base of every command; the tag is part of its fingerprint."""


class CreateMatch(Command, frozen=True, tag="create"):
    """Open a match of a game under a ruleset (variant and options)."""

    game: str
    ruleset: dict[str, Any] = {}
    visibility: Visibility = "link"
    rated: bool = False
    per_move_s: MoveSeconds = 0


class ImportMatch(Command, frozen=True, tag="import"):
    """Write a whole judged record as one match (``services/formats``).

    ``deals`` are the opened keys (hex) of all uses of chance, in order.
    """

    game: str
    ruleset: dict[str, Any]
    moves: tuple[str, ...]
    start: str = ""
    deals: tuple[Commit, ...] = ()


class TakeSeat(Command, frozen=True, tag="take-seat"):
    """Give a seat (the first free one if none is named) to a player, or to a computer level.

    An ``adaptive`` computer begins at the level and then follows the host's results.
    """

    seat: SeatName | None = None
    player: str = ""
    level: int = 0
    adaptive: bool = False


class LeaveSeat(Command, frozen=True, tag="leave-seat"):
    """Free a seat before the start."""

    seat: SeatName


class GiveEntropy(Command, frozen=True, tag="entropy"):
    """A person's share of the chance (hex, 0 to 64 bytes; empty: none), quoting the commitment."""

    seat: SeatName
    entropy: EntropyHex
    seed_commit: Commit


class SealEntry(Command, frozen=True, tag="entry"):
    """Hand in an entry (a deck) that stays unseen until the match starts."""

    seat: SeatName
    text: EntryText


class StartMatch(Command, frozen=True, tag="start"):
    """Begin play: every seat is taken, entropy and entries are in where the game asks for them.

    ``levels`` are those of the adaptive computers by seat; the door fills them in.
    """

    levels: dict[SeatName, Level] = {}


class PlayMove(Command, frozen=True, tag="play"):
    """Play a move text for a seat, looking at the position after ``expected_turn`` turns."""

    seat: SeatName
    move: MoveText
    expected_turn: Turn
    thought: Thought | None = None


class Resign(Command, frozen=True, tag="resign"):
    """Give up a seat."""

    seat: SeatName


class CallTime(Command, frozen=True, tag="call-time"):
    """Say that a seat's time is over; true only past its deadline and grace."""

    seat: SeatName


class MakeOffer(Command, frozen=True, tag="offer"):
    """Propose ``draw``, ``takeback`` or ``abandon``.

    A takeback names the turn to return to, or nothing: to before the seat's own last move.
    """

    offer: OfferKind
    seat: SeatName
    to_turn: Turn | None = None


class AnswerOffer(Command, frozen=True, tag="answer"):
    """Agree to or decline the open offer of that kind."""

    offer: OfferKind
    seat: SeatName
    yes: bool


class CancelMatch(Command, frozen=True, tag="cancel"):
    """Call off a match that has not started."""


class CountMatch(Command, frozen=True, tag="count"):
    """Say that the stream that waited for the result (a run's, the host's) has recorded it."""


MatchCommand = (
    CreateMatch
    | ImportMatch
    | TakeSeat
    | LeaveSeat
    | GiveEntropy
    | SealEntry
    | StartMatch
    | PlayMove
    | Resign
    | CallTime
    | MakeOffer
    | AnswerOffer
    | CancelMatch
    | CountMatch
)
