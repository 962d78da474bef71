"""All the web faces stand on, joined by ``ops`` and handed to ``create_app``."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from events.log import EventLog
from events.store import Store
from services.api.hub import Hub
from services.campaigns.handler import Campaigns
from services.games.registry import REGISTRY, Registry
from services.levels import Levels
from services.match.handler import Handler
from services.match.state_cache import StateCache
from services.players.accounts import Players
from services.players.invites import Invites
from services.ratings.handler import Opponents


@dataclass(frozen=True)
class Limits:
    """What one caller may ask for; every number is per process."""

    body_bytes: int = 65_536
    token_requests_per_minute: int = 600
    address_requests_per_minute: int = 1_200
    accounts_per_hour: int = 20
    computer_turns: int = 16
    keep_alive_seconds: float = 7.0


@dataclass(frozen=True)
class Services:
    """The parts a web process needs. ``clock`` tells microseconds since 1970 UTC.

    ``key`` (32 bytes, secret, the same in every web process) signs sessions and tickets;
    ``operator_hash`` is the SHA-256 of the operator's token (empty: there is no operator).
    ``games`` are the handler's; ``public_folds`` keeps what strangers see of hidden games.
    ``rebuild`` makes the projections anew and tells what it did. ``checks`` are asked by
    ``/health/ready``: each returns what is wrong, or an empty text.
    """

    handler: Handler
    campaigns: Campaigns
    opponents: Opponents
    log: EventLog
    store: Store
    players: Players
    invites: Invites
    levels: Levels
    hub: Hub
    clock: Callable[[], int]
    key: bytes
    operator_hash: bytes = b""
    games: Registry = REGISTRY
    public_folds: StateCache = field(default_factory=StateCache)
    limits: Limits = field(default_factory=Limits)
    seeds: Path = Path("seeds")
    secure_cookies: bool = False
    rebuild: Callable[[], Mapping[str, Any]] | None = None
    checks: Mapping[str, Callable[[], str]] = field(default_factory=dict)
