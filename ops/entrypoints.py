"""The processes Plybook runs as, each joined from the same house.

Embedded, one process is all of them; in production each is a process of its own. What is
entered last is left first: the page stops before the worker, the worker before the log.
"""

import os
import socket
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager

import msgspec
import structlog
from prometheus_client import REGISTRY

from events.heads import HeadsFile, HeadsKeeper, compare, newest_heads
from events.log import EventLog
from events.projector import Projector
from ops.background import Troubles, log_error, running
from ops.folder_lock import RunningServer, announced, locked
from ops.measured_http import ASGIApp, measured, with_metrics_page
from ops.measured_tasks import watch_celery
from ops.metrics_server import DatabaseNumbers, counted_in, metrics_served
from ops.public_address import reached_at
from ops.rebuilding import AllRemade, rebuild_all
from ops.refused import Refused
from ops.settings import Settings, WrongSetting
from ops.warming import warm_up, warming_beside
from ops.web_server import WebServer, web_server
from ops.wiring import (
    SEEDS,
    House,
    Record,
    clock,
    derived,
    furnished,
    house,
    migrated,
    need_ready,
    record,
    toolbox,
)
from services.api.app import create_app
from services.api.hub import Hub
from services.api.services import Services
from services.players.tokens import new_token, token_hash
from services.projections.catching_up import CATCHING_UP
from workers.broker_line import BrokerLine
from workers.bus import BusFollower, News, announce
from workers.celery_app import QUEUES, make_app
from workers.claims import clear_leases
from workers.dispatcher import Dispatcher
from workers.election import Election
from workers.engine_pool import EnginePool
from workers.engines.registry import think, warm
from workers.gtp_pool import GtpPool
from workers.lanes import lanes
from workers.loops import OnError
from workers.offers import WINDOW_PER_SLOT
from workers.relay import Relay
from workers.running import run_worker, worker_thread
from workers.tasks import add_tasks, task_publisher
from workers.toolbox import Toolbox
from workers.warming import engines_for

_log = structlog.get_logger("plybook.start")


@contextmanager
def embedded(settings: Settings) -> Iterator[WebServer]:
    """Everything in this process, over a data folder that nobody else writes meanwhile."""
    with ExitStack() as stack:
        stack.enter_context(locked(settings.data))
        opened = stack.enter_context(record(settings))
        _brought_up_to_date(opened)
        clear_leases(opened.store)  # the lock says that their holders are gone
        built = furnished(settings, opened)
        troubles = Troubles()
        stack.enter_context(_relaying(built, troubles.tell))
        stack.enter_context(_embedded_worker(built))
        token = new_token("operator")
        services = _services(built, token_hash(token), {"work": troubles.now})
        server = stack.enter_context(
            _page(built, services, lambda app: with_metrics_page(app, REGISTRY))
        )
        announcement = RunningServer(server.url, token, os.getpid())
        stack.enter_context(announced(settings.data, announcement))
        stack.enter_context(metrics_served(settings))
        yield server


@contextmanager
def web(settings: Settings) -> Iterator[WebServer]:
    """The page and the API alone, beside workers and a relay elsewhere."""
    with (
        house(settings) as built,
        _page(built, _services(built)) as server,
        metrics_served(settings),
    ):
        yield server


@contextmanager
def relay(settings: Settings) -> Iterator[None]:
    """The relay and the dispatcher; several may run, one of them works."""
    with (
        house(settings) as built,
        _relaying(built, log_error),
        metrics_served(settings),
    ):
        yield


def worker(settings: Settings, slots: int, weights: tuple[str, ...]) -> None:
    """A worker for these queues, in the main thread until a signal ends it."""
    with (
        house(settings) as built,
        _tools(built, slots) as tools,
        metrics_served(settings),
    ):
        warm_up(tools.engines, engines_for(built.levels.specs(), weights))
        app = make_app(settings.broker)
        add_tasks(app, tools)
        if not run_worker(app, tools.worker, slots, weights, on_stop=tools.engines.close):
            raise Refused("The worker could not go on; the log says why.")


@contextmanager
def _page(
    built: House, services: Services, around: Callable[[ASGIApp], ASGIApp] = lambda app: app
) -> Iterator[WebServer]:
    """The web application, its live streams rung by the bus."""
    hub, settings = services.hub, built.settings
    app = around(measured(create_app(services)))
    app = reached_at(settings.public_url, app)
    follower = BusFollower(settings.broker, lambda news: _ring(hub, news), log_error)
    with (
        running("feed", follower.run),
        web_server(app, settings.host, settings.port, settings.proxies) as server,
    ):
        try:
            yield server
        finally:
            hub.close()  # live streams end by themselves; else stopping would wait for them


