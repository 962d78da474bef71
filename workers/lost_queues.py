"""Queues that RabbitMQ itself has lost: they can be declared and bound, and nothing comes out.

Killed within two seconds of a quorum queue's declaration, RabbitMQ 3.10 still knows the queue
when it is back, but has no log of it: declaring is answered, publishing and consuming are not.
What helps is to delete the queue; whoever connects next declares it. Its messages were hints,
and are offered again.
"""

import logging

from celery import Celery
from kombu.entity import Queue

_log = logging.getLogger("plybook.broker")


def delete_lost_queues(app: Celery) -> None:
    """Delete those of this worker's queues that give nobody an answer.

    For a worker that got none: it does not know which of its queues stayed silent, or whether
    the whole broker was only slow. Raises what the broker raises if it is gone.
    """
    for queue in app.amqp.queues.consume_from.values():
        if _is_lost(app, queue):
            _log.warning("the broker has lost the queue %s: it is made anew", queue.name)
            with app.connection_for_read() as connection:
                queue(connection.channel()).delete()


def _is_lost(app: Celery, queue: Queue) -> bool:
    """Whether a consumer waits in vain for the broker's word that it is one."""
    connection = app.connection_for_read()
    try:
        channel = connection.channel()
        channel.basic_qos(0, 1, False)
        return not _answers(queue(channel))
    finally:
        connection.collect()  # without farewell: that would wait for the same answer


def _answers(queue: Queue) -> bool:
    try:
        queue.consume(callback=lambda _message: None)
    except TimeoutError:
        return False
    return True
