"""Where the numbers are shown: on a port of their own, or beside the page of the embedded server.

A process counts everything in itself: a worker's engines run in children, but are timed by the
threads that ask them. So each process shows its own numbers and Prometheus adds them up.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import sqlalchemy as sa
from prometheus_client import REGISTRY, CollectorRegistry, start_http_server
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from events.pointers import pointer
from events.schema import checkpoint, event
from events.store import Store
from ops.refused import Refused
from ops.settings import Settings

MICROSECONDS = 1_000_000


@contextmanager
def metrics_served(settings: Settings) -> Iterator[None]:
    """Show ``/metrics`` on its own port while the block runs, if the settings name one."""
    host, port = settings.host, settings.metrics_port
    if port == 0:
        yield
        return
    try:
        server, thread = start_http_server(port, addr=host)
    except OSError as error:
        raise Refused(
            f"Cannot show metrics on {host} port {port} ({error.strerror}): give every process "
            "a PLYBOOK_METRICS_PORT of its own, or 0."
        ) from None
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def counted_in(numbers: Collector, registry: CollectorRegistry = REGISTRY) -> Iterator[None]:
    """Show these numbers too while the block runs."""
    registry.register(numbers)
    try:
        yield
    finally:
        registry.unregister(numbers)


class DatabaseNumbers(Collector):
    """What only the database knows, read at each scrape: due work and lagging projections."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    def describe(self) -> Iterable[GaugeMetricFamily]:
        """Name the numbers without asking the database."""
        return (_work_due(), _oldest_due(), _lag())

    def collect(self) -> Iterable[GaugeMetricFamily]:
        """Ask the database for all of them at one moment."""
        return self._store.read(self._read)

    def _read(self, connection: sa.Connection) -> tuple[GaugeMetricFamily, ...]:
        due, oldest, lag = _work_due(), _oldest_due(), _lag()
        now = self._clock()
        first = now
        for kind, count, due_at in _due_by_kind(connection, now):
            due.add_metric((kind,), count)
            first = min(first, due_at)
        oldest.add_metric((), (now - first) / MICROSECONDS)
        head = connection.scalar(sa.select(sa.func.max(event.c.position))) or 0
        for subscriber, position in connection.execute(
            sa.select(checkpoint.c.subscriber, checkpoint.c.position)
        ):
            lag.add_metric((subscriber,), head - position)
        return due, oldest, lag


def _due_by_kind(connection: sa.Connection, now: int) -> list[tuple[str, int, int]]:
    table = pointer(connection, "work_due")
    if table is None:
        return []
    kind, due_at = sa.column("kind", sa.Text), sa.column("due_at", sa.BigInteger)
    rows = connection.execute(
        sa.select(kind, sa.func.count(), sa.func.min(due_at))
        .select_from(sa.table(table.table_name))
        .where(due_at <= now)
        .group_by(kind)
    )
    return [(name, count, first) for name, count, first in rows]


def _work_due() -> GaugeMetricFamily:
    return GaugeMetricFamily("plybook_work_due", "Rows of work that are due.", labels=("kind",))


def _oldest_due() -> GaugeMetricFamily:
    return GaugeMetricFamily(
        "plybook_oldest_due_work_seconds", "Age of the oldest due work, lost by the broker or not."
    )


def _lag() -> GaugeMetricFamily:
    return GaugeMetricFamily(
        "plybook_projection_lag_events",
        "How far a reader of the log is behind its head.",
        labels=("subscriber",),
    )
