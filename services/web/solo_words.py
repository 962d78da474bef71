"""How a run is spoken of on a page."""

from typing import Literal, NamedTuple

from services.campaigns.views import RunView


class Pip(NamedTuple):
    """A match of the run in the row of all of them."""

    number: int
    state: Literal["won", "lost", "now", "later"]


def run_title(view: RunView, *, is_counting: bool = False) -> str:
    """Where a run stands, in a line; ``is_counting``: its match is over and not yet counted."""
    if view.phase == "ended":
        return "The run is won!" if view.how == "won" else f"The run ended at match {view.wins + 1}"
    if view.phase == "upgrade":
        return f"Match {view.wins} is won: choose an upgrade"
    if view.phase == "growing":
        return "The opponents are gaining levels"
    if view.phase == "fighting":
        state = "being counted" if is_counting else "being played"
        return f"Match {view.next_match} of {view.matches_in_all} is {state}"
    against = f": {view.opponent.name}" if view.opponent else ""
    return f"Match {view.next_match} of {view.matches_in_all}{against}"


def pips(view: RunView) -> list[Pip]:
    """All matches of the run in a row."""
    played: list[Pip] = [
        Pip(match.number, "won" if match.won else "lost" if match.how else "now")
        for match in view.matches
    ]
    if view.phase == "ready":
        played.append(Pip(view.next_match, "now"))
    later = range(len(played) + 1, view.matches_in_all + 1)
    return [*played, *(Pip(number, "later") for number in later)]
