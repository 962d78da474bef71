"""uvicorn in a thread: the main thread keeps the signals and the order of stopping."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from ops.measured_http import ASGIApp
from ops.refused import Refused

GRACE_SECONDS = 3
"""How long open answers (live streams above all) may take to end when the server stops."""
WAITING_CONNECTIONS_MAX = 2_048


class WebServer:
    """One running server; ``url`` holds the port it got, ``ended`` is set when it is no more."""

    def __init__(self, app: ASGIApp, listening: socket.socket, proxies: str) -> None:
        host, self.port = listening.getsockname()[:2]
        self.url = f"http://{_in_url(host)}:{self.port}"
        self.ended = threading.Event()
        self._listening = listening
        self._server = _Server(
            uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                server_header=False,
                forwarded_allow_ips=proxies,
                timeout_graceful_shutdown=GRACE_SECONDS,
            )
        )
        self._thread = threading.Thread(target=self._run, name="plybook-web", daemon=True)

    def start(self) -> None:
        """Start, and return when requests are answered; ``Refused`` if that fails."""
        self._thread.start()
        self._server.ready.wait()
        if not self._server.started:
            raise Refused("The web server did not start; the lines above say why.")

    def stop(self) -> None:
        """Take no new requests, end the open ones, and wait until that is done."""
        self._server.should_exit = True
        self._thread.join()

    def _run(self) -> None:
        try:
            self._server.run(sockets=[self._listening])
        finally:
            self._server.ready.set()
            self.ended.set()


@contextmanager
def web_server(
    app: ASGIApp, host: str, port: int, proxies: str = "127.0.0.1"
) -> Iterator[WebServer]:
    """Serve ``app`` while the block runs; ``proxies`` are believed about their callers."""
    with _listening(host, port) as listening:
        server = WebServer(app, listening, proxies)
        server.start()
        try:
            yield server
        finally:
            server.stop()


class _Server(uvicorn.Server):
    """Tells another thread when it answers, or that it never will."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.ready = threading.Event()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.ready.set()


def _listening(host: str, port: int) -> socket.socket:
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS_MAX)
    except OSError as error:
        why = str(error.strerror).partition(" (")[0]
        raise Refused(
            f"Cannot listen on {host} port {port} ({why}): set PLYBOOK_HOST and "
            "PLYBOOK_PORT to an address and a port that are free (0 takes any)."
        ) from None


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
