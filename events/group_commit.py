"""Group commit: whoever waits to append shares one transaction, and so one wait for the disk."""

from collections import deque
from collections.abc import Sequence
from threading import Condition, Lock

from events.log import BATCH_APPENDS_MAX, Answer, Append, EventLog, LogFailure
from events.store_failures import NothingKept
from events.wrapped_log import WrappedLog

BATCH_BYTES_MAX = 1_048_576
"""Event bytes that one transaction carries at most, if it serves more than one call."""
CALLS_WAITING_MAX = 4 * BATCH_APPENDS_MAX
"""Calls that may queue; more of them wait outside, so a slow disk slows its callers."""

_FOR_CERTAIN = (NothingKept, ValueError, TypeError)
"""Failures after which nothing is kept, so that trying again cannot write anything twice."""


class GroupCommit(WrappedLog):
    """An ``EventLog`` round another one, that appends for many callers at once.

    There is no thread of its own: a caller who finds nobody at work goes straight through, so a
    single client pays nothing. Whoever comes meanwhile queues; the first of them then takes what
    is queued, commits it for all, and hands the lead on. A thread in between would cost every
    call two switches.
    """

    def __init__(self, log: EventLog) -> None:
        super().__init__(log)
        self._calls: deque[_Call] = deque()
        self._led = False
        self._changes = Lock()
        self._room = Condition(self._changes)

    def append(self, batch: Sequence[Append]) -> list[Answer]:
        """Write the batch, together with those of other callers if there are any.

        A batch that cannot be written fails alone.
        """
        call = self._queue_up(batch)
        if call is None:
            try:
                return self._inner.append(batch)
            finally:
                self._pass_on()
        self._await(call)
        if call.leads:
            self._lead()
        if call.failure is not None:
            raise call.failure
        return call.answers

    def _queue_up(self, batch: Sequence[Append]) -> "_Call | None":
        """A place in the queue; None if nobody is at work: then the lead is the caller's."""
        with self._changes:
            while len(self._calls) >= CALLS_WAITING_MAX:
                self._room.wait()
            if not self._led:
                self._led = True
                return None
            call = _Call(batch)
            self._calls.append(call)
            return call

    def _await(self, call: "_Call") -> None:
        """Wait until the call is settled, or has to lead."""
        try:
            call.gate.acquire()
        except BaseException:  # Ctrl-C: leave no place in the queue behind that could get the lead
            with self._changes:
                if call in self._calls:
                    self._calls.remove(call)
            if call.leads:
                self._pass_on()
            raise

    def _lead(self) -> None:
        """Commit what is queued (the leader's own call comes first), and pass the lead on."""
        group = self._take()
        try:
            self._commit(group)
        except BaseException as error:
            broken_off = f"the append was broken off: {type(error).__name__}"
            for call in group:
                if not call.answers:
                    call.failure = LogFailure(broken_off)
            raise
        finally:
            self._pass_on()
            for call in group[1:]:
                call.gate.release()

    def _take(self) -> "list[_Call]":
        with self._changes:
            group = [self._calls.popleft()]
            appends, size = len(group[0].batch), group[0].size
            while self._calls:
                appends, size = appends + len(self._calls[0].batch), size + self._calls[0].size
                if appends > BATCH_APPENDS_MAX or size > BATCH_BYTES_MAX:
                    break
                group.append(self._calls.popleft())
            self._room.notify_all()
            return group

    def _pass_on(self) -> None:
        """Give the lead to the first in the queue, who then wakes, or to whoever comes next."""
        with self._changes:
            self._led = bool(self._calls)
            if self._led:
                self._calls[0].leads = True
                self._calls[0].gate.release()

    def _commit(self, group: "Sequence[_Call]") -> None:
        """Append all calls in one transaction; one by one if one of them spoils it."""
        try:
            answers = iter(self._inner.append([each for call in group for each in call.batch]))
            for call in group:
                call.answers = [next(answers) for _ in call.batch]
        except _FOR_CERTAIN as failure:
            if len(group) == 1:
                group[0].failure = failure
            else:
                for call in group:
                    self._commit([call])
        except LogFailure as failure:
            for call in group:
                call.failure = LogFailure(str(failure))


class _Call:
    """One caller's batch, and what became of it; the caller waits at its gate."""

    __slots__ = ("answers", "batch", "failure", "gate", "leads", "size")

    def __init__(self, batch: Sequence[Append]) -> None:
        self.batch = batch
        self.size = sum(len(event.data) for append in batch for event in append.events)
        self.answers: list[Answer] = []
        self.failure: Exception | None = None
        self.leads = False
        self.gate = Lock()
        self.gate.acquire()
