"""On a real RabbitMQ: real worker processes, killed in the middle of their work."""

import os
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

import pytest
from kombu.connection import Connection
from kombu.exceptions import OperationalError

from ops.dev.own_servers import OwnRabbitMQ
from ops.dev.test_services import rabbitmq_program
from tests.kit.machine import until
from tests.kit.processes import children_of, is_engine, is_there
from tests.kit.tree import ROOT
from tests.workers.own_queues import use_own_queues
from tests.workers.toy_engines import HELD_WHILE
from tests.workers.workshop import Workshop, workshop
from workers.broker_line import BrokerLine
from workers.celery_app import QUEUES, make_app
from workers.offers import Due
from workers.tasks import task_publisher

pytestmark = [pytest.mark.rabbitmq, pytest.mark.postgres]

HOUR = 3_600
CELERYS_SLEEP_SECONDS = 10


@dataclass(frozen=True)
class Fleet:
    """A dispatcher here, worker processes beside it; PostgreSQL and RabbitMQ between them."""

    shop: Workshop
    database: str
    broker: str
    suffix: str
    line: BrokerLine

    def offer(self, seconds: float = HOUR) -> int:
        """Offer what is due; the messages are good for so many seconds."""
        publish = task_publisher(make_app(self.broker), self.line)

        def send(due: Due) -> None:
            publish(due, seconds)

        return self.shop.dispatcher("d1", publish=send).offer()

    def offers_one(self) -> bool:
        """Whether one turn could be offered; not while the broker is away."""
        with suppress(OSError, OperationalError):
            return self.offer() == 1
        return False

    @contextmanager
    def worker(self, name: str, held: Path) -> Iterator[subprocess.Popen[bytes]]:
        """A worker process, killed at the end if it is still there."""
        now = str(self.shop.clock.now)
        arguments = [self.database, self.broker, self.suffix, name, now]
        process = subprocess.Popen(
            [sys.executable, "-m", "tests.workers.worker_process", *arguments],
            cwd=ROOT,
            env={**os.environ, HELD_WHILE: str(held)},
        )
        try:
            yield process
        finally:
            process.kill()
            process.wait()


def is_consumed(connection: Connection) -> bool:
    """Whether a worker waits at the queue of quick turns."""
    with suppress(*connection.channel_errors):
        queue = connection.channel().queue_declare(QUEUES["ai.quick"], passive=True)
        return bool(queue.consumer_count)
    return False


@contextmanager
def fleet_on(database: str, broker: str) -> Iterator[Fleet]:
    """A fleet with queues of its own, which are deleted afterwards."""
    suffix = secrets.token_hex(4)
    before = use_own_queues(suffix)
    try:
        with workshop(database) as shop, closing(BrokerLine(broker)) as line:
            yield Fleet(shop, database, broker, suffix, line)
        with Connection(broker) as connection:
            for name in QUEUES.values():
                connection.default_channel.queue_delete(name)
    finally:
        QUEUES.update(before)


@pytest.fixture
def fleet(postgres_url: str, rabbitmq_url: str) -> Iterator[Fleet]:
    """A fleet on the broker of the tests."""
    with fleet_on(postgres_url, rabbitmq_url) as made:
        yield made


@pytest.fixture
def mortal_broker() -> Iterator[OwnRabbitMQ]:
    """A RabbitMQ of the test's own, which it may kill."""
    program = rabbitmq_program()
    if program is None:
        pytest.skip("no RabbitMQ is installed here that could be started and killed")
    with OwnRabbitMQ(program) as broker:
        yield broker


def test_a_worker_killed_in_the_middle_of_a_turn_is_replaced_and_the_turn_played_once(
    fleet: Fleet, tmp_path: Path
) -> None:
    """``kill -9`` while the engine thinks: another worker plays, and no engine is left behind.

    The broker and the dispatcher both send the turn again; one of the two is enough.
    """
    shop, held = fleet.shop, tmp_path / "held"
    held.touch()
    match = shop.waiting_match(level=6)
    assert fleet.offer() == 1
    with fleet.worker("w1", held) as first:
        assert until(held.with_suffix(".begun").exists)
        engines = list(filter(is_engine, children_of(first.pid)))
        assert len(engines) == 1
        first.kill()
    assert until(lambda: not any(map(is_there, engines)))
    held.unlink()
    shop.clock.turn(HOUR)
    assert fleet.offer() == 1
    with fleet.worker("w2", held) as second:
        assert until(lambda: len(shop.moves(match)) > 1)
        second.terminate()
        assert second.wait(60) == 0
    assert [move.seat for move in shop.moves(match)] == ["A", "B"]
    thought = shop.moves(match)[1].thought
    assert thought is not None
    assert (thought.engine, thought.fallback) == ("waits", "")


def test_a_worker_told_to_stop_hands_the_turn_it_thinks_about_to_another_one(
    fleet: Fleet, tmp_path: Path
) -> None:
    """SIGTERM in mid-thought: it leaves at once, and no lease has to run out for the next."""
    shop, held = fleet.shop, tmp_path / "held"
    held.touch()
    match = shop.waiting_match(level=6)
    assert fleet.offer() == 1
    with fleet.worker("w1", held) as first:
        assert until(held.with_suffix(".begun").exists)
        first.terminate()
        assert first.wait(60) == 0
    assert len(shop.moves(match)) == 1
    held.unlink()
    assert fleet.offer() == 1, "the clock stands still: only a turn handed back is offered again"
    with fleet.worker("w2", held):
        assert until(lambda: len(shop.moves(match)) > 1)
    thought = shop.moves(match)[1].thought
    assert thought is not None
    assert (thought.engine, thought.fallback) == ("waits", "")


