"""Every event Plybook has ever recorded, as frozen structs with explicit wire tags.

Tags never follow Python names: renaming code must not strand history. A new optional field
with a default keeps its tag; a rename or new meaning gets a new tag and an upcast
(``events/upcasts.py``). Moves, facts and rulesets are texts and plain data: nothing here knows
a game. No event holds personal data or a secret.
"""

from typing import Any, ClassVar

import msgspec


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """The base of every event; ``kind`` is its wire tag."""

    kind: ClassVar[str] = ""


class MatchCreated(Event, frozen=True):
    """A match was opened, with its whole ruleset and the commitment to its secret seed.

    ``host`` is the actor who opened it; ``per_move_s`` is the time for each move in seconds
    (0: no limit). ``seed_commit`` is the fair shuffle's, in hex (``plybook/fair-shuffle/v1``).
    """

    kind: ClassVar[str] = "match.created.1"
    game: str
    rules_version: int
    ruleset: dict[str, Any]
    seats: int
    seed_commit: str
    host: str
    visibility: str = "link"
    rated: bool = False
    per_move_s: int = 0
    algorithm: str = "plybook/fair-shuffle/v1"


class MatchImported(Event, frozen=True):
    """A finished or broken-off game from a file; ``start`` is a position text if not the usual.

    ``digest`` names the content (main line, ruleset, start): the same file twice is one match.
    """

    kind: ClassVar[str] = "match.imported.1"
    game: str
    rules_version: int
    ruleset: dict[str, Any]
    seats: int
    digest: str
    start: str = ""
    origin: str = "file"


class SeatTaken(Event, frozen=True):
    """A seat got its holder: a player id, or a computer level (then ``player`` is empty).

    An ``adaptive`` computer follows the host's results: ``level`` is where it begins if it has
    met the host in this game for the first time; ``MatchStarted`` tells what it plays at.
    """

    kind: ClassVar[str] = "match.seat_taken.1"
    seat: str
    player: str = ""
    level: int = 0
    adaptive: bool = False


class SeatLeft(Event, frozen=True):
    """A seat is free again; only before the start."""

    kind: ClassVar[str] = "match.seat_left.1"
    seat: str


class EntropyGiven(Event, frozen=True):
    """A person's share of the chance (hex; empty: declined), quoting the commitment."""

    kind: ClassVar[str] = "match.entropy_given.1"
    seat: str
    entropy: str
    seed_commit: str


class EntrySealed(Event, frozen=True):
    """A seat handed in its entry (a deck) unseen: only its salted commitment is shown (hex)."""

    kind: ClassVar[str] = "match.entry_sealed.1"
    seat: str
    commit: str


class EntriesOpened(Event, frozen=True):
    """All entries at once, with the salts (hex) that open their commitments."""

    kind: ClassVar[str] = "match.entries_opened.1"
    entries: dict[str, str]
    salts: dict[str, str]


class MatchStarted(Event, frozen=True):
    """Play begins; seats, entropy and entries are closed.

    ``levels`` says by seat at which level each adaptive computer plays, to the end of the match.
    """

    kind: ClassVar[str] = "match.started.1"
    levels: dict[str, int] = {}


class Thought(msgspec.Struct, frozen=True, omit_defaults=True):
    """The evidence of a computer's move: enough to run it again and get the same answer.

    ``fallback`` says why a weaker engine answered (empty: it did not). ``noise`` is what made a
    weaker level stray from its best move; None where the first programs did not write it down.
    """

    engine: str
    engine_version: int
    level: int
    budget: int
    fallback: str = ""
    noise: int | None = None


class MovePlayed(Event, frozen=True):
    """A seat's move in its canonical text, and the facts the rules added by themselves.

    ``turn`` is the number of the position-changing event this is (1, 2, …).
    """

    kind: ClassVar[str] = "match.move_played.1"
    turn: int
    seat: str
    move: str
    facts: tuple[str, ...] = ()
    thought: Thought | None = None


class Dealt(Event, frozen=True):
    """Chance entered for the ``number``-th time: a round was dealt, a first place drawn.

    ``round_commit`` (hex) is the commitment to this deal's key; ``facts`` are what everybody
    saw of it.
    """

    kind: ClassVar[str] = "match.dealt.1"
    turn: int
    number: int
    round_commit: str
    facts: tuple[str, ...] = ()


