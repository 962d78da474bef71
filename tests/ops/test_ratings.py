"""``plybook ratings``: the table in a terminal, from the log of this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from click.testing import CliRunner

from events.projector import Projector
from ops.commands.audit import command as audit
from ops.commands.ratings import command as ratings
from ops.refused import Refused
from ops.settings import settings_from
from ops.wiring import House, alone, clock
from services.match import commands as cmd
from services.match.handler import Done
from services.projections.catching_up import CATCHING_UP


@pytest.fixture
def runner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> CliRunner:
    """Somebody at a terminal whose data folder is new."""
    monkeypatch.setenv("PLYBOOK_DATA", str(tmp_path / "data"))
    return CliRunner()


@contextmanager
def written() -> Iterator[House]:
    """The house of this folder, its tables up to date at the end."""
    with alone(settings_from()) as house:
        yield house
        Projector(house.record.store, house.record.log, CATCHING_UP).catch_up()


def lost_match(house: House, player: str) -> None:
    """A match that somebody gave up against the computer that follows them."""
    actor = f"player:{player}"
    create = cmd.CreateMatch("blokus", {"variant": "duo"})
    opened = house.handler.create(create, actor=actor, command_id=None, received_at=clock())
    assert isinstance(opened, Done)
    follower = cmd.TakeSeat("B", level=2, adaptive=True)
    for command in (cmd.TakeSeat("A"), follower, cmd.StartMatch(), cmd.Resign("A")):
        house.handler.handle(
            opened.match, command, actor=actor, command_id=None, received_at=clock()
        )
    house.opponents.learn(opened.match, clock())


def test_the_table_names_people_and_levels_best_first(runner: CliRunner) -> None:
    """Names as they are now; whoever has none is shown by id."""
    with written() as house:
        ann = house.players.register("Ann").player
        lost_match(house, ann)
        lost_match(house, "p-gone")
    lines = runner.invoke(ratings, ["blokus"], catch_exceptions=False).output.splitlines()
    assert [line.split()[-1] for line in lines] == ["2", "p-gone", "Ann"]
    assert lines[0].split()[0] == "1"
    assert len(runner.invoke(ratings, ["blokus", "--json"]).output.splitlines()) == 3


def test_nobody_has_played_yet_is_said_and_an_unknown_game_refused(runner: CliRunner) -> None:
    """Either is a sentence."""
    with written():
        pass
    assert "Nobody has finished" in runner.invoke(ratings, ["caltrop"]).output
    with pytest.raises(Refused, match="There is no game 'go'"):
        runner.invoke(ratings, ["go"], catch_exceptions=False)


def test_an_audit_of_everything_decides_the_steps_of_opponents_again(runner: CliRunner) -> None:
    """The player's stream is a line of its own, and can be asked for by the player's id."""
    with written() as house:
        lost_match(house, "p-ann")
    said = runner.invoke(audit, ["--all"], catch_exceptions=False).output
    assert "p-ann: proved (2 events" in said
    assert "p-ann: proved" in runner.invoke(audit, ["p-ann"], catch_exceptions=False).output
