"""The words on the wire: what is sent to us and what we answer. Unknown fields are refused."""

from typing import Annotated, Any, Literal

import msgspec

from services.match.commands import (
    Commit,
    EntropyHex,
    EntryText,
    Level,
    MoveSeconds,
    MoveText,
    OfferKind,
    SeatName,
    Turn,
    Visibility,
)
from services.match.views import MatchView, OfferView, SeatView

Slug = Annotated[str, msgspec.Meta(pattern="^[a-z][a-z0-9-]{0,31}$")]
InviteText = Annotated[str, msgspec.Meta(max_length=128)]


class Asked(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The base of everything sent to us."""


class NewPlayer(Asked, frozen=True):
    """Open an account."""

    name: Annotated[str, msgspec.Meta(max_length=256)]


class NewComputer(Asked, frozen=True, omit_defaults=True):
    """A seat for the computer at a level.

    An ``adaptive`` one follows your results against it: it begins at the level if you have not
    met in this game yet, and the start of the match fixes what it plays at.
    """

    level: Level
    adaptive: bool = False


class NewMatch(Asked, frozen=True):
    """Open a match. Seats not named stay open; it starts by itself when nothing is missing.

    A game with chance or entries waits for them (``waiting_for`` in its view): send them to
    ``/entropy`` and ``/entries``.
    """

    game: Slug
    ruleset: dict[str, Any] = {}
    visibility: Visibility = "link"
    rated: bool = False
    per_move_s: MoveSeconds = 0
    seats: dict[SeatName, Literal["me", "open"] | NewComputer] = {}


class SeatTake(Asked, frozen=True):
    """Take a seat, with an invitation if one is needed; the host may seat a computer instead."""

    invite: InviteText = ""
    level: Level | None = None
    adaptive: bool = False


class EntropyGift(Asked, frozen=True):
    """Your share of the chance: hex, 0 to 64 bytes (16 random ones are good; none: declined).

    Quote the match's ``seed_commit``: so it is plain that you chose after it.
    """

    entropy: EntropyHex
    seed_commit: Commit
    seat: SeatName | None = None


class Entry(Asked, frozen=True):
    """An entry (a deck); nobody sees it before all are in."""

    text: EntryText
    seat: SeatName | None = None


class MovePreview(Asked, frozen=True):
    """A move to try out; nothing is kept."""

    move: MoveText


class InviteAsk(Asked, frozen=True):
    """Invite somebody to a free seat."""

    seat: SeatName


class NewMove(Asked, frozen=True):
    """Play a move, seen at the position after ``expected_turn`` turns."""

    move: MoveText
    expected_turn: Turn
    seat: SeatName | None = None


class Resigning(Asked, frozen=True):
    """Give up a seat (needed only if you have several)."""

    seat: SeatName | None = None


class NewOffer(Asked, frozen=True):
    """Propose a draw, a takeback (to before your last move, or to ``to_turn``) or to abandon."""

    offer: OfferKind
    seat: SeatName | None = None
    to_turn: Turn | None = None


class OfferReply(Asked, frozen=True):
    """Agree to an offer or decline it."""

    yes: bool
    seat: SeatName | None = None


class TicketAsk(Asked, frozen=True):
    """Ask for a ticket to the live stream of one match."""

    match: Annotated[str, msgspec.Meta(max_length=32)]


class Account(msgspec.Struct, frozen=True):
    """A new account. The token is shown here and never again."""

    player: str
    name: str
    token: str


class Me(msgspec.Struct, frozen=True):
    """Who you are."""

    player: str
    name: str


class MatchAnswer(msgspec.Struct, frozen=True):
    """A match and where it stands. ``head`` is the hash (hex) of event ``version``: keep it.

    ``you`` lists your seats; ``names`` tells players' names, which are not part of the record.
    """

    match: str
    version: int
    turn: int
    head: str
    you: tuple[str, ...]
    names: dict[str, str]
    view: MatchView


UNREADABLE = "unreadable"
"""The status of a match in a list whose record is damaged or newer than the server."""


class MatchLine(msgspec.Struct, frozen=True):
    """A match in a list; ``you`` lists your seats, ``imported`` says that it came from a file.

    A match that cannot be read has the status ``unreadable``, version 0 and no seats; its
    ``/events`` and ``/audit`` say more.
    """

    match: str
    game: str
    title: str
    ruleset: dict[str, Any]
    imported: bool
    status: str
    visibility: str
    version: int
    turn: int
    ply: int
    to_move: str
    deadline_at: int
    seats: tuple[SeatView, ...]
    you: tuple[str, ...]
    waiting_for: tuple[str, ...]
    offers: tuple[OfferView, ...]
    points: dict[str, int]
    winners: tuple[str, ...]
    how: str


class MatchPage(msgspec.Struct, frozen=True):
    """Matches, newest first; pass ``next`` as ``before`` for older ones (0: the end)."""

    matches: tuple[MatchLine, ...]
    names: dict[str, str]
    next: int


class InviteAnswer(msgspec.Struct, frozen=True):
    """An invitation; send its address to one person. It opens the seat once."""

    match: str
    seat: str
    invite: str
    url: str


class LegalMoves(msgspec.Struct, frozen=True):
    """Legal moves of the seat to move, in the game's order, from number ``after`` on.

    ``truncated`` when there are more: ask again with ``after`` = ``next``.
    """

    turn: int
    to_move: str
    moves: tuple[str, ...]
    next: int
    truncated: bool


class StepLine(msgspec.Struct, frozen=True):
    """One way to go on typing a move."""

    text: str
    ends: bool
    completable: bool


class Steps(msgspec.Struct, frozen=True):
    """The ways to go on after a prefix."""

    turn: int
    to_move: str
    prefix: str
    steps: tuple[StepLine, ...]


class DryRun(msgspec.Struct, frozen=True):
    """What the rule sheet wants shown of a move before it is played.

    ``marks`` are named as the sheet names them; each of their texts begins with a spot of the
    board. ``sentence`` says the same aloud. Its picture is ``preview.svg?move=…``.
    """

    marks: dict[str, tuple[str, ...]]
    sentence: str


class Preview(msgspec.Struct, frozen=True):
    """What a move would do at this turn: why it cannot be played, or all that follows.

    ``code`` and ``sentence`` are empty for a legal move; else ``move`` is as it was sent and
    the rest is empty. ``svg`` is the board after it, ``board`` the same in characters;
    ``dry_run`` is there where the game's sheet has one.
    """

    turn: int
    to_move: str
    move: str
    code: str = ""
    sentence: str = ""
    facts: tuple[str, ...] = ()
    position: str = ""
    points: dict[str, int] = {}
    board: str = ""
    svg: str = ""
    dry_run: DryRun | None = None


class PublicEvent(msgspec.Struct, frozen=True):
    """An event as anybody may check it: hash = SHA-256 over ``previous`` and these fields.

    Hashes are hex. ``data`` is the exact text that was hashed, as JSON.
    """

    version: int
    kind: str
    actor: str
    received_at: int
    at: int
    data: msgspec.Raw
    hash: str
    previous: str


class EventPage(msgspec.Struct, frozen=True):
    """Events of a match in order; ``next`` is the version to pass as ``after`` (0: the end)."""

    match: str
    events: tuple[PublicEvent, ...]
    next: int


class AuditAnswer(msgspec.Struct, frozen=True):
    """What an audit found: ``verdict`` is ``proved``, ``chain only …`` or what differs first.

    ``plies`` were judged again, ``forced`` consequences derived again; ``thoughts`` counts the
    computers' moves (``plybook audit --engines`` plays them again).
    """

    match: str
    good: bool
    verdict: str
    events: int
    plies: int
    forced: int
    thoughts: int
    differences: tuple[str, ...]


class ImportLine(msgspec.Struct, frozen=True):
    """A game of a file: its ``fate``, its match or its refusal's ``code``, a line to show."""

    fate: str
    match: str
    code: str
    text: str


class ImportAnswer(msgspec.Struct, frozen=True):
    """What became of a file; ``refused`` if any of its games was, and then nothing is kept."""

    refused: bool
    lines: tuple[ImportLine, ...]


class Ticket(msgspec.Struct, frozen=True):
    """A ticket for ``events/stream?ticket=``, good for ``expires_in`` seconds."""

    ticket: str
    expires_in: int


class Health(msgspec.Struct, frozen=True):
    """``ok``, or what is wrong by check."""

    status: str
    wrong: dict[str, str] = {}
