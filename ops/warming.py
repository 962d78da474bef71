"""Engines made ready while the service already answers."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import structlog

from workers.engine_pool import EnginePool
from workers.engines.contract import Engine
from workers.engines.kernels.cache import is_warm
from workers.warming import warmed

_log = structlog.get_logger("plybook.warm")


@contextmanager
def warming_beside() -> Iterator[None]:
    """While the block runs, ``plybook warm`` does too, if it never did: no turn waits for it.

    An engine that is asked before its time is compiled for that turn as well.
    """
    if is_warm():
        yield
        return
    _log.info("engines are made ready beside the service; until then first answers take longer")
    process = subprocess.Popen(
        [sys.executable, "-m", "ops", "warm", "--gently"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def warm_up(pool: EnginePool, engines: Sequence[Engine]) -> None:
    """Make these ready before any work is taken, with a line for each."""
    for one in warmed(engines, pool.warm, pool.size):
        told = {"engine": f"{one.engine} {one.version}", "number": f"{one.number} of {one.of}"}
        if one.wrong:
            _log.warning("engine not ready", **told, wrong=one.wrong)
        else:
            _log.info("engine ready", **told, seconds=round(one.seconds, 1))