class RoundEnded(Event, frozen=True):
    """What the ``number``-th deal began is over: its key (hex) opens it to everybody."""

    kind: ClassVar[str] = "match.round_ended.1"
    number: int
    round_key: str


class SeatResigned(Event, frozen=True):
    """A seat gave up; ``facts`` are what the rules made of it."""

    kind: ClassVar[str] = "match.seat_resigned.1"
    turn: int
    seat: str
    facts: tuple[str, ...] = ()


class SeatTimedOut(Event, frozen=True):
    """A seat's time ran out, grace included; ``facts`` are what the rules made of it."""

    kind: ClassVar[str] = "match.seat_timed_out.1"
    turn: int
    seat: str
    facts: tuple[str, ...] = ()


class OfferMade(Event, frozen=True):
    """A seat proposes ``draw``, ``takeback`` (to ``to_turn``) or ``abandon``; others must agree."""

    kind: ClassVar[str] = "match.offer_made.1"
    offer: str
    seat: str
    to_turn: int = 0


class OfferAnswered(Event, frozen=True):
    """A seat agrees or declines; a single no ends the offer."""

    kind: ClassVar[str] = "match.offer_answered.1"
    offer: str
    seat: str
    yes: bool


class TakenBack(Event, frozen=True):
    """By consent the position after ``to_turn`` stands again; ``turn`` goes on counting."""

    kind: ClassVar[str] = "match.taken_back.1"
    turn: int
    to_turn: int


class MatchEnded(Event, frozen=True):
    """The result.

    ``how`` is ``points``, ``resign``, ``draw``, ``time``, ``abandoned``, ``cancelled`` or
    ``unfinished`` (an imported record that stops early).
    ``server_seed`` (hex) opens the commitment of ``MatchCreated``; imports have none.
    """

    kind: ClassVar[str] = "match.ended.1"
    how: str
    points: dict[str, int]
    winners: tuple[str, ...]
    parts: dict[str, int] = {}
    server_seed: str = ""


class MatchCounted(Event, frozen=True):
    """The stream that waited for the result has it.

    ``by`` is its actor: the run that opened the match (``run:<id>``), or the host
    (``player:<id>``) whose adaptive opponent follows it.
    """

    kind: ClassVar[str] = "match.counted.1"
    by: str


class OwnedStone(msgspec.Struct, frozen=True, omit_defaults=True):
    """A thing a player owns: its number is its identity and its place in the order of getting.

    ``stone`` is its text; ``source`` is the number of the one it was made from (0: none).
    """

    number: int
    stone: str
    source: int = 0


class Draw(msgspec.Struct, frozen=True):
    """A use of a run's chance: what could come out, by weight, and which places (from 0) did.

    Purpose and counter name the key (fair shuffle, Runs), so anybody can draw again once the
    run's seed is open.
    """

    purpose: str
    counter: int
    items: tuple[tuple[str, int], ...]
    drawn: tuple[int, ...]


class CampaignStarted(Event, frozen=True):
    """A solo game was begun: its whole rules (difficulty, opponents) and what is owned at first.

    ``deck`` lists the numbers of owned stones by slot; ``next_number`` is the next one's.
    """

    kind: ClassVar[str] = "campaign.started.1"
    player: str
    game: str
    rules_version: int
    rules: dict[str, Any]
    stones: tuple[OwnedStone, ...]
    deck: tuple[int, ...]
    next_number: int


class RunClosed(Event, frozen=True):
    """A run that is over was settled: ``kept`` is the stone kept of it for good (0: none).

    The rest is what the campaign owns afterwards, as in ``CampaignStarted``.
    """

    kind: ClassVar[str] = "campaign.run_closed.1"
    run: str
    number: int
    how: str
    wins: int
    kept: int
    stones: tuple[OwnedStone, ...]
    deck: tuple[int, ...]
    next_number: int


class RunStarted(Event, frozen=True):
    """The ``number``-th run of a campaign, on a copy of what the campaign owns.

    ``seed_commit`` (hex) is the commitment to the run's own seed; ``opponent`` is the first one
    of the order drawn from it. The others are named one by one, the whole order at the end.
    """

    kind: ClassVar[str] = "run.started.1"
    campaign: str
    number: int
    player: str
    game: str
    rules_version: int
    rules: dict[str, Any]
    stones: tuple[OwnedStone, ...]
    deck: tuple[int, ...]
    next_number: int
    seed_commit: str
    opponent: int
    algorithm: str = "plybook/fair-shuffle/v1"


