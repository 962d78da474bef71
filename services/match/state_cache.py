"""Folds kept in memory: a match is read from the log once, then only its tail."""

from collections import OrderedDict
from threading import Lock

from services.match.state import MatchState

STATES_CACHED_MAX = 1_024


class StateCache:
    """The folds used last, one a match; a bounded LRU."""

    def __init__(self) -> None:
        self._states: OrderedDict[str, MatchState] = OrderedDict()
        self._lock = Lock()

    def get(self, match: str) -> MatchState | None:
        """The newest fold known here."""
        with self._lock:
            state = self._states.get(match)
            if state is not None:
                self._states.move_to_end(match)
            return state

    def put(self, state: MatchState) -> None:
        """Remember a fold, unless a later one is known."""
        with self._lock:
            known = self._states.get(state.match)
            if known is None or known.version < state.version:
                self._states[state.match] = state
                self._states.move_to_end(state.match)
            while len(self._states) > STATES_CACHED_MAX:
                self._states.popitem(last=False)
