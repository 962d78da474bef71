"""Runs through the real API and real Celery workers, while the broker does its worst to upgrades.

Every upgrade task is delivered twice and one in five is lost. The opponents' engine is replaced
by one that plays badly, so that runs go on; ``PLYBOOK_RUN_MATCHES=20`` plays them to their end.
"""

import os
import random
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from litestar.testing import TestClient

from events import event_kinds as kinds
from events.codec import decode
from ops.background import running
from services.campaigns.handler import run_stream
from services.campaigns.solo_rules import Offering
from services.games.caltrop import notation
from services.projections.work_due import UPGRADE
from services.proofs.audit_run import audit_run
from tests.api.house import LEVELS, House, Person, house
from tests.campaigns.sheet import after_wins
from tests.kit.brokers import memory_broker
from tests.kit.machine import PATIENCE_SECONDS, until
from tests.simulation.solo import WeakEngines, at_a_glance
from workers.broker_line import BrokerLine
from workers.celery_app import QUEUES, make_app
from workers.dispatcher import Dispatcher
from workers.election import Election
from workers.lanes import lanes
from workers.offers import Due
from workers.running import worker_thread
from workers.tasks import add_tasks, task_publisher
from workers.toolbox import Outcome, Report, Toolbox

MATCHES = int(os.environ.get("PLYBOOK_RUN_MATCHES", "3"))
DIFFICULTIES = ("easy", "normal", "hard", "very-hard")
OFFER_US = 300_000
LOST = 0.2
ROSTER = {one.number: " ".join(stone.type for stone in one.deck) for one in Offering.load().roster}


def clock() -> int:
    """Real time, in microseconds: lost offers have to run out."""
    return time.time_ns() // 1_000


class Workers:
    """What the workers reported, and how often the broker lost an upgrade."""

    def __init__(self) -> None:
        self.reports: list[Report] = []
        self.lost = 0

    def faulty(
        self, publish: Callable[[Due, float], None], seed: int
    ) -> Callable[[Due, float], None]:
        """The publisher behind a broker that loses and doubles upgrades."""
        dice = random.Random(seed)

        def send(due: Due, seconds: float) -> None:
            if due.kind != UPGRADE:
                publish(due, seconds)
            elif dice.random() < LOST:
                self.lost += 1
            else:  # neither copy may run out on a busy machine: both have to arrive
                publish(due, PATIENCE_SECONDS)
                publish(due, PATIENCE_SECONDS)

        return send


@contextmanager
def at_work(home: House, seed: int) -> Iterator[Workers]:
    """A dispatcher and a Celery worker for the house, in threads of their own."""
    services, workers = home.services, Workers()
    with ExitStack() as stack:
        broker = stack.enter_context(memory_broker())
        line = stack.enter_context(closing(BrokerLine(broker)))
        app = make_app(broker)
        tools = Toolbox(
            store=services.store,
            handler=services.handler,
            campaigns=services.campaigns,
            opponents=services.opponents,
            levels=LEVELS,
            engines=WeakEngines(),
            clock=clock,
            worker="w1",
            observe=workers.reports.append,
        )
        add_tasks(app, tools)
        dispatcher = Dispatcher(
            services.log,
            services.store,
            workers.faulty(task_publisher(app, line), seed),
            lanes=lanes(LEVELS.specs()),
            windows=dict.fromkeys(QUEUES, 4),
            election=Election(services.store, "dispatcher", "d1", clock),
            clock=clock,
            on_error=_fail,
            offer_us=OFFER_US,
        )
        stack.enter_context(worker_thread(app))
        stack.enter_context(running("dispatcher", dispatcher.run))
        yield workers


def _fail(_office: str, error: Exception) -> None:
    raise error


class Fighter:
    """A player who knows nothing but HTTP."""

    def __init__(self, person: Person, difficulty: str) -> None:
        self.person = person
        campaign = person.post("/campaigns", {"difficulty": difficulty}).json()["campaign"]
        self.run: str = person.post(f"/campaigns/{campaign}/runs", {"number": 1}).json()["run"]

    def view(self) -> dict[str, Any]:
        """The run now."""
        seen: dict[str, Any] = self.person.get(f"/runs/{self.run}").json()["view"]
        return seen

    def waits_for(self, *phases: str) -> dict[str, Any]:
        """The run when it has come so far."""
        assert until(lambda: self.view()["phase"] in phases, PATIENCE_SECONDS), self.view()
        return self.view()

    def fights(self) -> None:
        """The next match, to its end."""
        number = self.waits_for("ready")["next_match"]
        opened = self.person.post(f"/runs/{self.run}/fight", {"number": number})
        assert opened.status_code == 201, opened.text
        match = opened.json()["view"]["match"]
        while (seen := self.match(match))["view"]["status"] != "ended":
            if seen["view"]["to_move"] == "A":
                position = notation.parse_position(seen["view"]["position"])
                played = self.person.plays(match, seen["turn"], at_a_glance(position)[0])
                assert played.status_code == 201, played.text
            else:
                turn = seen["turn"]
                assert until(lambda: self.match(match)["turn"] > turn, PATIENCE_SECONDS)  # noqa: B023
        self.waits_for("ready", "growing", "upgrade", "ended")

    def match(self, match: str) -> dict[str, Any]:
        """The match now."""
        seen: dict[str, Any] = self.person.get(f"/matches/{match}").json()
        return seen

    def chooses(self) -> None:
        """The first upgrade on offer."""
        view = self.view()
        if view["offer"]:
            chosen = {"number": view["wins"], "slot": view["offer"][0]["slot"]}
            assert self.person.post(f"/runs/{self.run}/upgrade", chosen).status_code == 201


@pytest.mark.parametrize("difficulty", DIFFICULTIES)
def test_levels_are_the_sheets_whatever_the_broker_does(tmp_path: Path, difficulty: str) -> None:
    """At every match a fold by the sheet's rule; every win is grown for exactly once."""
    seed = DIFFICULTIES.index(difficulty)
    with house(tmp_path) as home, at_work(home, seed) as workers, TestClient(home.app()) as client:
        fighter = Fighter(Person(client, "Ann"), difficulty)
        for _ in range(MATCHES):
            fighter.fights()
            fighter.chooses()
            if fighter.waits_for("ready", "ended")["phase"] == "ended":
                break

        log = home.services.log
        events = [decode(e.kind, e.data) for e in log.read(run_stream(fighter.run))]
        opened = [event for event in events if isinstance(event, kinds.RunMatchOpened)]
        for event in opened:
            deck, wins = ROSTER[event.opponent], event.number - 1
            assert event.against == after_wins(deck, difficulty, wins, event.opponent)
        grown = [event.number for event in events if isinstance(event, kinds.OpponentsGrew)]
        wins = fighter.view()["wins"]
        assert wins >= 1
        assert grown == list(range(1, min(wins, 19) + 1))
        assert until(lambda: len(outcomes_of(workers)) >= 2 * len(grown), PATIENCE_SECONDS)
        assert outcomes_of(workers).count(Outcome.PLAYED) == len(grown)
        assert audit_run(fighter.run, log.read).is_good


def outcomes_of(workers: Workers) -> list[Outcome]:
    """What became of every upgrade task."""
    return [report.outcome for report in workers.reports if report.task == UPGRADE]