class DeckChanged(Event, frozen=True):
    """The player put other stones into the deck; numbers of owned stones by slot."""

    kind: ClassVar[str] = "run.deck_changed.1"
    deck: tuple[int, ...]


class RunMatchOpened(Event, frozen=True):
    """The ``number``-th match of the run begins: the decks as texts, who is first, the level."""

    kind: ClassVar[str] = "run.match_opened.1"
    number: int
    match: str
    opponent: int
    deck: str
    against: str
    first: str
    level: int


class RunMatchEnded(Event, frozen=True):
    """The result of the run's match. ``next_opponent`` is who comes next (0: nobody)."""

    kind: ClassVar[str] = "run.match_ended.1"
    number: int
    match: str
    won: bool
    how: str
    next_opponent: int = 0


class StoneWon(Event, frozen=True):
    """A stone drawn after the ``number``-th match was won; ``slot`` (from 1) it took, 0: none."""

    kind: ClassVar[str] = "run.stone_won.1"
    number: int
    draw: Draw
    stone: OwnedStone
    slot: int = 0


class UpgradeOffered(Event, frozen=True):
    """Slots (from 1) drawn after the ``number``-th match, one of which is to be upgraded."""

    kind: ClassVar[str] = "run.upgrade_offered.1"
    number: int
    draw: Draw
    slots: tuple[int, ...]


class UpgradeChosen(Event, frozen=True):
    """The player's choice: the stone that lies in the slot (from 1) now."""

    kind: ClassVar[str] = "run.upgrade_chosen.1"
    number: int
    slot: int
    stone: OwnedStone


class Raised(msgspec.Struct, frozen=True):
    """A stone in a slot (from 1) of an opponent's deck, before and after it gained a level."""

    opponent: int
    slot: int
    was: str
    became: str


class OpponentsGrew(Event, frozen=True):
    """The difficulty rose: every step of every deck, in order, and why.

    ``reason`` is ``match-won``: the ``number``-th match of the run, ``match``.
    """

    kind: ClassVar[str] = "run.opponents_grew.1"
    number: int
    match: str
    reason: str
    raised: tuple[Raised, ...]


class RunEnded(Event, frozen=True):
    """The run is ``won`` or ``lost``; the seed (hex) opens its draws, ``order`` among them."""

    kind: ClassVar[str] = "run.ended.1"
    how: str
    wins: int
    order: tuple[int, ...]
    server_seed: str


class ResultRated(Event, frozen=True):
    """A match against the player's adaptive opponent was counted, and what it says of the player.

    ``level`` is what the opponent played at, ``place`` the player's place and ``against`` the
    opponent's (1 is best, equal is a draw; several where it had several seats). ``mu`` and
    ``sigma`` are the player's skill after it and how unsure it is, in thousandths. ``levels``
    are those the game had.
    """

    kind: ClassVar[str] = "player.result_rated.1"
    game: str
    match: str
    level: int
    place: int
    against: tuple[int, ...]
    levels: tuple[int, ...]
    mu: int
    sigma: int


class OpponentLevelChanged(Event, frozen=True):
    """The player's adaptive opponent in a game plays at another level from now on, and why.

    ``reason`` is ``match-won``, ``match-lost`` or ``match-drawn``: the player's result in
    ``match``, after which ``level`` was the one nearest to their skill, or on the way there.
    """

    kind: ClassVar[str] = "player.opponent_level_changed.1"
    game: str
    match: str
    reason: str
    was: int
    level: int


EVENT_TYPES: tuple[type[Event], ...] = (
    MatchCreated,
    MatchImported,
    SeatTaken,
    SeatLeft,
    EntropyGiven,
    EntrySealed,
    EntriesOpened,
    MatchStarted,
    Dealt,
    RoundEnded,
    MovePlayed,
    SeatResigned,
    SeatTimedOut,
    OfferMade,
    OfferAnswered,
    TakenBack,
    MatchEnded,
    MatchCounted,
    CampaignStarted,
    RunClosed,
    RunStarted,
    DeckChanged,
    RunMatchOpened,
    RunMatchEnded,
    StoneWon,
    UpgradeOffered,
    UpgradeChosen,
    OpponentsGrew,
    RunEnded,
    ResultRated,
    OpponentLevelChanged,
)
"""Add a kind here and its bytes to ``tests/events/golden``; never remove one."""
