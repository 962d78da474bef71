"""One process at a time writes a data folder; the others find out who, and how to reach it.

The lock is the kernel's (``flock``): it falls with its process, however that ended. What
``server.json`` says is believed only while somebody holds the lock.
"""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path

import msgspec

from ops.refused import Refused
from ops.settings import Settings

LOCK_FILE = "lock"
SERVER_FILE = "server.json"

TRIES = 5
TRY_AGAIN_SECONDS = 0.02
"""Whoever looks for a running server touches the lock for an instant."""


class FolderBusy(Refused):
    """Another process holds the data folder; the message says what to do."""


class RunningServer(msgspec.Struct, frozen=True):
    """How commands reach the server of this data folder; ``token`` is the operator's."""

    url: str
    token: str
    pid: int

    def __repr__(self) -> str:
        return f"RunningServer(url={self.url!r}, pid={self.pid})"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the data folder; ``FolderBusy`` at once if another process does."""
    make_private(folder)
    descriptor = os.open(folder / LOCK_FILE, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        if not any(_taken(descriptor, waits) for waits in range(TRIES)):
            raise FolderBusy(_who_holds(folder))
        yield
    finally:
        os.close(descriptor)


def held_for(settings: Settings) -> AbstractContextManager[None]:
    """What a command that writes needs: the folder of a SQLite log; PostgreSQL takes everybody."""
    return locked(settings.data) if settings.sqlite else nullcontext()


@contextmanager
def announced(folder: Path, server: RunningServer) -> Iterator[None]:
    """While the block runs, say in the folder how its server is reached (owner-readable only)."""
    path = folder / SERVER_FILE
    write_private(path, msgspec.json.encode(server))
    try:
        yield
    finally:
        path.unlink(missing_ok=True)


def running_server(folder: Path) -> RunningServer | None:
    """The server that holds this folder now, or None."""
    try:
        server = msgspec.json.decode((folder / SERVER_FILE).read_bytes(), type=RunningServer)
        descriptor = os.open(folder / LOCK_FILE, os.O_RDWR)
    except (FileNotFoundError, msgspec.DecodeError):
        return None
    try:
        return None if _taken(descriptor, 0) else server
    finally:
        os.close(descriptor)


def make_private(folder: Path) -> None:
    """See that a data folder is there; one that we make is for its owner alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)


def write_private(path: Path, data: bytes) -> None:
    """Put a file in place whole, readable by its owner alone from its first moment."""
    draft = path.with_name(f"{path.name}.{os.getpid()}")
    draft.unlink(missing_ok=True)
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _taken(descriptor: int, waits: int) -> bool:
    time.sleep(waits * TRY_AGAIN_SECONDS)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _who_holds(folder: Path) -> str:
    server = running_server(folder)
    holder = f"the server at {server.url} (process {server.pid})" if server else "another command"
    return f"The data folder {folder} is in use by {holder}; wait for it, or stop it first."
