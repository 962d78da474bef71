"""The relay: every event announced, in order, at least once; nothing else waits for the bus."""

from collections.abc import Callable

from events.checkpoints import Checkpoint, LogRewound, set_checkpoint
from events.recorded import Recorded
from tests.workers.workshop import SECOND, Workshop
from workers.election import LEASE_US, Election
from workers.relay import BROKER_REST_US, OFFICE, Relay


class Bus:
    """Notes positions; ``broken`` makes it fail before the event of that position."""

    def __init__(self) -> None:
        self.heard: list[int] = []
        self.broken: int | None = None

    def announce(self, recorded: Recorded) -> None:
        """Hear an event, or fail."""
        if recorded.position == self.broken:
            raise ConnectionError
        self.heard.append(recorded.position)


def relay_of(
    shop: Workshop,
    bus: Bus,
    holder: str = "r1",
    *,
    followers: tuple[Callable[[], object], ...] = (),
    errors: list[Exception] | None = None,
) -> Relay:
    """A candidate for the relay's office; errors are noted in ``errors``."""
    noted = [] if errors is None else errors
    return Relay(
        shop.log,
        shop.store,
        bus.announce,
        election=Election(shop.store, OFFICE, holder, shop.clock),
        clock=shop.clock,
        followers=followers,
        on_error=lambda _name, error: noted.append(error),
    )


def positions(shop: Workshop) -> list[int]:
    """The positions of the whole log."""
    return [recorded.position for recorded in shop.log.read_all()]


def test_every_event_is_announced_once_and_in_order(each_shop: Workshop) -> None:
    """Whatever the number of rounds, restarts and matches."""
    shop, bus = each_shop, Bus()
    for _ in range(3):
        shop.waiting_match()
        assert relay_of(shop, bus).catch_up() > 0
    assert relay_of(shop, bus).catch_up() == 0
    assert bus.heard == positions(shop)


def test_what_a_broken_bus_did_not_take_is_announced_later(each_shop: Workshop) -> None:
    """It fails in the middle of a page: the rest follows after a pause, nothing is left out."""
    shop, bus, errors = each_shop, Bus(), list[Exception]()
    shop.waiting_match()
    bus.broken = positions(shop)[2]
    relay = relay_of(shop, bus, errors=errors)
    assert relay.catch_up() == 0
    assert bus.heard == positions(shop)[:2]
    bus.broken = None
    assert relay.catch_up() == 0, "the bus is left alone for a moment"
    shop.clock.turn(BROKER_REST_US / SECOND)
    assert relay.catch_up() == len(positions(shop)) - 2
    assert bus.heard == positions(shop)
    assert [type(error) for error in errors] == [ConnectionError]


def test_a_crash_before_the_checkpoint_announces_again_and_skips_nothing(shop: Workshop) -> None:
    """At least once: the successor begins where the checkpoint stands."""
    bus = Bus()
    shop.waiting_match()

    def announce_and_die(recorded: Recorded) -> None:
        bus.announce(recorded)
        if len(bus.heard) == 3:
            raise KeyboardInterrupt

    dying = Bus()
    dying.announce = announce_and_die  # type: ignore[method-assign]  # it dies mid-page
    try:
        relay_of(shop, dying).catch_up()
    except KeyboardInterrupt:
        shop.clock.turn(LEASE_US / SECOND)
    relay_of(shop, bus, "r2").catch_up()
    assert sorted(set(bus.heard)) == positions(shop)
    assert bus.heard[:2] == positions(shop)[:2]


def test_followers_go_on_without_the_bus_and_without_each_other(shop: Workshop) -> None:
    """A dead broker or a failing follower holds up nobody else."""
    bus, errors, followed = Bus(), list[Exception](), list[str]()
    shop.waiting_match()
    bus.broken = 1

    def fails() -> None:
        raise ValueError("one follower's fault")

    followers = (lambda: followed.append("a"), fails, lambda: followed.append("b"))
    relay = relay_of(shop, bus, followers=followers, errors=errors)
    relay.catch_up()
    relay.catch_up()
    assert followed == ["a", "b", "a", "b"]
    assert [type(error) for error in errors] == [ValueError, ConnectionError, ValueError]


def test_of_two_relays_one_announces(each_shop: Workshop) -> None:
    """The second keeps silent until the first does."""
    shop, bus = each_shop, Bus()
    first, second = relay_of(shop, bus, "r1"), relay_of(shop, bus, "r2")
    shop.waiting_match()
    assert first.catch_up() > 0
    shop.waiting_match()
    assert second.catch_up() == 0
    shop.clock.turn(LEASE_US / SECOND)
    assert second.catch_up() > 0
    assert bus.heard == positions(shop)


def test_a_log_that_was_restored_is_followed_from_its_end(shop: Workshop) -> None:
    """The checkpoint points to an event that is gone: old news stay unsaid, new ones are told."""
    bus, errors = Bus(), list[Exception]()
    shop.waiting_match()
    lost = Checkpoint(99_999, b"\x01" * 32)
    shop.store.write(lambda conn: set_checkpoint(conn, OFFICE, lost))
    relay = relay_of(shop, bus, errors=errors)
    assert relay.catch_up() == 0
    assert [type(error) for error in errors] == [LogRewound]
    before = len(positions(shop))
    shop.waiting_match()
    assert relay.catch_up() > 0
    assert bus.heard == positions(shop)[before:]
