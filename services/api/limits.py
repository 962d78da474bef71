"""How often one caller may ask: token buckets in bounded memory, one refusal shape."""

import math
import time
from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from litestar.enums import ScopeType
from litestar.middleware import ASGIMiddleware
from litestar.types import ASGIApp, Receive, Scope, Send

from services.api.callers import bearer_token
from services.api.problems import Problem
from services.api.services import Limits
from services.players.tokens import token_hash

BUCKETS_MAX = 10_000


class Buckets:
    """A bucket per key holds ``capacity`` drops and is filled again within ``seconds``.

    The least recently used keys are forgotten past ``BUCKETS_MAX``: forgetting is in the
    caller's favour and keeps memory bounded. A capacity of 0 means no limit. Thread-safe.
    """

    def __init__(
        self, capacity: int, seconds: float, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._capacity = capacity
        self._per_second = capacity / seconds
        self._clock = clock
        self._drops: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = Lock()

    def take(self, key: str) -> float:
        """Take a drop; how many seconds to wait if there is none (0.0: taken).

        >>> bucket = Buckets(1, 60.0, clock=lambda: 0.0)
        >>> bucket.take("ada"), bucket.take("ada"), bucket.take("bob")
        (0.0, 60.0, 0.0)
        """
        if self._capacity == 0:
            return 0.0
        now = self._clock()
        with self._lock:
            drops, since = self._drops.pop(key, (float(self._capacity), now))
            drops = min(self._capacity, drops + (now - since) * self._per_second)
            taken = drops >= 1
            self._drops[key] = (drops - taken, now)
            if len(self._drops) > BUCKETS_MAX:
                self._drops.popitem(last=False)
        return 0.0 if taken else (1 - drops) / self._per_second


class RateLimit(ASGIMiddleware):
    """Counts every request by address, and by token where there is one.

    Both, because a made-up token a request would otherwise never meet a limit.
    """

    scopes = (ScopeType.HTTP,)
    exclude_opt_key = "unlimited"

    def __init__(self, limits: Limits) -> None:
        self._addresses = Buckets(limits.address_requests_per_minute, 60.0)
        self._tokens = Buckets(limits.token_requests_per_minute, 60.0)

    async def handle(self, scope: Scope, receive: Receive, send: Send, next_app: ASGIApp) -> None:
        """Pass the request on, or say how long to wait."""
        if wait := self._addresses.take(address_of(scope)):
            raise too_many("requests-by-address", wait)
        token = _token_of(scope)
        if token and (wait := self._tokens.take(token_hash(token).hex())):
            raise too_many("requests-by-token", wait)
        await next_app(scope, receive, send)


def address_of(scope: Scope) -> str:
    """The caller's network address, as the server in front tells it."""
    client = scope.get("client")
    return client[0] if client else "nowhere"


def too_many(key: str, seconds: float) -> Problem:
    """429 with the limit's key and the seconds to wait, in the body and as ``Retry-After``."""
    whole = max(1, math.ceil(seconds))
    return Problem(
        429,
        "too-many",
        f"Too many of {key.replace('-', ' ')}: wait {whole} s.",
        {"key": key, "seconds": whole},
        {"Retry-After": str(whole)},
    )


def _token_of(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"authorization":
            return bearer_token(value.decode("latin-1"))
    return None
