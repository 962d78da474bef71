"""Measuring wrapped round Celery and told by the workers: waits, times, and computer turns."""

import time
from collections.abc import MutableMapping
from typing import Any

import msgspec
import structlog
from celery import signals

from ops import metrics
from workers.toolbox import Outcome, Report

PUBLISHED_AT = "plybook_published_at"
MICROSECONDS = 1_000_000

_log = structlog.get_logger("plybook.turns")


def watch_celery() -> None:
    """Note of every task of this process how long it waited and ran; once is enough."""
    signals.before_task_publish.connect(_stamp)
    signals.task_prerun.connect(_begin)
    signals.task_postrun.connect(_end)


def observe(report: Report) -> None:
    """What workers tell about a task: a line for people, counts for the dashboard."""
    write = _log.warning if report.outcome is Outcome.FAILED else _log.info
    write("task", **msgspec.to_builtins(report))
    metrics.ai_turns_total.labels(report.outcome.value).inc()
    if report.attempt > 1:
        metrics.ai_turns_total.labels("offered-again").inc()
    game, level = report.game, str(report.level)
    if report.fallback:
        metrics.ai_turns_total.labels("fallback").inc()
        metrics.fallbacks_total.labels(game, level, report.fallback).inc()
    for use in report.engines:
        labels = (game, level, use.engine)
        metrics.engine_seconds.labels(*labels).observe(use.engine_us / MICROSECONDS)
        metrics.engine_nodes_total.labels(*labels).inc(use.nodes)


def _stamp(headers: MutableMapping[str, Any], **_: object) -> None:
    headers[PUBLISHED_AT] = time.time()


def _begin(task: Any, **_: object) -> None:
    request = task.request
    request.plybook_begun = time.perf_counter()
    published = getattr(request, PUBLISHED_AT, None)
    if published is not None:
        queue = str((request.delivery_info or {}).get("routing_key"))
        metrics.task_wait_seconds.labels(queue).observe(max(0.0, time.time() - published))


def _end(task: Any, state: str, **_: object) -> None:
    spent = time.perf_counter() - task.request.plybook_begun
    outcome = "done" if state == "SUCCESS" else "failed"
    metrics.task_seconds.labels(task.name, outcome).observe(spent)
