"""A person's time is over: the flag is called once, and falls only where it really fell."""

from services.match.clock import GRACE_S
from services.match.handler import stream_of
from tests.workers.workshop import Workshop
from workers.deadlines import call_time
from workers.toolbox import Outcome

DAY = 86_400


def test_a_flag_is_called_after_deadline_and_grace(each_shop: Workshop) -> None:
    """Not before: the row is due at the flag's time, and the match ends by it."""
    shop, dispatcher = each_shop, each_shop.dispatcher()
    match = shop.match(1, per_move_s=DAY)
    shop.clock.turn(DAY + GRACE_S - 1)
    assert dispatcher.offer() == 0
    shop.clock.turn(2)
    assert dispatcher.offer() == 1
    assert [(due.kind, due.queue) for due in shop.published] == [("deadline", "deadlines")]
    assert call_time(shop.tools(), match, 0).outcome is Outcome.PLAYED
    assert call_time(shop.tools(), match, 0).outcome is Outcome.TAKEN
    kinds = [event.kind for event in shop.log.read(stream_of(match))]
    assert kinds[-2:] == ["match.seat_timed_out.1", "match.ended.1"]
    assert dispatcher.offer() == 0


def test_a_move_that_came_in_time_saves_the_seat(shop: Workshop) -> None:
    """The call was on its way when the move arrived: it is stale, and the clock begins anew."""
    match = shop.match(1, per_move_s=DAY)
    shop.clock.turn(DAY + GRACE_S + 1)
    shop.dispatcher().offer()
    shop.clock.turn(-10)
    shop.ann_takes_one(match)
    assert call_time(shop.tools(), match, 0).outcome is Outcome.STALE
    assert len(shop.moves(match)) == 1


def test_a_call_before_its_time_changes_nothing(shop: Workshop) -> None:
    """A worker whose clock is behind asks too early: it is told no, and the row stays due."""
    match = shop.match(1, per_move_s=DAY)
    shop.clock.turn(DAY + GRACE_S + 1)
    shop.dispatcher().offer()
    shop.clock.turn(-10)
    assert call_time(shop.tools(), match, 0).outcome is Outcome.STALE
    shop.clock.turn(10)
    assert shop.dispatcher().offer() == 1
    assert call_time(shop.tools(), match, 0).outcome is Outcome.PLAYED
