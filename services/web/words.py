"""How a match is spoken of on a page: seats, whose turn, results, time."""

from collections.abc import Mapping
from datetime import UTC, datetime

from services.api.messages import MatchLine
from services.match.views import MatchView, SeatView

GONE = "somebody who left"
"""What an erased player is called."""

_HOW = {
    "points": "on points",
    "resign": "by resignation",
    "time": "on time",
    "draw": "by agreement",
}
_SECOND = 1_000_000  # microseconds


def seat_words(seat: SeatView, names: Mapping[str, str], you: tuple[str, ...] = ()) -> str:
    """Who sits there.

    >>> seat_words(SeatView("B", "computer", level=2), {})
    'Computer, level 2'
    """
    if seat.seat in you:
        return "You"
    if seat.kind == "computer":
        return f"Computer, level {seat.level}"
    if seat.kind == "free":
        return "Free"
    return names.get(seat.player, GONE)


def status_words(
    view: MatchView | MatchLine, names: Mapping[str, str], you: tuple[str, ...]
) -> str:
    """One sentence on where the match stands."""
    if view.status == "open":
        free = [seat.seat for seat in view.seats if seat.kind == "free"]
        if not free:
            return "Everybody is here; it can start."
        plural = "s" if len(free) > 1 else ""
        return f"Waiting for players: seat{plural} {_listed(free)} still free."
    if view.status == "ended":
        return _result_words(view, names, you)
    if view.to_move in you:
        return "Your turn." if len(you) == 1 else f"Your turn, seat {view.to_move}."
    seat = next(seat for seat in view.seats if seat.seat == view.to_move)
    if seat.kind == "computer":
        return f"The computer (seat {seat.seat}) is thinking."
    return f"{seat_words(seat, names)} (seat {seat.seat}) is to move."


def _result_words(
    view: MatchView | MatchLine, names: Mapping[str, str], you: tuple[str, ...]
) -> str:
    if view.how == "cancelled":
        return "Called off before the start."
    if view.how == "abandoned":
        return "Abandoned by agreement."
    if view.how == "unfinished":
        return "The record ends here."
    winners = [seat_words(seat, names, you) for seat in view.seats if seat.seat in view.winners]
    how = _HOW.get(view.how, view.how)
    if view.how == "draw" or len(winners) == len(view.seats):
        return f"A draw {how}."
    if view.imported:
        return f"{_listed([f'Seat {seat}' for seat in view.winners])} won {how}."
    return f"{_listed(winners)} won {how}."


def _listed(items: list[str]) -> str:
    """Words with commas and an "and".

    >>> _listed(["A", "B", "C"])
    'A, B and C'
    """
    if len(items) < 2:  # noqa: PLR2004 - one item needs no "and"
        return "".join(items)
    return f"{', '.join(items[:-1])} and {items[-1]}"


def iso_time(microseconds: int) -> str:
    """A moment for ``<time datetime=…>``.

    >>> iso_time(0)
    '1970-01-01T00:00:00+00:00'
    """
    return datetime.fromtimestamp(microseconds // _SECOND, UTC).isoformat()


def ruleset_words(ruleset: Mapping[str, object]) -> str:
    """The options of a match in a few words.

    >>> ruleset_words({"variant": "duo", "corners": "fixed"})
    'duo, corners fixed'
    """
    variant = ruleset.get("variant")
    rest = [f"{key} {value}" for key, value in ruleset.items() if key != "variant"]
    return ", ".join([str(variant), *rest] if variant else rest)
