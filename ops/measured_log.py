"""Measuring wrapped round the log from outside: the log itself counts nothing."""

import time
from collections.abc import Sequence

from events.log import Answer, Append, VersionConflict
from events.wrapped_log import WrappedLog
from ops import metrics


class MeasuredLog(WrappedLog):
    """Round the whole log: how long a caller waits for an append, and how often in vain."""

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Hand the batch on, timing it."""
        begun = time.perf_counter()
        answers = self._inner.append(batch)
        metrics.append_seconds.observe(time.perf_counter() - begun)
        for answer in answers:
            if isinstance(answer, VersionConflict):
                metrics.append_conflicts_total.inc()
        return answers


class MeasuredGroups(WrappedLog):
    """Under the group commit: how many appends share a transaction."""

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Hand the batch on, noting its size."""
        metrics.append_group_size.observe(len(batch))
        return self._inner.append(batch)
