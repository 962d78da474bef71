"""The bus: news of every event reach whoever listens, and a broken broker is survived."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from urllib.parse import urlsplit, urlunsplit

import pytest

from events.recorded import Recorded
from tests.kit.brokers import memory_broker
from tests.kit.machine import until
from tests.workers.workshop import raise_it
from workers.broker_line import BrokerLine
from workers.bus import BusFollower, News, announce
from workers.loops import OnError


@pytest.fixture(params=["memory", pytest.param("rabbitmq", marks=pytest.mark.rabbitmq)])
def broker_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Each broker there is."""
    if request.param == "memory":
        with memory_broker() as url:
            yield url
    else:
        yield request.getfixturevalue("rabbitmq_url")


def event(position: int, stream: str) -> Recorded:
    """An event of which only the news matter."""
    return Recorded(stream, position, "match.started.1", "server", 0, 0, b"{}", "", b"", position)


@contextmanager
def listening(
    url: str, deliver: Callable[[News], None], on_error: OnError = raise_it
) -> Iterator[None]:
    """A follower in a thread of its own while the block runs."""
    stop = threading.Event()
    thread = threading.Thread(target=BusFollower(url, deliver, on_error).run, args=(stop,))
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


def test_everybody_who_listens_hears_everything_in_order(broker_url: str, tmp_path: object) -> None:
    """Two followers have a queue each; both hear each event once, in the log's order."""
    stream = f"match/m-{id(tmp_path)}"
    heard: tuple[list[int], list[int]] = ([], [])

    def ears(ear: list[int]) -> Callable[[News], None]:
        return lambda news: ear.append(news.position) if news.stream == stream else None

    line = BrokerLine(broker_url)
    position = 0
    with (
        closing(line),
        listening(broker_url, ears(heard[0])),
        listening(broker_url, ears(heard[1])),
    ):

        def one_more() -> bool:
            nonlocal position
            position += 1
            line.publish(lambda producer: announce(producer, event(position, stream)))
            return all(heard)

        assert until(one_more), "both listen by now"
        for _ in range(20):
            one_more()
        assert until(lambda: all(ear[-1] == position for ear in heard))
    for ear in heard:
        assert ear == list(range(ear[0], position + 1))


class Proxy:
    """A door to a broker that can be stopped from passing anything on, without closing."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 5672)
        self._listener = socket.create_server(("127.0.0.1", 0))
        address = f"{parts.username}:{parts.password}@127.0.0.1:{self._listener.getsockname()[1]}"
        self.url = urlunsplit(parts._replace(netloc=address))
        self._passing = threading.Event()
        self._passing.set()
        self._sockets: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._start(self._accept)

    def stall(self) -> None:
        """Pass nothing on any more."""
        self._passing.clear()

    def go_on(self) -> None:
        """Pass on again, what was held back first."""
        self._passing.set()

    def close(self) -> None:
        """Close every connection and wait for the threads."""
        self._passing.set()
        for each in [self._listener, *self._sockets]:
            with closing(each):
                try:
                    each.shutdown(socket.SHUT_RDWR)
                except OSError:
                    continue
        for thread in self._threads:
            thread.join()

    def _start(self, target: Callable[..., None], *args: object) -> None:
        thread = threading.Thread(target=target, args=args)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            far = socket.create_connection(self._target)
            self._sockets += [near, far]
            self._start(self._pump, near, far)
            self._start(self._pump, far, near)

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65_536):
                self._passing.wait()
                sink.sendall(data)
            sink.shutdown(socket.SHUT_RDWR)
        except OSError:
            return


@pytest.mark.rabbitmq
def test_a_silent_broker_ends_a_publication_and_not_the_publisher(
    rabbitmq_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It neither answers nor hangs up: publishing fails in its time, and works again afterwards."""
    monkeypatch.setattr("workers.broker_line.BROKER_SECONDS", 0.5)
    monkeypatch.setattr("workers.bus.BROKER_SECONDS", 0.5)
    with closing(Proxy(rabbitmq_url)) as proxy, closing(BrokerLine(proxy.url)) as line:

        def publish() -> None:
            line.publish(lambda producer: announce(producer, event(1, "match/m-proxy")))

        publish()
        proxy.stall()
        for _ in range(2):
            with pytest.raises(TimeoutError):
                publish()
        proxy.go_on()
        publish()


@pytest.mark.rabbitmq
def test_a_follower_notices_a_silent_broker_and_listens_again(
    rabbitmq_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Heartbeats are missed, the connection is given up, and a new one hears the news."""
    monkeypatch.setattr("workers.bus.HEARTBEAT_SECONDS", 1)
    monkeypatch.setattr("workers.broker_line.BROKER_SECONDS", 0.5)
    stream, heard, errors = "match/m-heartbeat", list[int](), list[Exception]()

    def hear(news: News) -> None:
        if news.stream == stream:
            heard.append(news.position)

    def is_heard() -> bool:
        before = len(heard)
        line.publish(lambda producer: announce(producer, event(1, stream)))
        return until(lambda: len(heard) > before, 0.1)

    with (
        closing(Proxy(rabbitmq_url)) as proxy,
        closing(BrokerLine(rabbitmq_url)) as line,
        listening(proxy.url, hear, lambda _name, error: errors.append(error)),
    ):
        assert until(is_heard)
        proxy.stall()
        assert until(lambda: bool(errors))
        proxy.go_on()
        assert until(is_heard)


def test_a_broker_that_is_not_there_is_said_at_once() -> None:
    """No endless retries: the caller decides when to come again."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"amqp://guest:guest@127.0.0.1:{server.getsockname()[1]}//"
    line = BrokerLine(url)
    for _ in range(2):
        with pytest.raises(OSError, match="refused"):
            line.publish(lambda producer: announce(producer, event(1, "match/m-nobody")))
