"""An outside program as a computer seat: its moves stand in the log, and so do its failures."""

import shlex
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from events.event_kinds import Thought
from services.games.registry import REGISTRY
from services.levels import Levels, LevelSpec
from services.match import commands as cmd
from tests.kit import gtp_player
from tests.kit.machine import until
from tests.workers.workshop import InlineEngines, Workshop, workshop
from workers.ai_turns import play_ai_turn
from workers.engines.registry import think, warm
from workers.gtp_pool import GtpPool
from workers.toolbox import Outcome, Report

WELL, BADLY = 9, 10
LEVELS = Levels(
    [
        LevelSpec("blokus", 1, "blokus-greedy", 1, 0, 800),
        LevelSpec("blokus", WELL, "gtp-scripted", 7, 99, queue="ai.gtp"),
        LevelSpec("blokus", BADLY, "gtp-scripted", 7, 1, queue="ai.gtp"),
    ]
)
"""The scripted program misbehaves at the move its budget names: the first, or none of a test."""


class Hosting(GtpPool, InlineEngines):
    """The program in its own process, the engines of the house in ours."""


@contextmanager
def hosted(folder: Path, behaviour: str) -> Iterator[Workshop]:
    """A workshop that hosts the scripted program; it notes what it is told in ``told.txt``."""
    script = [sys.executable, gtp_player.__file__, "--note", str(folder / "told.txt")]
    command = f"{shlex.join(script)} {behaviour}@{{budget}}"
    pool = Hosting(think, 1, warm, command)
    with workshop(folder / "log.db", pool, LEVELS, REGISTRY) as shop:
        yield shop


def offered(shop: Workshop, level: int = BADLY) -> str:
    """A match of Duo in which the program begins, offered by the dispatcher."""
    match = shop.done(cmd.CreateMatch("blokus", {"variant": "duo"}))
    shop.done(cmd.TakeSeat(level=level), match)
    shop.done(cmd.TakeSeat("B"), match)
    shop.done(cmd.StartMatch(), match)
    assert shop.dispatcher().offer() == 1
    return match


def played(shop: Workshop, match: str, turn: int = 0, seconds: float = 60.0) -> Report:
    """What became of the program's turn."""
    return play_ai_turn(shop.tools(engine_seconds=seconds), match, turn)


def test_a_level_may_be_an_outside_program(tmp_path: Path) -> None:
    """Its turn goes to the queue of its own, its move into the log with the level's evidence."""
    with hosted(tmp_path, "crash") as shop:
        match = offered(shop, WELL)
        assert [due.queue for due in shop.published] == ["ai.gtp"]
        report = played(shop, match)
        assert (report.outcome, report.fallback) == (Outcome.PLAYED, "")
        thought = shop.moves(match)[0].thought
        assert thought == Thought("gtp-scripted", 7, WELL, 99, noise=0)


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("crash", "crash"),
        ("resign", "resign"),
        ("pass", "pass"),
        ("refuse", "refused"),
        ("garbage", "garbage"),
        ("illegal", "illegal"),
    ],
)
def test_a_failure_is_told_in_the_log(tmp_path: Path, behaviour: str, reason: str) -> None:
    """The lowest level plays instead and says why; the operator reads what the program said."""
    with hosted(tmp_path, behaviour) as shop:
        match = offered(shop)
        report = played(shop, match)
        assert (report.outcome, report.fallback) == (Outcome.PLAYED, reason)
        assert report.detail
        thought = shop.moves(match)[0].thought
        assert thought is not None
        assert (thought.engine, thought.level, thought.fallback) == ("blokus-greedy", 1, reason)


def test_a_program_that_is_late_is_told_of_in_the_log(tmp_path: Path) -> None:
    """The limit is that of every engine; the turn is played all the same."""
    with hosted(tmp_path, "hang") as shop:
        match = offered(shop)
        report = played(shop, match, seconds=0.2)
        assert (report.outcome, report.fallback) == (Outcome.PLAYED, "time")


def test_a_match_goes_on_with_the_program_after_its_failure(tmp_path: Path) -> None:
    """A move that another engine made is on its board like everybody's."""
    with hosted(tmp_path, "illegal") as shop:
        match = offered(shop)
        assert played(shop, match).fallback == "illegal"
        state = shop.handler.load(match)
        assert state is not None
        legal = state.the_game.rules.moves(state.position).texts
        shop.done(cmd.PlayMove("B", legal[0], 1), match)
        assert shop.dispatcher().offer() == 1
        report = played(shop, match, turn=2)
        assert (report.outcome, report.fallback) == (Outcome.PLAYED, "")


def test_a_worker_told_to_stop_ends_the_program_and_hands_the_turn_back(tmp_path: Path) -> None:
    """The program is killed in its thought, and the next worker may take the turn at once."""
    reports: list[Report] = []
    with hosted(tmp_path, "hang") as shop:
        match = offered(shop)
        tools = shop.tools(engine_seconds=600.0)
        thread = Thread(target=lambda: reports.append(play_ai_turn(tools, match, 0)))
        thread.start()
        told = tmp_path / "told.txt"
        assert until(lambda: told.exists() and "genmove" in told.read_text())
        shop.engines.close()
        thread.join(60)
        assert [report.outcome for report in reports] == [Outcome.GIVEN_BACK]
        assert shop.moves(match) == []


def test_levels_of_other_strength_are_other_processes(tmp_path: Path) -> None:
    """The budget stands in the command; no more processes rest than the worker has slots."""
    with hosted(tmp_path, "resign") as shop:
        matches = {level: offered(shop, level) for level in (WELL, BADLY)}
        assert played(shop, matches[WELL]).fallback == ""
        assert played(shop, matches[BADLY]).fallback == "resign"
        again = offered(shop, WELL)
        assert played(shop, again).fallback == ""
        told = (tmp_path / "told.txt").read_text()
        assert told.count("set_game") == 3  # each start of a program begins with it


def test_engines_of_the_house_are_asked_as_ever(tmp_path: Path) -> None:
    """Hosting a program changes nothing for the others."""
    with hosted(tmp_path, "crash") as shop:
        match = offered(shop, level=1)
        report = played(shop, match)
        assert report.outcome is Outcome.PLAYED
        assert [use.engine for use in report.engines] == ["blokus-greedy"]
        assert not (tmp_path / "told.txt").exists()
