"""Accounts over HTTP."""

from litestar import delete, get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody

from services.api.callers import Caller
from services.api.leaving import leave_for_good
from services.api.limits import Buckets, address_of, too_many
from services.api.messages import Account, Me, NewPlayer, Ticket, TicketAsk
from services.api.problems import Problem
from services.api.seen import see
from services.api.signed import TICKET_SECONDS, sign
from services.players.names import BadName

_SECOND = 1_000_000  # microseconds


@post("/players", sync_to_thread=True)
def open_account(
    caller: NamedDependency[Caller], accounts: NamedDependency[Buckets], data: JSONBody[NewPlayer]
) -> Account:
    """Open an account. Keep the token: it is shown this once."""
    if wait := accounts.take(address_of(caller.request.scope)):
        raise too_many("accounts-by-address", wait)
    try:
        new = caller.services.players.register(data.name)
    except BadName as error:
        raise Problem(400, "bad-name", str(error), {"field": "name"}) from error
    return Account(new.player, new.name, new.token)


@get("/me", sync_to_thread=True)
def me(caller: NamedDependency[Caller]) -> Me:
    """Who you are."""
    return Me(caller.player, caller.services.players.names([caller.player]).get(caller.player, ""))


@delete("/me", sync_to_thread=True)
def erase_me(caller: NamedDependency[Caller]) -> None:
    """Erase your name and token. Matches keep an id that leads nowhere; their chains hold.

    What still runs is resigned, what has not begun is left or called off. Ask again after a 503.
    """
    leave_for_good(caller)


@post("/tickets", sync_to_thread=True)
def ticket(caller: NamedDependency[Caller], data: JSONBody[TicketAsk]) -> Ticket:
    """A 60-second ticket for one match's live stream, so that no token is ever in an address."""
    see(caller, data.match)
    until = caller.received_at // _SECOND + TICKET_SECONDS
    what = f"{caller.player} {data.match}"
    return Ticket(sign(caller.services.key, "ticket", what, until), TICKET_SECONDS)


ROUTES = [open_account, me, erase_me, ticket]
