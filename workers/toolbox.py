"""What tasks need, joined once per process by ``ops/wiring.py`` and handed to ``add_tasks``."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import msgspec

from events.store import Store
from services.campaigns.handler import Campaigns
from services.levels import Levels
from services.match.handler import Handler
from services.ratings.handler import Opponents
from workers.engine_pool import EnginePool


class Outcome(Enum):
    """What became of a task. ``FAILED`` and ``GIVEN_BACK`` leave the work due: offered again."""

    PLAYED = "played"
    REPEATED = "repeated"  # the same answer was recorded before
    STALE = "stale"  # the match has moved on
    TAKEN = "taken"  # another worker has it, or it is done
    GIVEN_BACK = "given-back"  # the worker was told to stop
    FAILED = "failed"  # not even the fallback could answer


class EngineUse(msgspec.Struct, frozen=True):
    """An engine that was asked for a move: how long it thought (µs), its playouts or nodes."""

    engine: str
    engine_us: int
    nodes: int = 0


class Report(msgspec.Struct, frozen=True, omit_defaults=True):
    """One task for metrics and logs.

    ``match`` is a run's id where the task is about a run. ``attempt`` counts how often a
    computer's turn was taken, this time included.
    ``fallback`` says why the fallback engine answered (empty: it did not), ``detail`` what an
    operator wants to know about it; the last of ``engines`` had the last word.
    """

    task: str
    match: str
    turn: int
    outcome: Outcome
    game: str = ""
    level: int = msgspec.field(default=0, name="at_level")  # a log line's own level is its gravity
    engines: tuple[EngineUse, ...] = ()
    attempt: int = 0
    fallback: str = ""
    detail: str = ""


@dataclass(frozen=True)
class Toolbox:
    """The tools of a worker process, which ``worker`` names in leases.

    ``clock`` tells microseconds since 1970 UTC; ``engine_seconds`` is the longest an engine may
    think about a turn; ``observe`` is told about every task; ``sleep`` waits for seconds.
    """

    store: Store
    handler: Handler
    campaigns: Campaigns
    opponents: Opponents
    levels: Levels
    engines: EnginePool
    clock: Callable[[], int]
    worker: str
    observe: Callable[[Report], None]
    engine_seconds: float = 10.0
    sleep: Callable[[float], None] = time.sleep
