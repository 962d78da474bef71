"""The one Celery app: how work travels to the workers, and nothing about what the work is.

The broker may lose everything: what is due is a row derived from the log, a message is only a
hint (``workers/dispatcher.py``). So there are no results, no ETA, no countdown, no priorities
and no autoscaling here; each of them would make the broker a second, worse record.
"""

from celery import Celery, signals
from kombu.entity import Exchange, Queue

TASKS_EXCHANGE = Exchange("plybook.tasks", type="topic", durable=True)
"""Topic, never direct: quorum queues know no global prefetch, and a direct exchange would let
one waiting message hold up the others."""

QUEUES = {
    "ai.quick": "ai.quick.v1",
    "ai.deep": "ai.deep.v1",
    "ai.gtp": "ai.gtp.v1",
    "deadlines": "deadlines.v1",
    "upgrades": "upgrades.v1",
}
"""Queues by the weight of their work; one line adds one. The version is in the broker's name
because a broker refuses to declare a queue again with other arguments."""
DEFAULT_WEIGHT = "ai.quick"
OUTSIDE_WEIGHT = "ai.gtp"
"""The queue of outside programs: only a worker that hosts one works for it."""

POLL_SECONDS = 0.02
"""How often the in-process broker looks for messages; its default of a second is a move's wait."""
DELIVERIES_MAX = 5
"""After so many lost workers RabbitMQ drops the hint; the dispatcher offers the work again."""
BROKER_SECONDS = 5
"""Longest wait for a connection to the broker, or for its word that it has a message."""
SILENCE_SECONDS = 10
"""Longest wait of a worker for any other answer. A broker that was killed lets workers in again
before its queues are ready, and may then never answer the one question they wait for."""


def is_in_process(broker_url: str) -> bool:
    """Whether the broker lives in this process (``memory://``) and dies with it."""
    return broker_url.startswith("memory://")


def make_app(broker_url: str) -> Celery:
    """A Celery app on this broker that knows the queues; ``workers.tasks`` adds the tasks."""
    in_process = is_in_process(broker_url)
    app = Celery("plybook", broker=broker_url, set_as_current=False)
    signals.setup_logging.connect(_leave_logging_alone)
    app.conf.update(
        task_serializer="json",
        accept_content=["json"],
        task_ignore_result=True,
        result_backend=None,
        task_queues=[_queue(name, quorum=not in_process) for name in QUEUES.values()],
        task_default_queue=QUEUES[DEFAULT_WEIGHT],
        task_default_routing_key=QUEUES[DEFAULT_WEIGHT],
        task_default_exchange=TASKS_EXCHANGE.name,
        task_default_exchange_type="topic",
        task_create_missing_queues=False,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        task_publish_retry=False,  # the dispatcher comes again by itself
        worker_prefetch_multiplier=1,
        worker_pool_start_method="spawn",  # a fork would copy locks that threads hold
        worker_send_task_events=False,
        worker_enable_remote_control=False,  # saves a queue per worker; we look at metrics
        worker_redirect_stdouts=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,  # played once in any case
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_connection_timeout=BROKER_SECONDS,
        broker_heartbeat=30,
        broker_transport_options=transport_options(broker_url),
    )
    return app


def transport_options(broker_url: str) -> dict[str, object]:
    """What kombu needs beside the URL: quick polling in process, confirmed publishing outside."""
    if is_in_process(broker_url):
        return {"polling_interval": POLL_SECONDS}
    limits = dict.fromkeys(("read_timeout", "write_timeout"), SILENCE_SECONDS)
    return {"confirm_publish": True, **limits}


def _leave_logging_alone(**_: object) -> None:
    """Celery sets up logging by itself unless somebody listens to its signal: ``ops`` has."""


def _queue(name: str, *, quorum: bool) -> Queue:
    arguments = {"x-queue-type": "quorum", "x-delivery-limit": DELIVERIES_MAX} if quorum else None
    return Queue(name, TASKS_EXCHANGE, routing_key=name, queue_arguments=arguments)
