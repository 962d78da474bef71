"""Plybook as a person runs it: real processes of the real program, in a folder of their own."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Self

import httpx

from ops.dev.own_servers import free_port
from tests.kit.tree import ROOT

PLYBOOK = Path(sys.executable).with_name("plybook")
PATIENCE_SECONDS = 120.0
"""Longest wait for anything; only a fault makes a test wait so long."""


def until(law: Callable[[], bool], seconds: float = PATIENCE_SECONDS) -> bool:
    """Whether the law becomes true in time."""
    end = time.monotonic() + seconds
    while not (kept := law()) and time.monotonic() < end:
        time.sleep(0.02)
    return kept


class Machine:
    """The environment of one installation: its data folder and whatever else is set."""

    def __init__(self, data: Path, **settings: str) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        kept = {name: value for name, value in os.environ.items() if "PLYBOOK_" not in name}
        own = {"PLYBOOK_DATA": str(data), "PLYBOOK_PORT": str(self.port), "PLYBOOK_LOG": "json"}
        self.environ: Mapping[str, str] = {**kept, **own, **settings}

    def run(self, *arguments: str, check: bool = True) -> subprocess.CompletedProcess[str]:
        """One command, run to its end."""
        done = subprocess.run(
            [PLYBOOK, *arguments],
            cwd=ROOT,
            env=self.environ,
            capture_output=True,
            text=True,
            timeout=PATIENCE_SECONDS,
            check=False,
        )
        assert not check or done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
        return done

    def start(self, *arguments: str, **settings: str) -> "Started":
        """A command that goes on; its lines are kept in the data folder."""
        return Started(self, arguments, {**self.environ, **settings})

    @contextmanager
    def serving(self) -> Iterator["Started"]:
        """The server, answering, while the block runs."""
        with self.start("serve") as server:
            self.until_ready(server)
            yield server

    def until_ready(self, server: "Started") -> None:
        """Return when the server says that it would serve."""
        assert until(lambda: server.ended or self._is_ready()), f"not ready: {server.lines()}"
        assert not server.ended, server.lines()

    def _is_ready(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health/ready").is_success
        except httpx.HTTPError:
            return False


class Started:
    """A process of ours; the block's end stops it politely and waits."""

    def __init__(
        self, machine: Machine, arguments: tuple[str, ...], environ: Mapping[str, str]
    ) -> None:
        machine.data.mkdir(parents=True, exist_ok=True)
        self._path = machine.data / f"{arguments[0]}-{time.monotonic_ns()}.lines"
        with self._path.open("wb") as lines:
            self._process = subprocess.Popen(
                [PLYBOOK, *arguments],
                cwd=ROOT,
                env=environ,
                stdin=subprocess.DEVNULL,
                stdout=lines,
                stderr=subprocess.STDOUT,
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """The process id."""
        return self._process.pid

    @property
    def ended(self) -> bool:
        """Whether the process is gone."""
        return self._process.poll() is not None

    def lines(self) -> str:
        """What it has written so far."""
        return self._path.read_text("utf-8")

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal, if it is still there."""
        self._process.send_signal(number)

    def stop(self) -> int:
        """Ask it to stop as a supervisor would; its exit code."""
        if not self.ended:
            self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            raise

    def kill(self) -> None:
        """``kill -9``."""
        self._process.kill()
        self._process.wait()
