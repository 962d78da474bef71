"""Verdicts on texts of records, and matches that follow from commands: what format tests share."""

from services.formats.judge import Judged, Refused, Verdict, judge
from services.match.commands import MatchCommand
from services.match.decider import decide
from services.match.folding import evolve
from services.match.refusals import Refusal
from services.match.state import MatchState


def one(text: str, file: str = "test.record") -> Verdict:
    """The verdict on the one game of a text."""
    (verdict,) = judge(text.encode(), file)
    return verdict


def taken(text: str, file: str = "test.record") -> Judged:
    """The one game of a text, taken."""
    verdict = one(text, file)
    assert isinstance(verdict, Judged), verdict
    return verdict


def refused(text: str, file: str = "test.record") -> Refused:
    """The one game of a text, refused."""
    verdict = one(text, file)
    assert isinstance(verdict, Refused), verdict
    return verdict


def told(state: MatchState, *commands: tuple[str, MatchCommand]) -> MatchState:
    """The match after some (actor, command) pairs, none of them refused."""
    for actor, command in commands:
        events = decide(state, command, actor, 0)
        assert not isinstance(events, Refusal), events
        for event in events:
            state = evolve(state, event, 0)
    return state
