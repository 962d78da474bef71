"""The numbers: counted from outside, under labels that never name a match or a player."""

from collections.abc import Iterator, Sequence

import httpx
import pytest
from celery import Celery
from msgspec.structs import replace
from prometheus_client import REGISTRY
from prometheus_client.metrics import MetricWrapperBase

from events.log import Answer, Append, Appended, VersionConflict
from events.wrapped_log import WrappedLog
from ops import metrics
from ops.dev.own_servers import free_port
from ops.measured_log import MeasuredGroups, MeasuredLog
from ops.measured_tasks import observe, watch_celery
from ops.metrics_server import metrics_served
from ops.refused import Refused
from ops.settings import settings_from
from tests.kit.machine import until
from workers.celery_app import QUEUES, make_app
from workers.running import worker_thread
from workers.toolbox import EngineUse, Outcome, Report

NAMELESS = {"match", "player", "seat", "actor", "stream", "token"}


def sample(name: str, **labels: str) -> float:
    """A number as it is shown now, 0 before it was first counted."""
    return REGISTRY.get_sample_value(name, labels) or 0


def all_metrics() -> list[MetricWrapperBase]:
    """Every metric of the one file."""
    return [value for value in vars(metrics).values() if isinstance(value, MetricWrapperBase)]


def test_no_label_could_name_a_match_or_a_player() -> None:
    """Labels multiply numbers; matches and players are without end."""
    assert all_metrics()
    for metric in all_metrics():
        assert not NAMELESS & set(metric._labelnames), metric._name


class ToyLog(WrappedLog):
    """Answers every append with what it was told to."""

    def __init__(self) -> None:
        self.answers: list[Answer] = []

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Give the answers."""
        assert batch
        return self.answers


def test_appends_are_timed_and_conflicts_and_groups_counted() -> None:
    """The decorators see what goes through and change nothing of it."""
    toy = ToyLog()
    toy.answers = [Appended("s", 1, 1, 1, b"", 1), VersionConflict("s", 1, 2)]
    batch = [Append("s", 0, "a", 0, ()), Append("s", 1, "a", 0, ())]
    names = ("plybook_append_seconds_count", "plybook_append_conflicts_total")
    before = [sample(name) for name in (*names, "plybook_append_group_size_sum")]
    assert MeasuredLog(MeasuredGroups(toy)).append(batch) == toy.answers
    after = [sample(name) for name in (*names, "plybook_append_group_size_sum")]
    assert [b - a for a, b in zip(before, after, strict=True)] == [1, 1, 2]


def test_a_computer_turn_is_counted_by_outcome_game_level_and_engine() -> None:
    """Played, stale, offered again; how long and how much an engine thought."""
    turns = "plybook_ai_turns_total"
    engine = {"game": "blokus", "level": "2", "engine": "greedy"}
    asked = [
        *((turns, {"outcome": outcome}) for outcome in ("played", "stale", "offered-again")),
        ("plybook_engine_seconds_sum", engine),
        ("plybook_engine_nodes_total", engine),
    ]
    before = [sample(name, **labels) for name, labels in asked]
    report = Report(
        "ai_turn", "m-1", 3, Outcome.PLAYED, "blokus", 2, (EngineUse("greedy", 250_000, 40),)
    )
    observe(replace(report, attempt=1))
    observe(replace(report, attempt=2))
    observe(Report("ai_turn", "m-1", 3, Outcome.STALE))
    after = [sample(name, **labels) for name, labels in asked]
    assert [now - was for now, was in zip(after, before, strict=True)] == pytest.approx(
        [2, 1, 1, 0.5, 80]
    )


def test_a_turn_the_fallback_answered_is_counted_with_the_level_that_failed() -> None:
    """And why, and what the level's own engine took: who tunes a level sees it run out of time."""
    failed = {"game": "blokus", "level": "8", "reason": "time"}
    engines = [{"game": "blokus", "level": "8", "engine": name} for name in ("search", "greedy")]
    asked = [
        ("plybook_fallbacks_total", failed),
        *(("plybook_engine_seconds_sum", engine) for engine in engines),
    ]
    before = [sample(name, **labels) for name, labels in asked]
    both = (EngineUse("search", 10_000_000), EngineUse("greedy", 250_000, 40))
    observe(Report("ai_turn", "m-1", 3, Outcome.PLAYED, "blokus", 8, both, fallback="time"))
    after = [sample(name, **labels) for name, labels in asked]
    assert [now - was for now, was in zip(after, before, strict=True)] == pytest.approx(
        [1, 10, 0.25]
    )


@pytest.fixture
def app() -> Iterator[Celery]:
    """A Celery app on the in-process queue, watched, with two toy tasks."""
    app = make_app("memory://")

    @app.task(name="toy.good")  # type: ignore[untyped-decorator]
    def good() -> None:
        """Do nothing."""

    @app.task(name="toy.bad")  # type: ignore[untyped-decorator]
    def bad() -> None:
        raise ValueError("planned")

    watch_celery()
    with worker_thread(app):
        yield app


def test_tasks_are_timed_and_their_wait_is_noted_by_queue(app: Celery) -> None:
    """From publication to start, and from start to end, by what became of it."""
    quick = QUEUES["ai.quick"]
    waited = sample("plybook_task_wait_seconds_count", queue=quick)
    names = [("toy.good", "done"), ("toy.bad", "failed")]
    before = [sample("plybook_task_seconds_count", task=t, outcome=o) for t, o in names]
    for name, _ in names:
        app.send_task(name, queue=quick)
    wanted = [number + 1 for number in before]
    assert until(
        lambda: (
            [sample("plybook_task_seconds_count", task=t, outcome=o) for t, o in names] == wanted
        )
    )
    assert sample("plybook_task_wait_seconds_count", queue=quick) == waited + 2


def test_a_process_shows_its_numbers_on_a_port_of_their_own() -> None:
    """Production keeps numbers away from the public port; a taken port is a sentence."""
    port = free_port()
    settings = settings_from({"PLYBOOK_METRICS_PORT": str(port)})
    with metrics_served(settings):
        page = httpx.get(f"http://127.0.0.1:{port}/metrics").text
        assert "# HELP plybook_append_seconds " in page
        with pytest.raises(Refused, match=r"Cannot show metrics on .* of its own"):
            metrics_served(settings).__enter__()
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics")


def test_no_port_shows_nothing() -> None:
    """Embedded, the page's own port shows them."""
    with metrics_served(settings_from({})):
        assert settings_from({}).metrics_port == 0
