"""The bus: every event of the log, announced on one topic exchange, at least once and in order.

A message says where the event is and of what kind, never what is in it: who wants the event
reads the log, where visibility is judged. Routing keys are ``match.<id>.<kind>``.
"""

import threading
from collections.abc import Callable
from contextlib import suppress

import msgspec
from kombu.connection import Connection
from kombu.entity import Exchange, Queue
from kombu.message import Message
from kombu.messaging import Consumer, Producer

from events.recorded import Recorded
from workers.broker_line import connected
from workers.celery_app import BROKER_SECONDS
from workers.loops import OnError, keep_stepping

EVENTS_EXCHANGE = Exchange("plybook.events", type="topic", durable=True)

DRAIN_SECONDS = 0.5
"""How soon a follower notices that it shall stop."""
HEARTBEAT_SECONDS = 10
"""How often broker and follower say that they are there; two silences end the connection."""


class News(msgspec.Struct, frozen=True):
    """What the bus says about an event."""

    position: int
    stream: str
    version: int
    kind: str


def announce(producer: Producer, recorded: Recorded) -> None:
    """Publish the news of one event and wait until the broker has it."""
    news = News(recorded.position, recorded.stream, recorded.version, recorded.kind)
    producer.publish(
        msgspec.json.encode(news),
        content_type="application/json",
        content_encoding="utf-8",
        exchange=EVENTS_EXCHANGE,
        declare=[EVENTS_EXCHANGE],
        routing_key=f"{recorded.stream.replace('/', '.')}.{recorded.kind}",
        confirm_timeout=BROKER_SECONDS,
    )


class BusFollower:
    """Hears everything that is announced while it listens; each follower has its own queue.

    For one thread. What is announced while nobody listens is missed: read the log.
    """

    def __init__(self, broker_url: str, deliver: Callable[[News], None], on_error: OnError) -> None:
        self._url = broker_url
        self._deliver = deliver
        self._on_error = on_error
        self._connection: Connection | None = None

    def run(self, stop: threading.Event) -> None:
        """Listen until ``stop`` is set; after an error of the broker, afresh."""
        keep_stepping("bus", self._listen, stop, self._on_error)
        self._close()

    def _listen(self) -> None:
        try:
            connection = self._open()
            with suppress(TimeoutError):
                connection.drain_events(timeout=DRAIN_SECONDS)
            connection.heartbeat_check()
        except BaseException:
            self._close()
            raise

    def _close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.release()

    def _open(self) -> Connection:
        if self._connection is None:
            self._connection = connected(self._url, HEARTBEAT_SECONDS)
            queue = Queue("", EVENTS_EXCHANGE, routing_key="#", exclusive=True, auto_delete=True)
            channel = self._connection.channel()
            Consumer(channel, [queue], callbacks=[self._hear], no_ack=True).consume()
        return self._connection

    def _hear(self, body: object, _message: Message) -> None:
        self._deliver(msgspec.convert(body, News))
