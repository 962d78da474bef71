"""A line to the broker for publishing: it never hangs, and it never stays broken."""

from collections.abc import Callable

from kombu.connection import Connection
from kombu.messaging import Producer

from workers.celery_app import BROKER_SECONDS, is_in_process, transport_options


class BrokerLine:
    """One connection, opened when it is needed and thrown away after any failure.

    For one thread. Every step is limited to a few seconds; when the broker is down, refuses or
    stays silent, ``publish`` raises what kombu raised, and the next call starts afresh.
    """

    def __init__(self, broker_url: str) -> None:
        self._url = broker_url
        self._producer: Producer | None = None

    def publish(self, send: Callable[[Producer], object]) -> None:
        """Let ``send`` publish; it returns when the broker has said that it has the message."""
        try:
            send(self._open())
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Drop the connection; what was confirmed stays confirmed."""
        producer, self._producer = self._producer, None
        if producer is not None:
            producer.channel.connection.client.release()

    def _open(self) -> Producer:
        if self._producer is None:
            self._producer = Producer(connected(self._url).channel())
        return self._producer


def connected(broker_url: str, heartbeat: int = 0) -> Connection:
    """A connection to the broker, every step of which ends in a few seconds, well or badly.

    Kombu by itself tries again for ever; here the caller decides when to come again.
    """
    options = transport_options(broker_url)
    if not is_in_process(broker_url):
        options |= dict.fromkeys(("read_timeout", "write_timeout"), BROKER_SECONDS)
    connection = Connection(
        broker_url,
        connect_timeout=BROKER_SECONDS,
        heartbeat=heartbeat,
        transport_options=options,
    )
    connection.ensure_connection(max_retries=1, interval_start=0, reraise_as_library_errors=False)
    return connection
