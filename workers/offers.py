"""What the dispatcher decides, as a pure function: which due work to offer now.

The rule: most urgent first, and never more outstanding than the queue's window. So an outage of
any length ends in the order of urgency, with the same few messages in the broker as ever.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from services.projections.work_due import DEADLINE

WINDOW_PER_SLOT = 4
"""Work outstanding per worker slot: enough to keep a slot busy, little enough to stay urgent."""
ATTEMPTS_MAX = 3
"""Attempts with the level's own engine; after them the fallback engine plays."""
REST_DOUBLINGS_MAX = 8
"""A row that even the fallback cannot play rests twice as long each time, this often."""


class Due(msgspec.Struct, frozen=True):
    """A row of the work that is due: what a stream waits for since ``due_at`` (µs)."""

    stream: str
    key: str
    turn: int
    kind: str
    queue: str
    due_at: int

    def is_due(self, now: int) -> bool:
        """Whether it may be offered.

        A deadline waits for its time. All else has begun: a ``due_at`` in the future says only
        that the clock was set back meanwhile, and orders the row among the others.
        """
        return self.kind != DEADLINE or self.due_at <= now


class Claim(msgspec.Struct, frozen=True):
    """What was done about a due row: offered until, taken until (µs), and how often taken."""

    stream: str
    key: str
    turn: int
    queue: str
    offered_until: int = 0
    lease_until: int = 0
    attempts: int = 0

    def is_live(self, now: int) -> bool:
        """Whether a message or a worker is still on its way."""
        return self.offered_until > now or self.lease_until > now

    def fills_window(self, now: int) -> bool:
        """Whether it counts against the window.

        Rows that fail again and again do not: they must not keep the others waiting.
        """
        return self.is_live(now) and self.attempts <= ATTEMPTS_MAX


def what_to_offer(
    due: Iterable[Due], claims: Iterable[Claim], now: int, windows: Mapping[str, int]
) -> tuple[Due, ...]:
    """The due rows to offer now, most urgent first.

    ``windows`` is the most work outstanding per queue; a queue that is not in it has no workers.

    >>> late, later = (Due("match/m-1", "deadline", 3, "deadline", "q", at) for at in (20, 10))
    >>> [due.due_at for due in what_to_offer([late, later], [], now=15, windows={"q": 1})]
    [10]
    """
    claims = tuple(claims)
    live = {(claim.stream, claim.key, claim.turn) for claim in claims if claim.is_live(now)}
    room = Counter(windows)
    room.subtract(claim.queue for claim in claims if claim.fills_window(now))
    chosen = []
    for row in sorted(due, key=lambda row: (row.due_at, row.stream, row.key)):
        is_open = row.is_due(now) and (row.stream, row.key, row.turn) not in live
        if is_open and room[row.queue] > 0:
            room[row.queue] -= 1
            chosen.append(row)
    return tuple(chosen)


def lease_us(limit_us: int, attempt: int) -> int:
    """How long the ``attempt``-th taker may keep a row (µs).

    The work's own limit; for rows that have used up their attempts, twice as long each time.

    >>> [lease_us(10, attempt) for attempt in (1, 3, 4, 5, 6, 99)]
    [10, 10, 10, 20, 40, 2560]
    """
    doublings = min(max(attempt - ATTEMPTS_MAX - 1, 0), REST_DOUBLINGS_MAX)
    return limit_us << doublings
