"""The machine in plain words: what a reader needs to place the numbers, and nothing private."""

import os
import platform
import sqlite3
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import psycopg


def machine(postgres: str) -> Iterator[str]:
    """A phrase each; ``postgres`` is the server's URL."""
    cores = len(os.sched_getaffinity(0))
    yield f"{cores} cores ({processor()}), load {os.getloadavg()[0]:.1f} at the start"
    yield f"{platform.system()}, Python {platform.python_version()}"
    with psycopg.connect(postgres) as connection:
        number = connection.info.server_version
    yield f"PostgreSQL {number // 10_000}.{number % 10_000} by TCP on the same machine"
    yield f"SQLite {sqlite3.sqlite_version} on the disk of the data folder"
    yield f"psycopg {version('psycopg')}, eventsourcing {version('eventsourcing')}"


def processor() -> str:
    """The processor's name as the kernel tells it."""
    known = Path("/proc/cpuinfo")
    lines = known.read_text("utf-8").splitlines() if known.exists() else []
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
