"""Throw-away PostgreSQL and RabbitMQ servers: own folder, own ports, gone when stopped.

They run the installed programs as whoever we are (as root: as the service's own user), listen
on 127.0.0.1 only, and have nothing in common with a server that already runs on the machine.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

import psycopg
from kombu.connection import Connection

START_SECONDS_MAX = 120
STOP_SECONDS_MAX = 30
ANSWER_SECONDS_MAX = 5


class CannotStart(Exception):
    """A server of our own did not come up; the message says where and shows its last words."""


def free_port() -> int:
    """A TCP port nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def postgres_objection(url: str) -> str:
    """Why a PostgreSQL does not serve for tests; empty when it does."""
    try:
        with psycopg.connect(url, connect_timeout=ANSWER_SECONDS_MAX) as connection:
            row = connection.execute(
                "SELECT rolsuper OR rolcreatedb FROM pg_roles WHERE rolname = current_user"
            ).fetchone()
    except psycopg.Error as failure:
        return str(failure).strip().splitlines()[0]
    return "" if row and row[0] else "its user may not create databases"


def rabbitmq_objection(url: str) -> str:
    """Why a RabbitMQ does not serve for tests; empty when it does."""
    try:
        with Connection(url, connect_timeout=ANSWER_SECONDS_MAX) as connection:
            connection.connect()
    except Exception as failure:  # noqa: BLE001 - amqp raises whatever its socket raises
        return str(failure) or type(failure).__name__
    return ""


class OwnServer(ABC):
    """A server process with a folder of its own; ``kill`` and ``start`` again keep its data."""

    def __init__(self, name: str, user: str) -> None:
        self.name = name
        self.url = ""
        self.folder = Path(tempfile.mkdtemp(prefix=f"plybook-{name}-"))
        self._user = _account(user)
        self._started: list[subprocess.Popen[bytes]] = []
        if self._user:
            os.chown(self.folder, self._user.pw_uid, self._user.pw_gid)

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the server and remove its folder."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    @abstractmethod
    def start(self) -> None:
        """Start the server and wait until it answers."""

    def stop(self) -> None:
        """End every process we started, the youngest first, kindly and then for certain."""
        while self._started:
            process = self._started.pop()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGTERM)
            try:
                process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()

    def kill(self) -> None:
        """Pull the plug (``kill -9`` of the whole group); ``start`` brings the data back."""
        while self._started:
            process = self._started.pop()
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()

    def _run(self, command: Sequence[str | Path], env: dict[str, str] | None = None) -> None:
        """Run a program to its end, as the server's user."""
        with (self.folder / "log").open("ab") as log:
            code = subprocess.call(command, stdout=log, stderr=log, **self._identity(env))
        if code:
            raise self._failure(f"{command[0]} ended with status {code}")

    def _spawn(self, command: Sequence[str | Path], env: dict[str, str] | None = None) -> None:
        """Start a program that stays, in a session of its own: Ctrl-C is not for it."""
        with (self.folder / "log").open("ab") as log:
            process = subprocess.Popen(
                command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                **self._identity(env),
            )
        self._started.append(process)

    def _identity(self, env: dict[str, str] | None) -> dict[str, Any]:
        """The keywords that make a process run as the server's user, in its folder."""
        home = {"HOME": str(self.folder), **(env or {})}
        keywords: dict[str, Any] = {"cwd": self.folder, "env": {**os.environ, **home}}
        if self._user:
            keywords |= {"user": self._user.pw_uid, "group": self._user.pw_gid, "extra_groups": []}
        return keywords

    def _wait(self, objection: Callable[[str], str]) -> None:
        """Poll until the server answers; fail at once when its process ends."""
        until = time.monotonic() + START_SECONDS_MAX
        while reason := objection(self.url):
            if self._started[-1].poll() is not None:
                raise self._failure("it ended while starting")
            if time.monotonic() > until:
                raise self._failure(f"no answer within {START_SECONDS_MAX} s ({reason})")
            time.sleep(0.1)

    def _failure(self, what: str) -> CannotStart:
        log = self.folder / "log"
        words = log.read_text(errors="replace").splitlines()[-15:] if log.exists() else []
        return CannotStart("\n".join([f"{self.name} of our own did not start: {what}", *words]))


class OwnPostgres(OwnServer):
    """A private PostgreSQL cluster; ``bin_folder`` holds ``initdb`` and ``postgres``."""

    def __init__(self, bin_folder: Path) -> None:
        super().__init__("postgres", "postgres")
        self._bin = bin_folder
        self._port = free_port()
        self.url = f"postgresql://postgres@127.0.0.1:{self._port}/postgres"

    def start(self) -> None:
        """Make the cluster if it is new, start it and wait until it answers."""
        data = self.folder / "data"
        if not data.exists():
            options = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"]
            self._run([self._bin / "initdb", "-D", data, *options])
        self._spawn([
            self._bin / "postgres", "-D", data, "-p", str(self._port), "-k", self.folder,
            "-c", "listen_addresses=127.0.0.1", "-c", "fsync=off", "-c", "max_connections=200",
        ])  # fmt: skip
        self._wait(postgres_objection)


class OwnRabbitMQ(OwnServer):
    """A private RabbitMQ node with an Erlang port mapper of its own; ``server`` starts a node."""

    def __init__(self, server: Path) -> None:
        super().__init__("rabbitmq", "rabbitmq")
        self._server = server
        self._port, self._epmd_port, self._peer_port = free_port(), free_port(), free_port()
        self.url = f"amqp://guest:guest@127.0.0.1:{self._port}//"

    def start(self) -> None:
        """Start the port mapper and the node, and wait until it answers."""
        for name, text in {"rabbitmq.conf": "", "plugins": "[].", "env.conf": ""}.items():
            (self.folder / name).write_text(text)
        env = {
            "ERL_EPMD_PORT": str(self._epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODENAME": f"plybook{self._port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self._port),
            "RABBITMQ_DIST_PORT": str(self._peer_port),
            "RABBITMQ_MNESIA_BASE": str(self.folder / "data"),
            "RABBITMQ_LOG_BASE": str(self.folder / "logs"),
            "RABBITMQ_CONFIG_FILE": str(self.folder / "rabbitmq.conf"),
            "RABBITMQ_CONF_ENV_FILE": str(self.folder / "env.conf"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(self.folder / "plugins"),
            "RUNNING_UNDER_SYSTEMD": "1",  # the node replaces its start script: one process to end
        }
        mapper = shutil.which("epmd")
        if mapper is None:
            raise self._failure("the Erlang port mapper (epmd) is not installed")
        self._spawn([mapper, "-port", str(self._epmd_port), "-address", "127.0.0.1"])
        self._spawn([self._server], env)
        self._wait(rabbitmq_objection)


def _account(name: str) -> pwd.struct_passwd | None:
    """Whom a server runs as: root lends itself to nobody; everybody else stays who they are."""
    if os.geteuid() != 0:
        return None
    for candidate in (name, "nobody"):
        with suppress(KeyError):
            return pwd.getpwnam(candidate)
    raise CannotStart(f"{name} must not run as root and there is no user to lend to")
