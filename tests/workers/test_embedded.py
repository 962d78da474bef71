"""Everything in one process: the embedded form, with the in-process broker and real threads."""

import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
from celery import Celery

from ops.background import running
from tests.kit.brokers import lose_all_messages, memory_broker
from tests.kit.machine import until
from tests.workers.workshop import SECOND, Workshop
from workers.broker_line import BrokerLine
from workers.celery_app import QUEUES, make_app
from workers.dispatcher import OFFER_US
from workers.offers import Due
from workers.running import worker_thread
from workers.tasks import TASK_OF_KIND, add_tasks, task_publisher
from workers.toolbox import Outcome


@pytest.fixture
def broker_url() -> Iterator[str]:
    """The in-process broker, empty."""
    with memory_broker() as url:
        yield url


@pytest.fixture
def app(shop: Workshop, broker_url: str) -> Celery:
    """A Celery app that knows the tasks."""
    app = make_app(broker_url)
    add_tasks(app, shop.tools())
    return app


@contextmanager
def dispatching(shop: Workshop, app: Celery, broker_url: str) -> Iterator[None]:
    """A dispatcher in a thread of its own, publishing to the broker."""
    with closing(BrokerLine(broker_url)) as line:
        publish = task_publisher(app, line)

        def note_and_publish(due: Due) -> None:
            publish(due, OFFER_US / SECOND)
            shop.published.append(due)

        with running("dispatcher", shop.dispatcher(publish=note_and_publish).run):
            yield


def is_anns_turn(shop: Workshop, match: str) -> bool:
    """Whether the computer has answered (or the match is over)."""
    state = shop.handler.load(match)
    return state is not None and state.to_move() != "B"


def test_a_person_plays_a_whole_match_against_the_computer(
    shop: Workshop, app: Celery, broker_url: str
) -> None:
    """Dispatcher, broker, worker and engine answer every move, and no thread is left behind."""
    before = set(threading.enumerate())
    match = shop.match(1, heap=9)
    with dispatching(shop, app, broker_url), worker_thread(app):
        while shop.handler.load(match).status == "running":  # type: ignore[union-attr]
            shop.ann_takes_one(match)
            assert until(lambda: is_anns_turn(shop, match))
    assert [move.seat for move in shop.moves(match)] == list("ABABABABA")
    assert set(threading.enumerate()) == before


def test_a_message_the_broker_lost_is_sent_again(
    shop: Workshop, app: Celery, broker_url: str
) -> None:
    """Every queue is emptied before a worker looks: the turn is offered again, and played."""
    match = shop.waiting_match()
    with dispatching(shop, app, broker_url):
        assert until(lambda: len(shop.published) == 1)
        assert lose_all_messages() == 1
        with worker_thread(app):
            shop.clock.turn(OFFER_US / SECOND)
            assert until(lambda: is_anns_turn(shop, match))
    assert len(shop.published) == 2
    assert len(shop.moves(match)) == 2


def test_a_message_delivered_three_times_plays_once(shop: Workshop, app: Celery) -> None:
    """The broker may repeat itself; the log does not."""
    match = shop.waiting_match()
    shop.dispatcher().offer()
    for _ in range(3):
        app.send_task(TASK_OF_KIND["ai_turn"], args=[match, 1], queue=QUEUES["ai.quick"])
    with worker_thread(app):
        assert until(lambda: len(shop.reports) == 3)
    outcomes = sorted(report.outcome.value for report in shop.reports)
    assert outcomes == [Outcome.PLAYED.value, Outcome.TAKEN.value, Outcome.TAKEN.value]
    assert len(shop.moves(match)) == 2


def test_a_worker_can_be_started_again_in_the_same_process(shop: Workshop, app: Celery) -> None:
    """Stopping leaves nothing set that would stop the next one."""
    for _ in range(2):
        match = shop.waiting_match()
        shop.dispatcher().offer()
        with worker_thread(app):
            app.send_task(TASK_OF_KIND["ai_turn"], args=[match, 1], queue=QUEUES["ai.quick"])
            assert until(lambda match=match: is_anns_turn(shop, match))  # type: ignore[misc]
        assert len(shop.moves(match)) == 2


def test_a_worker_that_stops_finishes_what_it_has_begun(shop: Workshop, app: Celery) -> None:
    """The turn it is at is played before the thread ends."""
    match = shop.waiting_match()
    shop.dispatcher().offer()
    with ExitStack() as stack:
        stack.enter_context(worker_thread(app))
        app.send_task(TASK_OF_KIND["ai_turn"], args=[match, 1], queue=QUEUES["ai.quick"])
    assert [report.outcome for report in shop.reports] == [Outcome.PLAYED]
