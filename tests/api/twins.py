"""Two worlds that one caller must not be able to tell apart.

A twin world is the same house with every hidden thing swapped: what the caller's seat cannot
see is laid out anew (``Rules.imagine`` of its own view) and the seed is another one. Whatever
answer differs between the two worlds told the caller something hidden, however it is spelled.
"""

from typing import Any

from msgspec.structs import replace

from services.games.contract import Seat
from services.match.handler import Handler
from services.match.secret import Secret
from services.match.state import MatchState
from tests.api.house import KEY, LEVELS, House
from tests.kit.playouts import Dice

OTHER_SEED = bytes(range(100, 132))


class TwinHandler(Handler):
    """A handler that shows the twin of every match; only for what changes nothing."""

    def __init__(self, real: Handler, eyes: Seat | None) -> None:
        super().__init__(
            real._log,
            sealer=real._sealer,
            levels=LEVELS,
            id_key=KEY,
            written_rows=real._written_rows,
            games=real._games,
        )
        self._real = real
        self._eyes = eyes

    def load(self, match: str) -> MatchState | None:
        """The twin as it is now."""
        return self._twin(self._real.load(match))

    def at(
        self, match: str, *, version: int | None = None, ply: int | None = None
    ) -> MatchState | None:
        """The twin as it was."""
        return self._twin(self._real.at(match, version=version, ply=ply))

    def _twin(self, state: MatchState | None) -> MatchState | None:
        if state is None or state.status == "ended":
            return state
        other = replace(state, secret=Secret(OTHER_SEED))
        if state.position is None:
            return other
        return replace(
            other,
            start=self._other(state, state.start),
            position=self._other(state, state.position),
            base=(state.base[0], self._other(state, state.base[1])),
            line=tuple(replace(p, position=self._other(state, p.position)) for p in state.line),
        )

    def _other(self, state: MatchState, position: Any) -> Any:
        rules = state.the_game.rules
        if not isinstance(rules.awaiting(position), str):
            return position
        return rules.imagine(rules.view(position, self._eyes), Dice(state.version))


def twin_services(home: House, eyes: Seat | None) -> dict[str, Any]:
    """The services of a house to replace for its twin before these eyes."""
    return {"handler": TwinHandler(home.services.handler, eyes)}
