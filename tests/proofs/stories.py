"""Matches as stored events, made by the decider and chained as a log does it; and forgeries."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import msgspec
from msgspec.structs import replace

from events.codec import encode
from events.event_kinds import Event
from events.recorded import GENESIS, Recorded, link_hash
from services.games.registry import REGISTRY, Registry
from services.match import commands as cmd
from services.match.decider import decide
from services.match.folding import evolve
from services.match.refusals import Refusal
from services.match.secret import Secret
from services.match.state import MatchState, initial

MATCH = "m-aaaaaaaaaaaaaaaa"
ANN, BOB = "player:p-aaaaaaaaaaaaaaaa", "player:p-bbbbbbbbbbbbbbbb"
SEED = Secret(bytes(range(32)))


class Story:
    """A match told command by command; ``events`` are what a log would hold."""

    def __init__(
        self, games: Registry = REGISTRY, secret: Secret | None = SEED, match: str = MATCH
    ) -> None:
        self.state: MatchState = initial(match, secret, games)
        self.events: list[Recorded] = []

    def tell(self, actor: str, *commands: cmd.MatchCommand) -> "Story":
        """Each command decided and recorded, a second after the one before."""
        for command in commands:
            at = 1_000_000 * (len(self.events) + 1)
            decided = decide(self.state, command, actor, at)
            assert not isinstance(decided, Refusal), decided
            for event in decided:
                self.state = evolve(self.state, event, at)
                self.events.append(self._recorded(event, actor, at))
        return self

    def _recorded(self, event: Event, actor: str, at: int) -> Recorded:
        stream, new = f"match/{self.state.match}", encode(event)
        blank = Recorded(stream, 0, new.kind, actor, at, at, new.data, "", b"", 0)
        return rehashed([*self.events, blank])[-1]


def rehashed(events: Iterable[Recorded]) -> list[Recorded]:
    """The same events numbered and chained anew: what someone who can write SQL can do."""
    chained: list[Recorded] = []
    previous = GENESIS
    for version, event in enumerate(events, start=1):
        previous = link_hash(
            previous,
            event.stream,
            version,
            event.kind,
            event.actor,
            event.received_at,
            event.at,
            event.data,
        )
        chained.append(replace(event, version=version, hash=previous, position=version))
    return chained


def forged(
    events: Sequence[Recorded], version: int, change: Callable[[dict[str, Any]], object]
) -> list[Recorded]:
    """The events with the data of one changed in place, every hash left as it was."""
    event = events[version - 1]
    data = msgspec.json.decode(event.data)
    change(data)
    event = replace(event, data=msgspec.json.encode(data, order="deterministic"))
    return [*events[: version - 1], event, *events[version:]]