def _brought_up_to_date(opened: Record) -> None:
    """At home nobody runs ``migrate`` or ``rebuild``: the server does, alone in its folder."""
    if migrated(opened.store).left:
        for made in rebuild_all(opened):
            _log.info("rebuilt", projections=made.projections, events=made.events)
            for sentence in made.damaged:
                _log.error("left out of the rebuild", damaged=sentence)
    need_ready(opened.store)


def _ring(hub: Hub, news: News) -> None:
    hub.notify(news.stream, news.version, news.position, news.kind)


def _services(
    built: House, operator_hash: bytes = b"", checks: Mapping[str, Callable[[], str]] | None = None
) -> Services:
    """What the page of this process stands on.

    Beside workers elsewhere it has no ``checks``: it serves as well while the broker is away.
    """
    opened = built.record
    return Services(
        handler=built.handler,
        campaigns=built.campaigns,
        opponents=built.opponents,
        log=opened.log,
        store=opened.store,
        players=built.players,
        invites=built.invites,
        levels=built.levels,
        hub=Hub(),
        clock=clock,
        key=derived(built.key, "sessions"),
        operator_hash=operator_hash,
        seeds=SEEDS,
        secure_cookies=built.settings.public_url.startswith("https://"),
        rebuild=lambda: _rebuilt(opened),
        checks=checks or {},
    )


def _rebuilt(opened: Record) -> dict[str, object]:
    steps = list(rebuild_all(opened))
    done = AllRemade(
        {", ".join(made.projections): made.events for made in steps},
        tuple(sentence for made in steps for sentence in made.damaged),
    )
    return msgspec.structs.asdict(done)


@contextmanager
def _relaying(built: House, on_error: OnError) -> Iterator[None]:
    """One dispatcher and one relay, whoever of the candidates wins; followers go along."""
    watch_celery()  # a message says when it was sent, or nobody knows how long it waited
    log, store, settings = built.record.log, built.record.store, built.settings
    heads_file = _heads_file(settings)
    _need_noted(log, settings)
    holder = f"{socket.gethostname()}:{os.getpid()}"
    work_line, news_line = BrokerLine(settings.broker), BrokerLine(settings.broker)
    window = settings.window or WINDOW_PER_SLOT * settings.slots
    dispatcher = Dispatcher(
        log,
        store,
        task_publisher(make_app(settings.broker), work_line),
        lanes=lanes(built.levels.specs()),
        windows=dict.fromkeys(QUEUES, window),
        election=Election(store, "dispatcher", holder, clock),
        clock=clock,
        on_error=on_error,
    )
    relay = Relay(
        log,
        store,
        lambda recorded: news_line.publish(lambda producer: announce(producer, recorded)),
        election=Election(store, "relay", holder, clock),
        clock=clock,
        followers=(
            Projector(store, log, CATCHING_UP).catch_up,
            HeadsKeeper(store, log, heads_file).catch_up,
        ),
        on_error=on_error,
    )
    with (
        closing(work_line),
        closing(news_line),
        counted_in(DatabaseNumbers(store, clock)),
        running("relay", relay.run),
        running("dispatcher", dispatcher.run),
    ):
        yield


def _heads_file(settings: Settings) -> HeadsFile:
    """The heads file, tried: one that cannot be written would be missed only at an audit."""
    file = HeadsFile(settings.heads)
    try:
        file.append(())
    except OSError as error:
        sentence = f"it cannot be written ({error.strerror})."
        raise WrongSetting(f"PLYBOOK_HEADS is '{settings.heads}': {sentence}") from None
    return file


def _need_noted(log: EventLog, settings: Settings) -> None:
    """Stop before an older database grows over moves that the heads file saw."""
    for fault in compare(log, newest_heads(settings.heads)):
        raise Refused(
            f"The log is not the one that {settings.heads} saw ({fault}): an older database was "
            "restored, or the log was changed; after a deliberate restore move that file away "
            "and start again."
        )


@contextmanager
def _tools(built: House, slots: int) -> Iterator[Toolbox]:
    """What tasks need, with engine processes that end with the block."""
    watch_celery()
    with closing(_engines(built.settings, slots)) as engines:
        yield toolbox(built, engines, f"{socket.gethostname()}:{os.getpid()}")


def _engines(settings: Settings, slots: int) -> EnginePool:
    if settings.gtp:
        return GtpPool(think, slots, warm, settings.gtp)
    return EnginePool(think, slots, warm)


@contextmanager
def _embedded_worker(built: House) -> Iterator[None]:
    slots = built.settings.slots
    app = make_app(built.settings.broker)
    with _tools(built, slots) as tools:
        add_tasks(app, tools)
        with warming_beside(), worker_thread(app, slots):
            try:
                yield
            finally:
                tools.engines.close()  # a turn under way is due again at the next start
