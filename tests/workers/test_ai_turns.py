"""A computer's turn: played once, whatever is delivered twice, late, or to an engine that fails."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from threading import Thread

import pytest

from events.event_kinds import Thought
from events.log import CommandId, Namespace
from services.levels import Levels
from services.match import commands as cmd
from tests.kit.machine import until
from tests.workers.toy_engines import HELD_WHILE, LEVELS, think, warm
from tests.workers.workshop import ANN, InlineEngines, Workshop, workshop
from workers import claims
from workers.ai_turns import play_ai_turn
from workers.engine_pool import EngineFailure, EnginePool
from workers.engines.contract import Answer, Question
from workers.offers import ATTEMPTS_MAX
from workers.toolbox import Outcome

FIRST = Thought("first", 1, 1, 0, noise=0)


def offered(shop: Workshop, level: int = 1) -> str:
    """A match whose computer is to move after turn 1, offered by the dispatcher."""
    match = shop.waiting_match(level)
    shop.dispatcher().offer()
    return match


def test_the_engines_answer_is_played_with_its_evidence(each_shop: Workshop) -> None:
    """The move stands in the log as the computer's, with engine, version, level and budget."""
    shop, match = each_shop, offered(each_shop)
    report = play_ai_turn(shop.tools(), match, 1)
    assert (report.outcome, report.fallback) == (Outcome.PLAYED, "")
    assert [use.engine for use in report.engines] == ["first"]
    move = shop.moves(match)[-1]
    assert (move.seat, move.move, move.turn, move.thought) == ("B", "1", 2, FIRST)
    recorded = shop.log.read(f"match/{match}")[-1]
    assert recorded.actor == "computer:B"


def test_computers_answer_each_other(shop: Workshop) -> None:
    """Two computers after Ann: each turn makes the next one due, until it is Ann's again."""
    match = shop.match(1, 1, heap=9)
    shop.ann_takes_one(match)
    dispatcher = shop.dispatcher()
    for turn in (1, 2):
        assert dispatcher.offer() == 1
        play_ai_turn(shop.tools(), match, turn)
    assert dispatcher.offer() == 0
    assert [move.seat for move in shop.moves(match)] == ["A", "B", "C"]


def test_a_task_delivered_twice_plays_once(each_shop: Workshop) -> None:
    """The second delivery finds nothing to take, during the first and after it."""
    shop, match = each_shop, offered(each_shop)
    outcomes = [play_ai_turn(shop.tools(), match, 1).outcome for _ in range(3)]
    assert outcomes == [Outcome.PLAYED, Outcome.TAKEN, Outcome.TAKEN]
    assert len(shop.moves(match)) == 2


def test_a_worker_that_comes_too_late_repeats_the_same_move(shop: Workshop) -> None:
    """Its lease ran out and another played: the late answer is the same, and changes nothing."""
    match = offered(shop)
    late: list[Outcome] = []

    fast = shop.tools("w2")

    def slowly(question: Question) -> Answer:
        shop.clock.turn(3_600)
        shop.dispatcher("d2").offer()
        late.append(play_ai_turn(fast, match, 1).outcome)
        return think(question)

    shop.engines = InlineEngines(slowly)
    assert play_ai_turn(shop.tools("w1"), match, 1).outcome is Outcome.REPEATED
    assert late == [Outcome.PLAYED]
    assert len(shop.moves(match)) == 2


def test_a_stale_turn_is_dropped(each_shop: Workshop) -> None:
    """The match went on without it (Ann resigned): nothing is played, the claim is gone."""
    shop, match = each_shop, offered(each_shop)
    shop.done(cmd.Resign("A"), match)
    assert play_ai_turn(shop.tools(), match, 1).outcome is Outcome.STALE
    assert play_ai_turn(shop.tools(), match, 1).outcome is Outcome.TAKEN
    assert len(shop.moves(match)) == 1


def test_a_turn_nobody_offered_is_left_alone(shop: Workshop) -> None:
    """A message that outlived its claim does nothing: the dispatcher offers what is due."""
    match = shop.waiting_match()
    assert play_ai_turn(shop.tools(), match, 1).outcome is Outcome.TAKEN
    assert play_ai_turn(shop.tools(), "m-unknown", 1).outcome is Outcome.TAKEN


@pytest.mark.parametrize(
    ("level", "reason"),
    [(2, "time"), (3, "illegal"), (4, "crash"), (5, "error"), (8, "error")],
)
def test_an_engine_that_fails_is_replaced_by_the_lowest_level_and_the_log_says_why(
    tmp_path: Path, level: int, reason: str
) -> None:
    """It hangs, cheats, crashes, raises or has no compiler: the fallback plays at once."""
    with workshop(tmp_path / "log.db", EnginePool(think, warm=warm)) as shop:
        match = offered(shop, level)
        report = play_ai_turn(shop.tools(engine_seconds=0.3), match, 1)
        assert (report.outcome, report.fallback) == (Outcome.PLAYED, reason)
        assert report.level == level
        assert shop.moves(match)[-1].thought == Thought("first", 1, 1, 0, reason, 0)


