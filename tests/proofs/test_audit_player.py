"""What is known of a player, decided again from the matches: every forged number is found."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from events import event_kinds as kinds
from services.levels import Levels
from services.match import commands as cmd
from services.match.handler import stream_of
from services.proofs.audit_beside import audit_beside
from services.proofs.audit_log import audit_log
from services.proofs.audit_player import audit_player
from services.proofs.report import PROVED
from services.ratings.handler import Learnt, Opponents, player_stream
from tests.kit.desk import Desk, desk
from tests.proofs.test_audit_run import Streams, forged, reading, streams_of

ANN, STREAM = "player:p-ann", player_stream("p-ann")
START = 2


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Streams:
    """Two matches that Ann gave up against her opponent, which took a step down after the first."""
    with desk(tmp_path_factory.mktemp("log"), levels=Levels.load()) as table:
        for _ in range(2):
            lose(table)
        reports = [*audit_log(table.log), *audit_beside(table.log)]
        assert [report.verdict for report in reports] == [PROVED] * 3
        return streams_of(table.log)


def lose(table: Desk) -> str:
    """A match from its opening to its lesson."""
    at: dict[str, Any] = {"actor": ANN, "command_id": None, "received_at": 1}
    opened = table.handler.create(cmd.CreateMatch("blokus", {"variant": "duo"}), **at)
    match = opened.match  # type: ignore[union-attr]
    follower = cmd.TakeSeat("B", level=START, adaptive=True)
    for command in (cmd.TakeSeat("A"), follower, cmd.StartMatch(), cmd.Resign("A")):
        table.handler.handle(match, command, **at)
    learnt = Opponents(table.log, table.handler, table.levels).learn(match, 1)
    assert isinstance(learnt, Learnt)
    return match


FORGERIES: dict[str, tuple[type[kinds.Event], Callable[[Any], kinds.Event]]] = {
    "more skill": (kinds.ResultRated, lambda e: replace(e, mu=e.mu + 1)),
    "more sure": (kinds.ResultRated, lambda e: replace(e, sigma=e.sigma - 1)),
    "a better place": (kinds.ResultRated, lambda e: replace(e, place=1)),
    "another level played": (kinds.ResultRated, lambda e: replace(e, level=1)),
    "another game": (kinds.ResultRated, lambda e: replace(e, game="caltrop")),
    "a match that is not here": (kinds.ResultRated, lambda e: replace(e, match="m-none")),
    "two steps at once": (kinds.OpponentLevelChanged, lambda e: replace(e, level=4)),
    "a step for another reason": (
        kinds.OpponentLevelChanged,
        lambda e: replace(e, reason="match-won"),
    ),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_forged_event_is_named_even_with_every_hash_made_anew(whole: Streams, name: str) -> None:
    """Skill and steps follow from the matches alone."""
    kind, change = FORGERIES[name]
    streams, version = forged(whole, STREAM, kind, change)
    report = audit_player("p-ann", reading(streams))
    assert report.verdict == f"differs at event {version}"


def test_a_match_with_another_end_is_noticed(whole: Streams) -> None:
    """What was learnt does not follow from it any more; nor does it from another level."""
    match = next(stream for stream in whole if stream.startswith(stream_of("")))
    for kind, change in (
        (kinds.MatchEnded, lambda e: replace(e, winners=("A",))),
        (kinds.MatchStarted, lambda e: replace(e, levels={"B": 1})),
    ):
        streams, _ = forged(whole, match, kind, change)
        assert not audit_player("p-ann", reading(streams)).is_good
