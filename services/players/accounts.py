"""Accounts: a name and a bearer token. The log knows only the id, so a person can be erased."""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from sqlalchemy import Connection, delete, insert, select, update

from events import schema
from events.store import Store
from services.players.names import checked_name
from services.players.tokens import TOKEN_CHARS_MAX, new_player_id, new_token, token_hash

_player = schema.player
_invite = schema.invite

ERASED = "erased"
"""What stands in a used invitation instead of the id of a person who left."""


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
        query = select(_player.c.player).where(_player.c.token_hash == token_hash(token))
        return self._store.read(lambda conn: conn.execute(query).scalar_one_or_none())

    def names(self, players: Iterable[str]) -> dict[str, str]:
        """Names by id; people who were erased (or never were) are simply missing."""
        wanted = sorted(set(players))
        if not wanted:
            return {}
        query = select(_player.c.player, _player.c.name).where(_player.c.player.in_(wanted))
        return self._store.read(lambda conn: {row.player: row.name for row in conn.execute(query)})

    def erase(self, player: str) -> bool:
        """Forget the person: name, token, traces in invitations. False if there was nobody.

        Matches keep the bare id, which leads nowhere any more; every chain still verifies.
        """
        return self._store.write(lambda conn: _erase(conn, player))


def _erase(conn: Connection, player: str) -> bool:
    conn.execute(update(_invite).where(_invite.c.used_by == player).values(used_by=ERASED))
    gone = conn.execute(delete(_player).where(_player.c.player == player))
    return gone.rowcount == 1
