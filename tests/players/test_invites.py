"""Invitations: 256 bits that open one seat once, within two weeks."""

import pytest
from sqlalchemy import select

from events import schema
from events.sqlite_store import SqliteStore
from services.players.invites import (
    INVITE_DAYS,
    INVITES_OPEN_MAX,
    Invite,
    Invites,
    TooManyInvites,
)
from tests.players.conftest import Hands


@pytest.fixture
def invites(store: SqliteStore, clock: Hands) -> Invites:
    """The invitations of a new store."""
    return Invites(store, clock)


def test_an_invitation_is_for_one_person(invites: Invites) -> None:
    """Who claims it first has it; the same person may claim again, nobody else can."""
    token = invites.issue("m-1", "B")
    assert invites.look(token) == Invite("m-1", "B", "")
    assert invites.redeem(token, "p-ada") == Invite("m-1", "B", "p-ada")
    assert invites.redeem(token, "p-bob") is None
    assert invites.redeem(token, "p-ada") == Invite("m-1", "B", "p-ada")


def test_a_refused_seat_gives_the_invitation_back(invites: Invites) -> None:
    """Only the claimer's release counts."""
    token = invites.issue("m-1", "B")
    invites.redeem(token, "p-ada")
    invites.release(token, "p-bob")
    assert invites.redeem(token, "p-bob") is None
    invites.release(token, "p-ada")
    assert invites.redeem(token, "p-bob") == Invite("m-1", "B", "p-bob")


def test_an_invitation_ends(invites: Invites, clock: Hands) -> None:
    """After its days it is as good as unknown."""
    token = invites.issue("m-1", "B")
    clock.pass_days(INVITE_DAYS - 0.001)
    assert invites.look(token)
    clock.pass_days(0.002)
    assert invites.look(token) is None
    assert invites.redeem(token, "p-ada") is None


def test_unknown_secrets_open_nothing(invites: Invites) -> None:
    """Nor do very long ones, which are not even hashed."""
    invites.issue("m-1", "B")
    for wrong in ("", "invite_x", "x" * 100_000):
        assert invites.look(wrong) is None
        assert invites.redeem(wrong, "p-ada") is None


def test_a_match_can_take_its_invitations_back(invites: Invites) -> None:
    """The unused ones of that match, and no others."""
    used, unused, other = (invites.issue(match, "B") for match in ("m-1", "m-1", "m-2"))
    invites.redeem(used, "p-ada")
    invites.void("m-1")
    assert invites.look(unused) is None
    assert invites.look(used)
    assert invites.look(other)


def test_open_invitations_of_a_match_are_bounded(
    invites: Invites, store: SqliteStore, clock: Hands
) -> None:
    """Used ones make room, and ended ones are swept away when a new one is made."""
    first, *_ = [invites.issue("m-1", "B") for _ in range(INVITES_OPEN_MAX)]
    with pytest.raises(TooManyInvites):
        invites.issue("m-1", "B")
    assert invites.issue("m-2", "B"), "another match has its own"
    invites.redeem(first, "p-ada")
    assert invites.issue("m-1", "B")
    clock.pass_days(INVITE_DAYS + 1)
    invites.issue("m-1", "B")
    rows = store.read(lambda c: c.execute(select(schema.invite.c.match)).all())
    assert len(rows) == 1
