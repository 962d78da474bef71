"""Whatever is lost, doubled, late or dead: every match ends as the rules say, played once.

Seed 63 is one in which a computer's own level gives up and the fallback answers.
``PLYBOOK_SEASONS`` runs more of them: ``make simulate SEASONS=200``.
"""

import os
from pathlib import Path

import pytest

from events import event_kinds as kinds
from events.codec import decode
from events.event_kinds import Thought
from ops.rerun import question_again
from services.games.registry import REGISTRY
from services.levels import Levels
from services.match.commands import CreateMatch
from services.match.handler import stream_of
from services.match.jobs import AiJob
from services.projections.inline import INLINE_TABLES, rows_of_stream
from services.proofs.audit import Awaited
from services.proofs.audit_beside import audit_beside
from services.proofs.audit_log import audit_log
from services.proofs.report import PROVED
from services.ratings.handler import player_stream
from tests.kit.desk import Desk, desk
from tests.simulation.season import STEPS_MAX, Season
from workers.engines.registry import think

SEASONS = (63, *range(int(os.environ.get("PLYBOOK_SEASONS", "3"))))


def check_stream(table: Desk, match: str) -> None:
    """Every turn once, one end, inline rows as a fold has them, and nothing due."""
    stream = stream_of(match)
    recorded = table.log.read(stream)
    events = [decode(r.kind, r.data) for r in recorded]
    turns = [turn for event in events if (turn := getattr(event, "turn", 0))]
    assert turns == list(range(1, len(turns) + 1))
    assert [type(e) for e in events].count(kinds.MatchEnded) == 1
    stored = {t.name: table.log.rows(t.name, stream) for t in INLINE_TABLES}
    assert stored == rows_of_stream(stream, recorded)
    assert stored["work_due"] == {}


@pytest.mark.parametrize("seed", SEASONS)
def test_a_season_of_faults_ends_in_proved_matches(tmp_path: Path, seed: int) -> None:
    """Every turn is in the log exactly once, nothing is due, and every audit says proved."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = Season(table, seed)
        season.open("duo", "p-ann", "level-1")
        season.open("duo", "p-bob", "level-2")
        season.open("duo", "p-ann", "p-bob", per_move_s=86_400)
        season.open("classic-2", "p-eve", "level-2", per_move_s=3_600)

        season.play_out()
        season.settle()

        for match in season.matches:
            check_stream(table, match)
        assert {report.verdict for report in audit_log(table.log)} == {PROVED}
        assert season.starts > 1


COMPUTERS = (
    (CreateMatch("blokus", {"variant": "duo"}), "level-1", "level-2"),
    (CreateMatch("caltrop"), "level-1", "level-2"),
    (CreateMatch("hedgerow"), "level-1", "level-2"),
    (CreateMatch("triangles", {"max_rounds": 2}), "level-2", "level-3"),
)


def test_computers_play_all_games_and_an_audit_plays_their_moves_again(tmp_path: Path) -> None:
    """A match of each game through faults, with nobody else at it: proved, every move re-run."""
    levels = Levels.load()

    def play_again(job: AiJob, thought: Thought) -> Awaited:
        question = question_again(job, thought, levels)
        return lambda: think(question).move

    with desk(tmp_path, levels=levels) as table:
        season = Season(table, seed=1)
        for create, *seats in COMPUTERS:
            season.open_match(create, *seats)
        assert {create.game for create, *_ in COMPUTERS} == set(REGISTRY.slugs())

        season.play_out(steps_max=4 * STEPS_MAX)
        season.settle()

        for match in season.matches:
            check_stream(table, match)
        for report in audit_log(table.log, engines=play_again):
            assert report.verdict == PROVED, report.differences
            assert report.rerun == report.thoughts == report.plies > 0


PEOPLE = (
    (CreateMatch("caltrop"), "p-ann", "level-2"),
    (CreateMatch("hedgerow", per_move_s=86_400), "p-bob", "level-2"),
    (CreateMatch("triangles", per_move_s=3_600), "p-ann", "p-eve"),
    (CreateMatch("triangles", {"players": 3}), "level-1", "p-bob", "level-2"),
)


def test_people_play_the_later_games_through_faults(tmp_path: Path) -> None:
    """Hands hidden, entropy given, draws offered, clocks running: every audit says proved."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = Season(table, seed=2)
        for create, *seats in PEOPLE:
            season.open_match(create, *seats)

        season.play_out(steps_max=2 * STEPS_MAX)
        season.settle()

        for match in season.matches:
            check_stream(table, match)
        assert {report.verdict for report in audit_log(table.log)} == {PROVED}


def test_an_opponent_follows_its_player_through_faults(tmp_path: Path) -> None:
    """Lessons lost, doubled, late and out of order: each result is learnt once, and proved."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = Season(table, seed=3)
        for _ in range(5):
            season.open_match(
                CreateMatch("caltrop", {"form": "classic", "games": 1}), "p-ann", "adaptive-2"
            )

        season.play_out()
        season.settle()

        stream = table.log.read(player_stream("p-ann"))
        events = [decode(event.kind, event.data) for event in stream]
        learnt = [event.match for event in events if isinstance(event, kinds.ResultRated)]
        assert sorted(learnt) == sorted(season.matches)
        for match in season.matches:
            check_stream(table, match)
        assert {report.verdict for report in audit_beside(table.log)} == {PROVED}


def test_without_a_second_offer_a_season_gets_stuck(tmp_path: Path) -> None:
    """The control: a dispatcher that trusts the broker loses a turn, and the season sees it."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = Season(table, seed=0, offer_us=10**18, accidents=False)
        season.open("duo", "p-ann", "level-1")

        with pytest.raises(AssertionError, match="still running"):
            season.play_out()
