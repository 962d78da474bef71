"""Ours and its anchors run by turns, so that a slow moment of the machine meets all of them."""

import statistics
from collections.abc import Callable, Mapping, Sequence
from threading import Barrier, Thread
from time import perf_counter

import msgspec

from ops.dev.bench.findings import Line, Target

Measure = Callable[[], float]
"""One short run; its number."""

Step = Callable[[], object]
"""What a client does once, before it goes on to its next step."""


class Compared(msgspec.Struct, frozen=True):
    """The numbers of each side, run by run."""

    runs: Mapping[str, Sequence[float]]

    def median(self, side: str) -> float:
        """The middle number of a side."""
        return statistics.median(self.runs[side])

    def ratio(self, side: str, to: str) -> float:
        """The middle of the ratios of two sides, run by run.

        >>> Compared({"ours": [1, 6, 30], "raw": [1, 2, 15]}).ratio("ours", "raw")
        2.0
        """
        pairs = zip(self.runs[side], self.runs[to], strict=True)
        return statistics.median(ours / anchor for ours, anchor in pairs)


def alternate(rounds: int, sides: Mapping[str, Measure]) -> Compared:
    """Each side once to warm up, then all of them by turns.

    >>> alternate(2, {"ours": lambda: 3.0, "raw": lambda: 1.5}).runs
    {'ours': [3.0, 3.0], 'raw': [1.5, 1.5]}
    """
    for measure in sides.values():
        measure()
    runs: dict[str, list[float]] = {side: [] for side in sides}
    for _ in range(rounds):
        for side, measure in sides.items():
            runs[side].append(measure())
    return Compared(runs)


def lines(
    what: str, unit: str, compared: Compared, anchors: Mapping[str, tuple[str, Target | None]]
) -> list[Line]:
    """A line for each anchor: its side, how it is called, and what is asked of the ratio to it."""
    return [
        Line(
            what=what,
            ours=compared.median("ours"),
            unit=unit,
            beside=called,
            anchor=compared.median(side),
            ratio=compared.ratio("ours", side),
            target=target,
        )
        for side, (called, target) in anchors.items()
    ]


def per_second(jobs: Sequence[Sequence[Step]]) -> float:
    """Steps a second, when each job is a client that takes its steps one after the other.

    A single client runs in this thread, more of them in threads that start together.
    """
    steps = sum(map(len, jobs))
    if len(jobs) == 1:
        begun = perf_counter()
        _take(jobs[0])
        return steps / (perf_counter() - begun)
    start = Barrier(len(jobs) + 1)
    failures: list[Exception] = []
    threads = [Thread(target=_client, args=(start, job, failures)) for job in jobs]
    for thread in threads:
        thread.start()
    start.wait()
    begun = perf_counter()
    for thread in threads:
        thread.join()
    seconds = perf_counter() - begun
    if failures:
        raise failures[0]
    return steps / seconds


def _client(start: Barrier, job: Sequence[Step], failures: list[Exception]) -> None:
    start.wait()
    try:
        _take(job)
    except Exception as failure:  # noqa: BLE001 - raised again by who waits for the thread
        failures.append(failure)


def _take(job: Sequence[Step]) -> None:
    for step in job:
        step()
