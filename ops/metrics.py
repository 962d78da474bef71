"""Every number Plybook shows to Prometheus, in one file. Never a match or a player as a label."""

from prometheus_client import Counter, Histogram

SHORT = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
ENGINE = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)
WAIT = (0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60, 300, 1800)

engine_seconds = Histogram(
    "plybook_engine_seconds",
    "Time an engine thought about one turn, in vain or not.",
    ("game", "level", "engine"),
    buckets=ENGINE,
)
engine_nodes_total = Counter(
    "plybook_engine_nodes_total",
    "Nodes or playouts of the engines; over plybook_engine_seconds_sum: their speed.",
    ("game", "level", "engine"),
)
task_wait_seconds = Histogram(
    "plybook_task_wait_seconds",
    "Time from a task's publication to its start.",
    ("queue",),
    buckets=WAIT,
)
task_seconds = Histogram(
    "plybook_task_seconds",
    "Time a task ran, by its outcome (done, failed, retried).",
    ("task", "outcome"),
    buckets=ENGINE,
)
append_seconds = Histogram(
    "plybook_append_seconds",
    "Time an append took for its caller, waiting in the group included.",
    buckets=SHORT,
)
append_group_size = Histogram(
    "plybook_append_group_size",
    "Appends that shared one transaction.",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256),
)
append_conflicts_total = Counter(
    "plybook_append_conflicts_total",
    "Appends refused because their stream had moved on.",
)
refusals_total = Counter(
    "plybook_refusals_total",
    "Commands refused, by the refusal's code.",
    ("code",),
)
ai_turns_total = Counter(
    "plybook_ai_turns_total",
    "Tasks by what became of them (played, stale, given-back, …), offered-again among them.",
    ("outcome",),
)
fallbacks_total = Counter(
    "plybook_fallbacks_total",
    "Turns that a weaker engine answered, by the level that was asked and why it failed.",
    ("game", "level", "reason"),
)
http_seconds = Histogram(
    "plybook_http_seconds",
    "Time from a request to the end of its answer, by route; streams excluded.",
    ("method", "route", "status"),
    buckets=SHORT,
)