def test_a_worker_with_nothing_to_do_ends_soon_when_told_to(fleet: Fleet, tmp_path: Path) -> None:
    """Its loop looks up by itself; by Celery's own it sleeps for up to ten seconds."""
    with fleet.worker("w1", tmp_path / "free") as idle, Connection(fleet.broker) as connection:
        assert until(lambda: is_consumed(connection))
        idle.terminate()
        assert idle.wait(CELERYS_SLEEP_SECONDS / 2) == 0


def test_a_worker_that_the_broker_refuses_has_failed(fleet: Fleet, tmp_path: Path) -> None:
    """Its exit status says so to whatever starts it again; no wait would help."""
    stranger = replace(fleet, broker=f"amqp://nobody:here@{fleet.broker.partition('@')[2]}")
    with stranger.worker("w1", tmp_path / "free") as refused:
        assert refused.wait(60) == 1


def test_a_broker_killed_in_the_middle_of_a_turn_costs_nothing(
    postgres_url: str, mortal_broker: OwnRabbitMQ, tmp_path: Path
) -> None:
    """The turn under way is played without it; when it is back, dispatcher and worker are too."""
    held = tmp_path / "held"
    held.touch()
    with fleet_on(postgres_url, mortal_broker.url) as fleet, fleet.worker("w1", held):
        shop, match = fleet.shop, fleet.shop.waiting_match(level=6)
        assert fleet.offers_one()
        assert until(held.with_suffix(".begun").exists)
        mortal_broker.kill()
        held.unlink()
        assert until(lambda: len(shop.moves(match)) == 2)
        shop.ann_takes_one(match)
        assert not fleet.offers_one()
        mortal_broker.start()
        assert until(fleet.offers_one)
        assert until(lambda: len(shop.moves(match)) == 4)
        assert [move.seat for move in shop.moves(match)] == list("ABAB")


def test_a_queue_deleted_under_a_worker_is_made_again_by_it(fleet: Fleet, tmp_path: Path) -> None:
    """Nobody has to start it again: it declares what it works for and takes the next turn."""
    shop, match = fleet.shop, fleet.shop.waiting_match()
    with fleet.worker("w1", tmp_path / "free"), Connection(fleet.broker) as connection:
        assert fleet.offer() == 1
        assert until(lambda: len(shop.moves(match)) == 2)
        connection.default_channel.queue_delete(QUEUES["ai.quick"])
        shop.ann_takes_one(match)
        assert until(lambda: is_consumed(connection))
        assert fleet.offer() == 1
        assert until(lambda: len(shop.moves(match)) == 4)


def test_a_queue_that_the_broker_lost_is_made_again_by_a_worker(
    postgres_url: str, mortal_broker: OwnRabbitMQ, tmp_path: Path
) -> None:
    """Killed right after a declaration, RabbitMQ 3.10 keeps the queue's name and no more."""
    with fleet_on(postgres_url, mortal_broker.url) as fleet:
        shop, match = fleet.shop, fleet.shop.waiting_match()
        with Connection(mortal_broker.url) as connection:
            app = make_app(mortal_broker.url)
            app.amqp.queues[QUEUES["ai.quick"]](connection.default_channel).declare()
            mortal_broker.kill()
        mortal_broker.start()
        with fleet.worker("w1", tmp_path / "free"):
            assert until(fleet.offers_one)
            assert until(lambda: len(shop.moves(match)) == 2)


def test_messages_that_nobody_took_in_time_make_no_pile(fleet: Fleet) -> None:
    """Without workers a row is offered again and again; its old messages are gone by then."""
    fleet.shop.waiting_match()
    with Connection(fleet.broker) as connection:

        def waiting() -> int:
            name, channel = QUEUES["ai.quick"], connection.default_channel
            return int(channel.queue_declare(name, passive=True).message_count)

        assert fleet.offer() == 1
        assert until(lambda: waiting() == 1)
        connection.default_channel.queue_purge(QUEUES["ai.quick"])
        for _ in range(3):
            fleet.shop.clock.turn(HOUR)
            assert fleet.offer(seconds=0.05) == 1
        assert until(lambda: waiting() == 0)


def test_the_app_keeps_to_the_house_rules(rabbitmq_url: str) -> None:
    """JSON only, late acknowledgement, one at a time, nothing that makes the broker a record."""
    app = make_app(rabbitmq_url)
    conf = app.conf
    assert (conf.accept_content, conf.task_serializer) == (["json"], "json")
    assert (conf.task_acks_late, conf.task_reject_on_worker_lost) == (True, True)
    assert (conf.worker_prefetch_multiplier, conf.task_ignore_result) == (1, True)
    assert conf.broker_transport_options["confirm_publish"]
    assert conf.worker_pool_start_method == "spawn"
    for queue in app.amqp.queues.values():
        assert queue.queue_arguments["x-queue-type"] == "quorum"
        assert queue.exchange.type == "topic"
