"""Whatever is lost, doubled, late or dead: every match ends as the rules say, played once.

Seed 63 is one in which a computer's own level gives up and the fallback answers.
``PLYBOOK_SEASONS`` runs more of them: ``make simulate SEASONS=200``.
"""

import os
from pathlib import Path

import pytest

from events import event_kinds as kinds
from events.codec import decode
from services.levels import Levels
from services.match.handler import stream_of
from services.projections.inline import INLINE_TABLES, rows_of_stream
from services.proofs.audit_log import audit_log
from services.proofs.report import PROVED
from tests.kit.desk import desk
from tests.simulation.season import Season

SEASONS = (63, *range(int(os.environ.get("PLYBOOK_SEASONS", "3"))))


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
            stream = stream_of(match)
            recorded = table.log.read(stream)
            events = [decode(r.kind, r.data) for r in recorded]
            turns = [turn for event in events if (turn := getattr(event, "turn", 0))]
            assert turns == list(range(1, len(turns) + 1))
            assert [type(e) for e in events].count(kinds.MatchEnded) == 1
            stored = {t.name: table.log.rows(t.name, stream) for t in INLINE_TABLES}
            assert stored == rows_of_stream(stream, recorded)
            assert stored["work_due"] == {}
        assert {report.verdict for report in audit_log(table.log)} == {PROVED}
        assert season.starts > 1


def test_without_a_second_offer_a_season_gets_stuck(tmp_path: Path) -> None:
    """The control: a dispatcher that trusts the broker loses a turn, and the season sees it."""
    with desk(tmp_path, levels=Levels.load()) as table:
        season = Season(table, seed=0, offer_us=10**18, accidents=False)
        season.open("duo", "p-ann", "level-1")

        with pytest.raises(AssertionError, match="still running"):
            season.play_out()
