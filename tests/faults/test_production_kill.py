"""``kill -9`` of a worker, then of the broker, in the middle of turns of the production form.

Web, relay and two workers are processes of their own, on PostgreSQL and a RabbitMQ that nobody
else uses, so that it may be killed.
"""

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass

import httpx
import psycopg
import pytest

from ops.dev.own_servers import OwnRabbitMQ, free_port
from ops.dev.test_services import SERVICES, advice, rabbitmq_program
from tests.kit.client import Client
from tests.kit.databases import fresh_database
from tests.kit.machine import Machine, Started, until
from tests.kit.processes import children_of, held, is_engine

pytestmark = [pytest.mark.postgres, pytest.mark.rabbitmq]

ENGINE_SECONDS = "3"
"""Short, because a dead worker's turn is taken over when its lease is over."""


@dataclass
class Fleet:
    """The processes of one installation."""

    machine: Machine
    database: str
    broker: OwnRabbitMQ
    workers: dict[int, Started]
    """By the port of their numbers."""

    def engines(self) -> list[int]:
        """Every engine process of every worker that lives."""
        alive = [worker.pid for worker in self.workers.values() if not worker.ended]
        return [child for pid in alive for child in children_of(pid) if is_engine(child)]

    def busy_worker(self) -> Started | None:
        """The worker that is at a turn now, as the database has it."""
        with psycopg.connect(self.database) as connection:
            row = connection.execute("SELECT holder FROM claim WHERE lease_until > 0").fetchone()
        pid = int(row[0].rpartition(":")[2]) if row else 0
        return next((worker for worker in self.workers.values() if worker.pid == pid), None)

    def said(self) -> str:
        """The last words of everybody."""
        return "\n".join(worker.lines()[-2_000:] for worker in self.workers.values())


@pytest.fixture(scope="module")
def fleet(postgres_server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    """Everything started, and a first turn played."""
    program = rabbitmq_program()
    if program is None:
        pytest.fail(advice(next(s for s in SERVICES if s.name == "RabbitMQ")), pytrace=False)
    with ExitStack() as stack:
        database = stack.enter_context(fresh_database(postgres_server))
        broker = stack.enter_context(OwnRabbitMQ(program))
        machine = Machine(
            tmp_path_factory.mktemp("fleet"),
            PLYBOOK_DATABASE=database,
            PLYBOOK_BROKER=broker.url,
            PLYBOOK_SECRET_KEY="5a" * 32,
            PLYBOOK_ENGINE_SECONDS=ENGINE_SECONDS,
        )
        machine.run("migrate")
        stack.enter_context(machine.start("relay"))
        ports = (free_port(), free_port())
        workers = {
            port: stack.enter_context(machine.start("worker", PLYBOOK_METRICS_PORT=str(port)))
            for port in ports
        }
        machine.until_ready(stack.enter_context(machine.start("serve")))
        yield Fleet(machine, database, broker, workers)


@pytest.fixture
def ann(fleet: Fleet) -> Iterator[Client]:
    """A player."""
    with Client(fleet.machine.url) as client:
        yield client


def told(fleet: Fleet, number: str) -> float:
    """A number of the workers that live, added up as Prometheus would."""
    pages = [
        httpx.get(f"http://127.0.0.1:{port}/metrics").text
        for port, worker in fleet.workers.items()
        if not worker.ended
    ]
    lines = (line.split() for page in pages for line in page.splitlines())
    return sum(float(words[1]) for words in lines if words[0] == number)


def moves_by_turn(client: Client, match: str) -> Counter[int]:
    """How often each turn was played."""
    events = client.events(match)
    return Counter(
        event["data"]["turn"] for event in events if event["kind"] == "match.move_played.1"
    )


def warmed_up(ann: Client) -> str:
    """A match in which it is Ann's turn, and an engine is awake."""
    match = ann.open_match({"A": "me", "B": {"level": 1}})
    ann.play_first_legal(match)
    ann.await_turn(match, 2)
    return match


def test_two_workers_share_the_turns_and_each_counts_its_own(fleet: Fleet, ann: Client) -> None:
    """Computers play each other; the workers' numbers add up to the moves of the log."""
    played = 'plybook_ai_turns_total{outcome="played"}'
    waited = 'plybook_task_wait_seconds_count{queue="ai.quick.v1"}'
    before = told(fleet, played), told(fleet, waited)
    match = ann.open_match({"A": {"level": 1}, "B": {"level": 1}})
    assert until(lambda: ann.see(match)["status"] == "ended"), fleet.said()
    moves = moves_by_turn(ann, match)
    assert set(moves.values()) == {1}
    assert told(fleet, played) - before[0] == len(moves)
    assert told(fleet, waited) - before[1] >= len(moves)


def test_a_worker_killed_in_the_middle_of_a_turn(fleet: Fleet, ann: Client) -> None:
    """The other one plays the turn when the lease is over, once."""
    match = warmed_up(ann)
    with held(fleet.engines()):
        turn = ann.play_first_legal(match)["view"]["turn"]
        assert until(lambda: fleet.busy_worker() is not None)
        victim = fleet.busy_worker()
        assert victim is not None
        victim.kill()
    ann.await_turn(match, turn + 1)
    assert set(moves_by_turn(ann, match).values()) == {1}
    assert sum(worker.ended for worker in fleet.workers.values()) == 1


def test_a_broker_killed_in_the_middle_of_a_turn(fleet: Fleet, ann: Client) -> None:
    """What was under way is recorded without the broker; after its restart the game goes on."""
    match = warmed_up(ann)
    fleet.broker.stop()  # politely: a queue declared in the last seconds would be lost for good
    fleet.broker.start()
    with held(fleet.engines()):
        turn = ann.play_first_legal(match)["view"]["turn"]
        assert until(lambda: fleet.busy_worker() is not None)
        fleet.broker.kill()
    ann.await_turn(match, turn + 1)
    answer = ann.play_first_legal(match)  # moves are taken without a broker, too
    fleet.broker.start()
    ann.await_turn(match, answer["view"]["turn"] + 1)
    assert moves_by_turn(ann, match) == dict.fromkeys(range(1, turn + 4), 1)
    assert "chain only" in fleet.machine.run("audit", match).stdout
