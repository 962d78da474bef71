"""Accounts: a name and a bearer token. The log knows only the id, so a person can be erased."""

from collections import OrderedDict
from collections.abc import Callable, Iterable
from threading import Lock
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from events import schema
from events.store import Store
from services.players.names import checked_name
from services.players.tokens import TOKEN_CHARS_MAX, new_player_id, new_token, token_hash

_player = schema.player
_invite = schema.invite

ERASED = "erased"
"""What stands in a used invitation instead of the id of a person who left."""

NAMES_KEPT = 4_096
NAME_KEPT_US = 30_000_000
"""A name read is good for half a minute: so long an erased one may still be shown elsewhere."""

# Made once: every request asks the first, and making a statement costs more than running it.
_BY_TOKEN = select(_player.c.player).where(_player.c.token_hash == bindparam("hash"))
_NAMES = select(_player.c.player, _player.c.name).where(
    _player.c.player.in_(bindparam("players", expanding=True))
)


class Registered(NamedTuple):
    """A new account; the token is shown this once and never again."""

    player: str
    name: str
    token: str


class Players:
    """The accounts of one store. ``clock`` tells microseconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock
        self._names = _NamesRead()

    def register(self, name: str) -> Registered:
        """Open an account; ``BadName`` if the name cannot be used. Names need not be unique."""
        new = Registered(new_player_id(), checked_name(name), new_token("plybook"))
        row = {
            "player": new.player,
            "name": new.name,
            "token_hash": token_hash(new.token),
            "created_at": self._clock(),
        }
        self._store.write(lambda conn: conn.execute(insert(_player).values(row)))
        return new

    def by_token(self, token: str) -> str | None:
        """Whose token this is, or None."""
        if len(token) > TOKEN_CHARS_MAX:
            return None
        of = {"hash": token_hash(token)}
        return self._store.read(lambda conn: conn.execute(_BY_TOKEN, of).scalar_one_or_none())

    def names(self, players: Iterable[str]) -> dict[str, str]:
        """Names by id; people who were erased (or never were) are simply missing."""
        wanted = sorted(set(players))
        known = self._names.known(wanted, self._clock())
        unknown = [player for player in wanted if player not in known]
        if not unknown:
            return known
        rows = self._store.read(lambda conn: conn.execute(_NAMES, {"players": unknown}).all())
        read = {row.player: row.name for row in rows}
        self._names.keep(read, self._clock())
        return {**known, **read}

    def exists(self, player: str) -> bool:
        """Whether there is such a player now."""
        rows = self._store.read(lambda conn: conn.execute(_NAMES, {"players": [player]}).all())
        return bool(rows)

    def erase(self, player: str) -> bool:
        """Forget the person: name, token, traces in invitations. False if there was nobody.

        Matches keep the bare id, which leads nowhere any more; every chain still verifies.
        """
        erased = self._store.write(lambda conn: _erase(conn, player))
        self._names.forget(player)
        return erased


def _erase(conn: Connection, player: str) -> bool:
    conn.execute(update(_invite).where(_invite.c.used_by == player).values(used_by=ERASED))
    gone = conn.execute(delete(_player).where(_player.c.player == player))
    return gone.rowcount == 1


class _NamesRead:
    """The names read last, in bounded memory and for a short time."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, int]] = OrderedDict()
        self._lock = Lock()

    def known(self, players: Iterable[str], now: int) -> dict[str, str]:
        with self._lock:
            kept = {player: self._kept.get(player, ("", now)) for player in players}
        return {player: name for player, (name, until) in kept.items() if until > now}

    def keep(self, names: dict[str, str], now: int) -> None:
        with self._lock:
            for player, name in names.items():
                self._kept[player] = (name, now + NAME_KEPT_US)
                self._kept.move_to_end(player)
            while len(self._kept) > NAMES_KEPT:
                self._kept.popitem(last=False)

    def forget(self, player: str) -> None:
        with self._lock:
            self._kept.pop(player, None)
