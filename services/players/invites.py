"""Invitations: a 256-bit secret that opens one seat of one match, once."""

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import Connection, delete, func, insert, or_, select, update

from events import schema
from events.store import Store
from services.players.tokens import TOKEN_CHARS_MAX, new_token, token_hash

INVITE_DAYS = 14
INVITES_OPEN_MAX = 20
"""Most unused invitations of one match at a time."""

_DAY = 86_400_000_000  # microseconds
_invite = schema.invite


class Invite(NamedTuple):
    """What an invitation is for; ``used_by`` is empty while it is good."""

    match: str
    seat: str
    used_by: str


class TooManyInvites(Exception):
    """The match has ``INVITES_OPEN_MAX`` unused invitations already."""


class Invites:
    """The invitations of one store. ``clock`` tells microseconds since 1970."""

    def __init__(self, store: Store, clock: Callable[[], int]) -> None:
        self._store = store
        self._clock = clock

    def issue(self, match: str, seat: str) -> str:
        """A new invitation's secret; it is good for ``INVITE_DAYS`` days."""
        token, now = new_token("invite"), self._clock()
        row = {
            "token_hash": token_hash(token),
            "match": match,
            "seat": seat,
            "expires_at": now + INVITE_DAYS * _DAY,
            "used_by": "",
        }
        self._store.write(lambda conn: _issue(conn, row, now))
        return token

    def look(self, token: str) -> Invite | None:
        """What the secret is for, unless it is unknown or has expired."""
        if len(token) > TOKEN_CHARS_MAX:
            return None
        query = select(_invite.c.match, _invite.c.seat, _invite.c.used_by).where(
            _invite.c.token_hash == token_hash(token), _invite.c.expires_at > self._clock()
        )
        row = self._store.read(lambda conn: conn.execute(query).one_or_none())
        return row and Invite(*row)

    def redeem(self, token: str, player: str) -> Invite | None:
        """Claim the invitation for a player; None if it is not to be had.

        The same player may claim it again: a crash between the claim and the seat burns nothing.
        """
        claim = (
            update(_invite)
            .where(
                _invite.c.token_hash == token_hash(token[:TOKEN_CHARS_MAX]),
                _invite.c.expires_at > self._clock(),
                or_(_invite.c.used_by == "", _invite.c.used_by == player),
            )
            .values(used_by=player)
        )
        claimed = self._store.write(lambda conn: conn.execute(claim).rowcount)
        return self.look(token) if claimed else None

    def void(self, match: str) -> None:
        """Take every unused invitation of a match back."""
        unused = delete(_invite).where(_invite.c.match == match, _invite.c.used_by == "")
        self._store.write(lambda conn: conn.execute(unused))

    def release(self, token: str, player: str) -> None:
        """Give a claimed invitation back, after its seat was refused."""
        back = (
            update(_invite)
            .where(_invite.c.token_hash == token_hash(token), _invite.c.used_by == player)
            .values(used_by="")
        )
        self._store.write(lambda conn: conn.execute(back))


def _issue(conn: Connection, row: dict[str, object], now: int) -> None:
    conn.execute(delete(_invite).where(_invite.c.expires_at <= now))
    open_now = (
        select(func.count())
        .select_from(_invite)
        .where(_invite.c.match == row["match"], _invite.c.used_by == "")
    )
    if conn.execute(open_now).scalar_one() >= INVITES_OPEN_MAX:
        raise TooManyInvites
    conn.execute(insert(_invite).values(row))
