"""The hub: a bell in bounded memory. Nobody waits for it in vain, nobody fills it up."""

import asyncio
import threading

import pytest

from services.api.hub import Hub, HubFull

SOON = 10.0
"""Longer than anything here takes; only a fault waits so long."""


def test_a_bell_from_any_thread_wakes_the_readers_of_its_stream() -> None:
    """And only those."""

    async def scene() -> tuple[str, str]:
        hub = Hub()
        with hub.subscribe("match/a") as mine, hub.subscribe("match/b") as other:
            ringer = threading.Thread(target=hub.notify, args=("match/a", 2, 9, "k.1"))
            ringer.start()
            woken = await mine.wait(1, SOON)
            ringer.join()
            return woken, await other.wait(1, 0.01)

    assert asyncio.run(scene()) == ("news", "quiet")


def test_a_bell_rung_before_the_wait_is_not_missed() -> None:
    """Between reading the log and waiting, a ring is kept."""

    async def scene() -> str:
        hub = Hub()
        with hub.subscribe("match/a") as mine:
            hub.notify("match/a", 5, 9, "k.1")
            await asyncio.sleep(0)
            return await mine.wait(4, SOON)

    assert asyncio.run(scene()) == "news"


def test_what_was_seen_already_wakes_nobody() -> None:
    """A late or repeated ring for an old version is no news."""

    async def scene() -> str:
        hub = Hub()
        with hub.subscribe("match/a") as mine:
            for version in (1, 2, 3):
                hub.notify("match/a", version, 9, "k.1")
            return await mine.wait(3, 0.05)

    assert asyncio.run(scene()) == "quiet"


def test_a_reader_who_does_not_read_is_dropped() -> None:
    """Its queue is bounded; the last word says that it was dropped."""

    async def scene() -> tuple[str, str]:
        hub = Hub(waiting_max=3)
        with hub.subscribe("match/a") as slow, hub.subscribe("match/a") as quick:
            for version in range(1, 5):
                hub.notify("match/a", version, 9, "k.1")
                assert await quick.wait(version - 1, SOON) == "news"
            return await slow.wait(0, SOON), await quick.wait(4, 0.01)

    assert asyncio.run(scene()) == ("dropped", "quiet")


def test_the_number_of_readers_is_bounded_and_they_leave_no_trace() -> None:
    """Of everybody together and of one owner; leaving makes room."""

    async def scene() -> None:
        hub = Hub(subscribers_max=2, of_one_max=1)
        with hub.subscribe("match/a", "ada"):
            assert not hub.has_room("ada")
            with pytest.raises(HubFull), hub.subscribe("match/b", "ada"):
                pytest.fail("there was no room")
            with hub.subscribe("match/a", "bob"):
                assert len(hub) == 2
                assert not hub.has_room("eve")
        assert (len(hub), hub.has_room("ada")) == (0, True)

    asyncio.run(scene())


def test_closing_ends_every_stream_and_takes_no_new_one() -> None:
    """So that a server can stop."""

    async def scene() -> str:
        hub = Hub()
        with hub.subscribe("match/a") as mine:
            threading.Thread(target=hub.close).start()
            woken = await mine.wait(0, SOON)
        with pytest.raises(HubFull), hub.subscribe("match/a"):
            pytest.fail("the hub is closed")
        return woken

    assert asyncio.run(scene()) == "closed"


def test_a_bell_after_the_reader_is_gone_is_silent() -> None:
    """The loop may be closed by then."""
    hub = Hub()

    async def scene() -> None:
        with hub.subscribe("match/a") as mine:
            hub.mine = mine  # type: ignore[attr-defined]  # kept beyond its loop on purpose

    asyncio.run(scene())
    hub.mine.tell(7)  # type: ignore[attr-defined]  # as above
    hub.notify("match/a", 7, 9, "k.1")
    assert len(hub) == 0
