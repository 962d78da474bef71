"""Invitations at the edge: who may give one, and how one becomes a seat."""

from services.api.callers import Caller
from services.api.doing import do
from services.api.problems import Problem
from services.api.seen import Seen
from services.games.contract import Seat
from services.match.commands import TakeSeat
from services.match.handler import Done
from services.players.invites import TooManyInvites


def invite_to(caller: Caller, seen: Seen, seat: Seat) -> str:
    """A new invitation's secret."""
    state = seen.state
    if caller.actor != state.host and not seen.you:
        sentence = "Only the host or a seated player invites to a match."
        raise Problem(403, "not-seated", sentence)
    free = [name for name in state.seat_names() if state.holder(name) is None]
    if state.status != "open" or seat not in free:
        raise Problem(409, "seat-taken", f"Seat {seat} is not free.", {"free": free})
    try:
        return caller.services.invites.issue(state.match, seat)
    except TooManyInvites:
        sentence = "This match has as many open invitations as it may."
        raise Problem(409, "too-many-invites", sentence) from None


def bad_invite() -> Problem:
    """One answer for unknown, used, expired and misdirected invitations."""
    sentence = "This invitation is unknown, used or too old; ask for a new one."
    return Problem(404, "no-such-invite", sentence)


def take_by_invite(
    caller: Caller, token: str, match: str | None = None, seat: Seat | None = None
) -> Done:
    """Claim the invitation, then the seat; if the seat is refused the claim is given back."""
    player, invites = caller.player, caller.services.invites
    invite = invites.look(token)
    if invite is None or match not in (None, invite.match) or seat not in (None, invite.seat):
        raise bad_invite()
    if invites.redeem(token, player) is None:
        raise bad_invite()
    try:
        return do(caller, invite.match, TakeSeat(seat=invite.seat))
    except Problem:
        invites.release(token, player)
        raise
