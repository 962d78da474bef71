"""The one place where things are joined: plain calls, read from top to bottom.

``record`` opens the database, ``house`` what decides on top of it; faces and workers take what
they need from there. Whoever opens something here closes it here.
"""

import hmac
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import events
import ops
import services
import workers
from events.group_commit import GroupCommit
from events.log import EventLog
from events.migrations import NewerDatabase, Upgraded, pending, upgrade
from events.postgres_log import PostgresLog
from events.postgres_store import PostgresStore
from events.secret_store import Sealer
from events.sqlite_log import SqliteLog
from events.sqlite_store import SqliteStore
from events.store import Store
from ops.folder_lock import held_for
from ops.measured_handler import MeasuredHandler
from ops.measured_log import MeasuredGroups, MeasuredLog
from ops.measured_tasks import observe
from ops.refused import Refused
from ops.secret_key import any_sealed, need_right_key, secret_key_of
from ops.settings import SecretKey, Settings, WrongSetting
from services.campaigns.handler import Campaigns
from services.campaigns.solo_rules import Offering
from services.games.registry import REGISTRY
from services.levels import Levels, LevelSpec
from services.match.handler import Handler
from services.players.accounts import Players
from services.players.invites import Invites
from services.projections.catching_up import CATCHING_UP
from services.projections.inline import INLINE_TABLES, written_rows, written_run_rows
from services.ratings.handler import Opponents, level_of_opponent
from workers.celery_app import OUTSIDE_WEIGHT, QUEUES
from workers.engine_pool import EnginePool
from workers.engines.registry import ENGINES
from workers.gtp_pool import OUTSIDE, OUTSIDE_GAME
from workers.toolbox import Toolbox

MICROSECOND_NS = 1_000
SEEDS = Path(__file__).parent.parent / "seeds"


def clock() -> int:
    """Microseconds since 1970 UTC: the only clock there is; everybody else is handed it."""
    return time.time_ns() // MICROSECOND_NS


@dataclass(frozen=True)
class Record:
    """The database, opened: its store and its log."""

    store: Store
    log: EventLog


@dataclass(frozen=True)
class House:
    """Everything that decides and remembers, joined once a process."""

    settings: Settings
    key: SecretKey
    record: Record
    levels: Levels
    handler: Handler
    campaigns: Campaigns
    opponents: Opponents
    players: Players
    invites: Invites


@contextmanager
def record(settings: Settings, *, read_only: bool = False) -> Iterator[Record]:
    """The database of the settings. Tables are as ``plybook migrate`` left them."""
    one_checkout()
    with ExitStack() as stack:
        if settings.sqlite:
            sqlite = SqliteStore(settings.sqlite_file, read_only=read_only)
            stack.callback(sqlite.close)
            store: Store = sqlite
            log: EventLog = SqliteLog(sqlite, INLINE_TABLES, clock)
        else:
            postgres = PostgresStore(settings.database)
            stack.callback(postgres.close)
            store, log = postgres, PostgresLog(postgres, INLINE_TABLES, clock)
        measured = MeasuredLog(GroupCommit(MeasuredGroups(log)))
        stack.enter_context(closing(measured))
        yield Record(store, measured)


@contextmanager
def house(settings: Settings) -> Iterator[House]:
    """The whole house over a database that is ready; ``Refused`` if it is not."""
    with record(settings) as opened:
        need_ready(opened.store)
        yield furnished(settings, opened)


def toolbox(built: House, engines: EnginePool, worker: str) -> Toolbox:
    """What tasks need, under the worker's name."""
    return Toolbox(
        store=built.record.store,
        handler=built.handler,
        campaigns=built.campaigns,
        opponents=built.opponents,
        levels=built.levels,
        engines=engines,
        clock=clock,
        worker=worker,
        observe=observe,
        engine_seconds=built.settings.engine_seconds,
    )


@contextmanager
def alone(settings: Settings) -> Iterator[House]:
    """The house for a command that writes while no server does; a new log gets its tables."""
    is_new = settings.sqlite and not settings.sqlite_file.exists()
    with held_for(settings), record(settings) as opened:
        if is_new:
            migrated(opened.store)
        need_ready(opened.store)
        yield furnished(settings, opened)


