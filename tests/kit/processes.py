"""Processes seen from outside: who is whose child, and how to hold one still."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


def children_of(pid: int) -> list[int]:
    """The ids of the processes that a process has started."""
    listed = Path(f"/proc/{pid}/task").glob("*/children")
    return sorted(int(child) for path in listed for child in path.read_text().split())


def is_engine(pid: int) -> bool:
    """Whether a child is one that thinks (and not a helper of the interpreter)."""
    with suppress(FileNotFoundError):
        return b"spawn_main" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def is_there(pid: int) -> bool:
    """Whether a process exists and is more than a zombie."""
    with suppress(FileNotFoundError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


@contextmanager
def held(pids: list[int]) -> Iterator[None]:
    """Stop these processes in the middle of whatever they do, for as long as the block runs."""
    for pid in pids:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)
