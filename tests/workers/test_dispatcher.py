"""The one dispatcher: elected, in order of urgency, within its window, and never losing work."""

import pytest

from tests.workers.workshop import Workshop
from workers import claims
from workers.ai_turns import play_ai_turn
from workers.claims import clear_leases
from workers.dispatcher import OFFER_US
from workers.election import LEASE_US
from workers.offers import ATTEMPTS_MAX, Due

SECOND = 1_000_000


def matches_of(shop: Workshop) -> list[str]:
    """The matches whose work was published, in order."""
    return [due.stream.removeprefix("match/") for due in shop.published]


def test_due_work_is_offered_once_and_vanishes_with_its_effect(each_shop: Workshop) -> None:
    """Offered when it is due, not again while the offer stands, and then the turn after it."""
    shop, dispatcher = each_shop, each_shop.dispatcher()
    assert dispatcher.offer() == 0
    match = shop.waiting_match()
    assert dispatcher.offer() == 1
    assert dispatcher.offer() == 0
    play_ai_turn(shop.tools(), match, 1)
    assert dispatcher.offer() == 0
    shop.ann_takes_one(match)
    assert dispatcher.offer() == 1
    assert [(due.kind, due.queue, due.turn) for due in shop.published] == [
        ("ai_turn", "ai.quick", 1),
        ("ai_turn", "ai.quick", 3),
    ]


def test_never_more_than_the_window_is_outstanding_and_the_oldest_goes_first(
    each_shop: Workshop,
) -> None:
    """Ten matches wait; each answer makes room for the one that has waited longest."""
    shop, dispatcher = each_shop, each_shop.dispatcher(window=3)
    waiting = []
    for _ in range(10):
        shop.clock.turn(1)
        waiting.append(shop.waiting_match())
    done = 0
    while done < len(waiting):
        dispatcher.offer()
        assert len(shop.published) == min(done + 3, len(waiting))
        play_ai_turn(shop.tools(), matches_of(shop)[done], 1)
        done += 1
    assert matches_of(shop) == waiting


def test_a_lost_message_is_offered_again_when_its_time_is_over(each_shop: Workshop) -> None:
    """Nobody took the offer: the row is still due, and is offered again."""
    shop, dispatcher = each_shop, each_shop.dispatcher()
    match = shop.waiting_match()
    assert dispatcher.offer() == 1
    shop.clock.turn(OFFER_US / SECOND - 1)
    assert dispatcher.offer() == 0
    shop.clock.turn(1)
    assert dispatcher.offer() == 1
    assert matches_of(shop) == [match, match]


def test_a_worker_that_died_is_replaced_when_its_lease_is_over(each_shop: Workshop) -> None:
    """A taken row is left alone while its lease lasts, and is offered again afterwards."""
    shop, dispatcher = each_shop, each_shop.dispatcher()
    match = shop.waiting_match()
    key = (f"match/{match}", "ai_turn", 1)
    dispatcher.offer()
    assert claims.take(shop.store, key, "w1", shop.clock(), 100 * SECOND) == 1
    assert claims.take(shop.store, key, "w2", shop.clock(), 100 * SECOND) is None
    shop.clock.turn(99)
    assert dispatcher.offer() == 0
    shop.clock.turn(1)
    assert dispatcher.offer() == 1
    assert claims.take(shop.store, key, "w2", shop.clock(), 100 * SECOND) == 2


def test_a_crash_between_the_note_and_the_message_loses_nothing(shop: Workshop) -> None:
    """The dispatcher dies when the offer is noted and nothing sent; its successor offers it."""

    def die(_due: Due) -> None:
        raise KeyboardInterrupt

    match = shop.waiting_match()
    with pytest.raises(KeyboardInterrupt):
        shop.dispatcher("d1", publish=die).offer()
    shop.clock.turn(max(LEASE_US, OFFER_US) / SECOND)
    assert shop.dispatcher("d2").offer() == 1
    assert matches_of(shop) == [match]


def test_a_broker_that_is_down_costs_no_order_and_no_time(each_shop: Workshop) -> None:
    """What could not be published goes out when the broker is back, in the same order."""
    shop, is_down = each_shop, True

    def publish(due: Due) -> None:
        if is_down and shop.published:
            raise ConnectionError
        shop.published.append(due)

    dispatcher = shop.dispatcher(publish=publish)
    waiting = []
    for _ in range(3):
        shop.clock.turn(1)
        waiting.append(shop.waiting_match())
    with pytest.raises(ConnectionError):
        dispatcher.offer()
    assert matches_of(shop) == waiting[:1]
    is_down = False
    assert dispatcher.offer() == 2
    assert matches_of(shop) == waiting