def furnished(settings: Settings, opened: Record) -> House:
    """The house over an opened record; ``WrongSetting`` if the key is not its own."""
    found = opened.store.read(any_sealed)
    key = secret_key_of(settings, may_make=found is None)
    levels = levels_of(settings)
    sealer, id_key = Sealer(derived(key, "seal")), derived(key, "match ids")
    need_right_key(settings, sealer, found)
    handler = MeasuredHandler(
        opened.log,
        sealer=sealer,
        levels=levels,
        id_key=id_key,
        written_rows=written_rows,
        level_of_opponent=partial(level_of_opponent, opened.log),
    )
    return House(
        settings=settings,
        key=key,
        record=opened,
        levels=levels,
        handler=handler,
        campaigns=Campaigns(
            opened.log,
            handler,
            sealer=sealer,
            id_key=id_key,
            run_rows=written_run_rows,
            offering=Offering.load(),
        ),
        opponents=Opponents(opened.log, handler, levels),
        players=Players(opened.store, clock),
        invites=Invites(opened.store, clock),
    )


def levels_of(settings: Settings) -> Levels:
    """The levels of the house and the operator's own; ``WrongSetting`` if those are not right."""
    if not settings.levels:
        return Levels.load()
    try:
        levels = Levels.load(Path(settings.levels))
        for spec in levels.specs():
            _need_queue(spec)
            _need_engine(spec)
    except (ValueError, OSError) as wrong:
        raise WrongSetting(f"PLYBOOK_LEVELS is {settings.levels!r}: {wrong}.") from None
    return levels


def _need_queue(spec: LevelSpec) -> None:
    """``ValueError`` where nobody would ever take the turns of this level."""
    if spec.queue not in QUEUES:
        raise ValueError(f"{spec.queue!r} is none of the queues {', '.join(QUEUES)}")
    if spec.engine.startswith(OUTSIDE) != (spec.queue == OUTSIDE_WEIGHT):
        raise ValueError(f"{OUTSIDE}… engines, and no others, have queue = {OUTSIDE_WEIGHT!r}")


def _need_engine(spec: LevelSpec) -> None:
    """``ValueError`` where every turn of this level would be the fallback's."""
    if spec.game not in REGISTRY.slugs():
        raise ValueError(f"there is no game {spec.game!r}")
    if spec.engine.startswith(OUTSIDE):
        if spec.game != OUTSIDE_GAME:
            raise ValueError(f"{OUTSIDE}… engines play {OUTSIDE_GAME}, not {spec.game!r}")
    elif (spec.engine, spec.engine_version) not in ENGINES:
        raise ValueError(f"there is no engine {spec.engine!r} of version {spec.engine_version}")


def need_log(settings: Settings) -> None:
    """Stop where nothing was ever written, instead of making an empty log."""
    if settings.sqlite and not settings.sqlite_file.exists():
        raise Refused(f"There is no log at {settings.sqlite_file} yet.")


def migrated(store: Store) -> Upgraded:
    """The database with every table this program knows; what is left needs a rebuild."""
    with _not_too_old():
        return upgrade(store, INLINE_TABLES, CATCHING_UP)


def need_ready(store: Store) -> None:
    """Stop where tables are missing; only ``migrate`` and the embedded server make them."""
    with _not_too_old():
        left = pending(store, INLINE_TABLES, CATCHING_UP)
    if left:
        raise Refused(f"The database is not ready: {'; '.join(left)}.")


@contextmanager
def _not_too_old() -> Iterator[None]:
    try:
        yield
    except NewerDatabase as newer:
        raise Refused(f"This program cannot work here: {newer}.") from None


def derived(key: SecretKey, purpose: str) -> bytes:
    """A key of its own for one purpose, so that no two uses of the one secret ever meet."""
    return hmac.digest(key.raw, f"plybook/key/1/{purpose}".encode(), "sha256")


def one_checkout() -> None:
    """Stop if the four packages come from different places (their names are common ones)."""
    homes = {
        package.__name__: Path(str(package.__file__)).parents[1]
        for package in (events, services, workers, ops)
    }
    if len(set(homes.values())) > 1:
        places = ", ".join(f"{name} from {home}" for name, home in homes.items())
        raise WrongSetting(f"Plybook's packages are mixed up ({places}): use its own environment.")
