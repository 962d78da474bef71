"""Runs of 20 matches on each difficulty, while tasks are lost, doubled and late.

The opponents here play badly on purpose, so that a run comes to its end: what is judged is the
run. ``PLYBOOK_SEASONS`` runs more of them.
"""

import os
from pathlib import Path

import pytest

from events import event_kinds as kinds
from events.codec import decode
from services.campaigns.handler import Kept, run_stream
from services.campaigns.run_state import RunState
from services.campaigns.solo_rules import Offering
from services.levels import Levels
from services.match.handler import stream_of
from services.match.refusals import Refusal
from services.projections.inline import INLINE_TABLES, rows_of_stream
from services.proofs.audit_beside import audit_beside
from services.proofs.audit_log import audit_log
from services.proofs.report import PROVED
from tests.campaigns.sheet import after_wins
from tests.kit.desk import Desk, desk
from tests.simulation.solo import SoloSeason
from workers.toolbox import Outcome

DIFFICULTIES = ("easy", "normal", "hard", "very-hard")
SEEDS = range(1, 1 + max(1, int(os.environ.get("PLYBOOK_SEASONS", "3")) // 3))
ROSTER = {one.number: " ".join(stone.type for stone in one.deck) for one in Offering.load().roster}


def events_of(table: Desk, stream: str) -> list[kinds.Event]:
    """What a stream holds."""
    return [decode(recorded.kind, recorded.data) for recorded in table.log.read(stream)]


def nothing_is_due(table: Desk, stream: str) -> None:
    """The stream's rows are what its events say, and none of them is owed any more."""
    stored = {t.name: table.log.rows(t.name, stream) for t in INLINE_TABLES}
    derived = rows_of_stream(stream, table.log.read(stream))
    assert {name: rows for name, rows in stored.items() if rows} == {
        name: rows for name, rows in derived.items() if rows
    }
    assert stored["work_due"] == {}


def order_is_as_drawn(run: RunState) -> None:
    """20 different opponents, Lady Lux before Madame Swerve, the boss at the end."""
    assert run.ended is not None
    assert run.ended.how == "won"
    order = [match.opponent for match in run.matches]
    assert order == list(run.ended.order)
    assert len(set(order)) == 20
    assert order[-1] == 24
    assert order.index(15) < order.index(16)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_opponents_meet_the_player_with_the_levels_of_the_sheet(
    tmp_path: Path, difficulty: str, seed: int
) -> None:
    """At every match the levels are a fold by the sheet's rule; each win is grown for once."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = SoloSeason(table, seed)
        _, run = season.begin(difficulty)

        ended = season.play_out(run)
        season.settle()

        events = events_of(table, run_stream(run))
        opened = [event for event in events if isinstance(event, kinds.RunMatchOpened)]
        assert [event.number for event in opened] == list(range(1, len(opened) + 1))
        for event in opened:
            deck = ROSTER[event.opponent]
            expected = after_wins(deck, difficulty, event.number - 1, event.opponent)
            assert event.against == expected
            (created, *_) = events_of(table, stream_of(event.match))
            assert isinstance(created, kinds.MatchCreated)
            assert created.ruleset["red"] == expected
        grown = [event.number for event in events if isinstance(event, kinds.OpponentsGrew)]
        assert grown == list(range(1, min(ended.wins, 19) + 1))
        assert len(season.grown()) > 2 * len(grown)
        assert season.grown().count(Outcome.PLAYED) == len(grown)

        if ended.wins == 20:
            order_is_as_drawn(ended)
        assert ended.wins == 20 or difficulty != "easy", "this seed no longer sees the end of a run"
        for stream in (run_stream(run), *(stream_of(event.match) for event in opened)):
            nothing_is_due(table, stream)
        assert {report.verdict for report in audit_log(table.log)} == {PROVED}
        assert [report.verdict for report in audit_beside(table.log)] == [PROVED, PROVED]


def test_resigning_loses_the_run_and_the_next_one_begins_anew(tmp_path: Path) -> None:
    """A loss ends the run; nothing gained, nothing to keep: the second run may begin at once."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = SoloSeason(table, 5)
        campaign, run = season.begin("hard")
        season.step(season.state(run))
        season.resigns(run)
        season.settle()

        first = season.state(run)
        assert first.ended is not None
        assert (first.ended.how, first.wins) == ("lost", 0)
        second = season.state(season.next_run(campaign, 2))
        assert second.collection == first.for_good
        assert second.decks == first.decks
        assert second.seed_commit != first.seed_commit


def test_without_a_second_offer_a_run_gets_stuck(tmp_path: Path) -> None:
    """The control: a dispatcher that trusts the broker loses a task, and the run stands still."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = SoloSeason(table, seed=1, offer_us=10**18)
        _, run = season.begin("easy")
        with pytest.raises(AssertionError, match="not counted"):
            season.play_out(run)


def test_growth_twice_at_once_is_recorded_once(tmp_path: Path) -> None:
    """Two workers whose leases overlap, and one that comes a match later, change nothing."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = SoloSeason(table, 2, lost=0)
        _, run = season.begin("very-hard")
        season.step(season.state(run))
        while season.state(run).wins == 0:
            season.fights(season.state(run))
        assert season.state(run).phase in ("upgrade", "growing")

        first, again = (season.campaigns.grow(run, 1, season.now) for _ in range(2))
        early = season.campaigns.grow(run, 2, season.now)

        assert isinstance(first, Kept)
        assert isinstance(again, Kept)
        assert (first.repeated, again.repeated) == (False, True)
        assert isinstance(early, Refusal)
        assert early.code == "not-growing"
        grew = [e for e in events_of(table, run_stream(run)) if isinstance(e, kinds.OpponentsGrew)]
        assert len(grew) == 1