def test_of_two_dispatchers_one_publishes(each_shop: Workshop) -> None:
    """The second waits in vain while the first renews, and follows when it falls silent."""
    shop = each_shop
    first, second = shop.dispatcher("d1"), shop.dispatcher("d2")
    shop.waiting_match()
    assert (first.offer(), second.offer()) == (1, 0)
    for _ in range(10):
        shop.clock.turn(LEASE_US / SECOND / 3)
        shop.waiting_match()
        assert second.offer() == 0
        assert first.offer() > 0
        for due in shop.published:
            play_ai_turn(shop.tools(), due.stream.removeprefix("match/"), due.turn)
    shop.clock.turn(LEASE_US / SECOND)
    shop.waiting_match()
    assert second.offer() == 1
    assert first.offer() == 0


def test_a_dispatcher_that_was_paused_finds_its_office_taken(shop: Workshop) -> None:
    """It believes itself in office, another was elected meanwhile: its offers are not noted."""
    first, second = shop.dispatcher("d1"), shop.dispatcher("d2")
    assert first.offer() == 0
    until_then = shop.clock.now
    shop.clock.turn(LEASE_US / SECOND)
    assert second.offer() == 0
    shop.waiting_match()
    shop.clock.now = until_then  # the pause: the first still sees the old time
    assert first.offer() == 0
    assert shop.published == []


def test_a_clock_set_back_by_an_hour_stops_no_computer(each_shop: Workshop) -> None:
    """Its turn began in what is now the future, and a dead dispatcher's lease ends there too."""
    shop = each_shop
    shop.clock.turn(3_600)
    assert shop.dispatcher("dead").offer() == 0
    match = shop.waiting_match()
    shop.clock.turn(-3_600)
    assert shop.dispatcher("next").offer() == 1
    assert matches_of(shop) == [match]


def test_a_holder_whose_clock_was_set_back_renews_at_once(shop: Workshop) -> None:
    """Else a candidate would find its lease free an hour long, and both would believe to hold."""
    first, second = shop.dispatcher("d1"), shop.dispatcher("d2")
    shop.clock.turn(3_600)
    assert first.offer() == 0
    shop.clock.turn(-3_600)
    shop.waiting_match()
    assert (first.offer(), second.offer()) == (1, 0)


def test_a_row_that_not_even_the_fallback_can_play_rests_ever_longer(shop: Workshop) -> None:
    """It is not given up, it keeps nobody waiting, and it costs less and less."""
    dispatcher = shop.dispatcher(window=1)
    match = shop.waiting_match()
    key = (f"match/{match}", "ai_turn", 1)
    rests = []
    for attempt in range(1, ATTEMPTS_MAX + 5):
        assert dispatcher.offer() == 1
        assert claims.take(shop.store, key, "w1", shop.clock(), 10 * SECOND) == attempt
        begun = shop.clock.now
        while not dispatcher.offer():
            shop.clock.turn(10)
        rests.append((shop.clock.now - begun) // SECOND)
        shop.store.write(lambda conn: claims.withdraw(conn, shop.published[-1:]))
    assert rests == [10] * (ATTEMPTS_MAX + 1) + [20, 40, 80]


def test_a_start_that_is_surely_alone_frees_what_the_last_run_held(each_shop: Workshop) -> None:
    """The embedded server was killed: nobody waits for its leases, but its attempts count."""
    shop = each_shop
    match = shop.waiting_match()
    key = (f"match/{match}", "ai_turn", 1)
    shop.dispatcher("old").offer()
    claims.take(shop.store, key, "old", shop.clock(), 1_000 * SECOND)
    clear_leases(shop.store)
    assert shop.dispatcher("new").offer() == 1
    assert claims.take(shop.store, key, "new", shop.clock(), SECOND) == 2


def test_heavy_levels_go_to_their_own_queue(each_shop: Workshop) -> None:
    """A full queue of quick turns does not hold up a deep one, nor the other way round."""
    shop, dispatcher = each_shop, each_shop.dispatcher(window=1)
    for level in (1, 1, 7, 7):
        shop.waiting_match(level)
    assert dispatcher.offer() == 2
    assert sorted(due.queue for due in shop.published) == ["ai.deep", "ai.quick"]
