"""How a match is spoken of on a page: seats, whose turn, results, offers, time."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from services.api.messages import UNREADABLE, MatchLine
from services.games.contract import Seat
from services.match.views import MatchView, OfferView, SeatView

Names = Mapping[str, str]

GONE = "somebody who left"
"""What an erased player is called."""
UNNAMED = "\u2013"
"""What stands for somebody a record does not name."""

_HOW = {
    "points": "on points",
    "resign": "by resignation",
    "time": "on time",
    "draw": "by agreement",
}
_SECOND = 1_000_000  # microseconds
_VALUE_CHARS_MAX = 16
_NAMES_ITSELF = ("variant", "form")
"""Options whose value says what it is."""


def seat_words(
    seat: SeatView, names: Names, you: tuple[str, ...] = (), record: Names | None = None
) -> str:
    """Who sits there; ``record`` holds the names by seat that came with an imported match.

    >>> seat_words(SeatView("B", "computer", level=2), {})
    'Computer, level 2'
    >>> seat_words(SeatView("B", "computer", level=2, adaptive=True), {})
    'Adaptive computer, level 2'
    >>> seat_words(SeatView("B", "free"), {}), seat_words(SeatView("B", "free"), {}, (), {})
    ('Free', '\u2013')
    """
    if seat.seat in you:
        return "You"
    if seat.kind == "computer":
        return f"{'Adaptive computer' if seat.adaptive else 'Computer'}, level {seat.level}"
    if seat.kind == "free":
        return "Free" if record is None else record.get(seat.seat, "") or UNNAMED
    return names.get(seat.player, GONE)


def status_words(
    view: MatchView | MatchLine,
    names: Names,
    you: tuple[str, ...],
    record: Names | None = None,
) -> str:
    """One sentence on where the match stands; it heads the page of the match."""
    words = _status_words(view, names, you, record)
    return GONE.capitalize() + words.removeprefix(GONE) if words.startswith(GONE) else words


def _status_words(
    view: MatchView | MatchLine, names: Names, you: tuple[str, ...], record: Names | None
) -> str:
    if view.status == UNREADABLE:
        return "This match cannot be read."
    if view.status == "open":
        return _waiting_words(view, names, you)
    if view.status == "ended":
        return _result_words(view, names, you, record)
    if view.to_move in you:
        return "Your turn." if len(you) == 1 else f"Your turn, seat {view.to_move}."
    seat = next((seat for seat in view.seats if seat.seat == view.to_move), None)
    if seat is None:
        return "The match goes on by itself in a moment."
    if seat.kind == "computer":
        return f"The computer (seat {seat.seat}) is thinking."
    return f"{seat_words(seat, names)} (seat {seat.seat}) is to move."


def _waiting_words(view: MatchView | MatchLine, names: Names, you: tuple[str, ...]) -> str:
    free = [seat.seat for seat in view.seats if seat.kind == "free"]
    if free:
        plural = "s" if len(free) > 1 else ""
        return f"Waiting for players: seat{plural} {_listed(free)} still free."
    asked = [seat for seat in view.seats if seat.seat in view.waiting_for]
    if not asked:
        return "Everybody is here; it can start."
    if any(seat.seat in you for seat in asked):
        return "Waiting for you to get ready."
    waited_for = [f"{seat_words(seat, names)} (seat {seat.seat})" for seat in asked]
    return f"Waiting for {_listed(waited_for)} to get ready."


def _result_words(
    view: MatchView | MatchLine, names: Names, you: tuple[str, ...], record: Names | None
) -> str:
    if view.how == "cancelled":
        return "Called off before the start."
    if view.how == "abandoned":
        return "Abandoned by agreement."
    if view.how == "unfinished":
        return "The record ends here."
    said = {seat.seat: seat_words(seat, names, you, record) for seat in view.seats}
    winners = [said[s] if said[s] != UNNAMED else f"Seat {s}" for s in said if s in view.winners]
    how = _HOW.get(view.how, view.how)
    if view.how == "draw" or len(winners) == len(view.seats):
        return f"A draw {how}."
    return f"{_listed(winners)} won {how}."


def _listed(items: list[str]) -> str:
    """Words with commas and an "and".

    >>> _listed(["A", "B", "C"])
    'A, B and C'
    """
    if len(items) < 2:  # noqa: PLR2004 - one item needs no "and"
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def offer_words(offer: OfferView, you: tuple[Seat, ...]) -> str:
    """An open offer as a sentence.

    >>> offer_words(OfferView("draw", "B", 0, ("B",)), ("A",))
    'Seat B offers a draw.'
    """
    what = {
        "draw": "a draw",
        "takeback": f"to take back to turn {offer.to_turn}",
        "abandon": "to abandon the match",
    }[offer.offer]
    return f"You offer {what}." if offer.seat in you else f"Seat {offer.seat} offers {what}."


def seats_asked(
    offer: OfferView, seats: Sequence[SeatView], you: tuple[Seat, ...]
) -> tuple[Seat, ...]:
    """The visitor's seats that still have to answer an offer; one answers for all of them."""
    has_a_say = [seat.seat for seat in seats if not seat.out]
    if any(seat in offer.agreed for seat in you):
        return ()
    return tuple(seat for seat in you if seat in has_a_say)


def iso_time(microseconds: int) -> str:
    """A moment for ``<time datetime=…>``.

    >>> iso_time(0)
    '1970-01-01T00:00:00+00:00'
    """
    return _moment(microseconds).isoformat()


def time_words(microseconds: int) -> str:
    """A moment to be read; a script turns it into the reader's own time.

    >>> time_words(0)
    '1 Jan 1970, 00:00 UTC'
    """
    return f"{_moment(microseconds):%-d %b %Y, %H:%M} UTC"


def _moment(microseconds: int) -> datetime:
    return datetime.fromtimestamp(microseconds // _SECOND, UTC)


def ruleset_words(ruleset: Mapping[str, object]) -> str:
    """The options of a match in a few words; what is too long to read is left out.

    >>> ruleset_words({"variant": "duo", "corners": "fixed", "stuck_loss": "game"})
    'duo, corners fixed, stuck loss game'
    """
    named = [str(ruleset[key]) for key in _NAMES_ITSELF if key in ruleset]
    rest = [
        f"{key.replace('_', ' ')} {value}"
        for key, value in ruleset.items()
        if key not in _NAMES_ITSELF and len(str(value)) <= _VALUE_CHARS_MAX
    ]
    return ", ".join([*named, *rest])