def test_a_worker_told_to_stop_gives_its_turn_back_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The engine is cut short: no lease and no attempt is left of it, and another worker plays."""
    pool, held = EnginePool(think), tmp_path / "held"
    held.touch()
    monkeypatch.setenv(HELD_WHILE, str(held))
    with workshop(tmp_path / "log.db", pool) as shop:
        match = offered(shop, level=6)

        def stop_once_it_thinks() -> None:
            until(held.with_suffix(".begun").exists)
            pool.close()

        stopping = Thread(target=stop_once_it_thinks)
        stopping.start()
        assert play_ai_turn(shop.tools("w1"), match, 1).outcome is Outcome.GIVEN_BACK
        stopping.join()
        assert len(shop.moves(match)) == 1

        assert shop.dispatcher().offer() == 1
        held.unlink()
        with closing(EnginePool(think)) as engines:
            report = play_ai_turn(replace(shop.tools("w2"), engines=engines), match, 1)
    assert (report.outcome, report.attempt, report.fallback) == (Outcome.PLAYED, 1, "")


def test_after_its_attempts_a_turn_is_the_fallbacks(shop: Workshop) -> None:
    """Workers died over it again and again: the level's own engine is not asked any more."""
    match = offered(shop, level=5)
    stream = f"match/{match}"
    for _ in range(ATTEMPTS_MAX):
        claims.take(shop.store, (stream, "ai_turn", 1), "w1", shop.clock(), 1)
        shop.clock.turn(1)
    report = play_ai_turn(shop.tools(), match, 1)
    assert (report.outcome, report.fallback) == (Outcome.PLAYED, "attempts")


def test_a_level_that_is_no_longer_in_the_table_is_answered_all_the_same(shop: Workshop) -> None:
    """Levels are data and may go; the match of one that went is not left hanging."""
    match = offered(shop, level=7)
    fewer = Levels([spec for spec in LEVELS.specs() if spec.level == 1])
    report = play_ai_turn(replace(shop.tools(), levels=fewer), match, 1)
    assert (report.outcome, report.fallback) == (Outcome.PLAYED, "no-such-level")


def test_where_the_lowest_level_fails_too_any_legal_move_is_played(shop: Workshop) -> None:
    """A match does not stand still because an engine is broken; the log says what answered.

    Operators are told of every engine that was asked.
    """
    match = offered(shop, level=3)

    def broken(question: Question) -> Answer:
        if question.engine == "any-legal":
            return Answer("2", nodes=2)
        raise EngineFailure("error", "no compiler")

    shop.engines = InlineEngines(broken)
    report = play_ai_turn(shop.tools(), match, 1)
    assert (report.outcome, report.fallback) == (Outcome.PLAYED, "error")
    assert [use.engine for use in report.engines] == ["cheats", "first", "any-legal"]
    assert shop.moves(match)[-1].thought == Thought("any-legal", 1, 1, 0, "error", 0)


def test_where_even_the_fallback_fails_the_turn_stays_due(shop: Workshop) -> None:
    """Nothing is made up: the row is offered again, and the failure is reported."""
    match = offered(shop)
    shop.engines = InlineEngines(lambda _question: Answer("99", 1))
    report = play_ai_turn(shop.tools(), match, 1)
    assert (report.outcome, report.fallback) == (Outcome.FAILED, "illegal")
    assert len(shop.moves(match)) == 1
    shop.clock.turn(3_600)
    assert shop.dispatcher("d2").offer() == 1


def test_a_stranger_cannot_use_up_the_computers_command_id(shop: Workshop) -> None:
    """A client sends the computer's own command id as its idempotency key: nothing changes."""
    match = shop.match(1)
    state = shop.handler.load(match)
    assert state is not None
    key = CommandId(Namespace.OUTSIDE, f"ai:{match}:1")
    play = cmd.PlayMove("A", "1", 0)
    shop.handler.handle(match, play, actor=ANN, command_id=key, received_at=shop.clock())
    shop.dispatcher().offer()
    assert play_ai_turn(shop.tools(), match, 1).outcome is Outcome.PLAYED
    assert len(shop.moves(match)) == 2


def test_offers_do_not_stop_a_computers_turn(shop: Workshop) -> None:
    """Chatter moves the version, not the turn: the answer is decided again and recorded."""
    match = offered(shop)

    def interrupted(question: Question) -> Answer:
        shop.done(cmd.MakeOffer("draw", "A"), match)
        return think(question)

    shop.engines = InlineEngines(interrupted)
    assert play_ai_turn(shop.tools(), match, 1).outcome is Outcome.PLAYED


@pytest.mark.parametrize("thought_s", [0.0, 0.2, 0.7])
def test_the_time_of_an_answer_tells_nothing_of_hidden_things(
    shop: Workshop, thought_s: float
) -> None:
    """However long the engine thought, the answer comes at a whole pace of its level."""
    match = shop.match(1, hidden=True)
    shop.ann_takes_one(match)
    shop.dispatcher().offer()
    asked = shop.clock()

    class Thinking(InlineEngines):
        def ask(
            self, question: Question, seconds: float, begins: Callable[[], None] = lambda: None
        ) -> Answer:
            shop.clock.turn(thought_s)
            return super().ask(question, seconds, begins)

    tools = replace(shop.tools(), engines=Thinking(think), sleep=shop.clock.turn)
    assert play_ai_turn(tools, match, 1).outcome is Outcome.PLAYED

    took_us = shop.log.read(f"match/{match}")[-1].received_at - asked
    assert took_us % 500_000 == 0
    assert took_us > 0


def test_an_open_game_is_answered_at_once(shop: Workshop) -> None:
    """Where nothing is hidden, nothing is to be hidden."""
    match = offered(shop)

    def nobody_sleeps(_seconds: float) -> None:
        raise AssertionError("no pace is kept in an open game")

    tools = replace(shop.tools(), sleep=nobody_sleeps)
    assert play_ai_turn(tools, match, 1).outcome is Outcome.PLAYED
