"""What the seated hand in before the start: their share of the chance, and entries."""

from litestar import Response, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody

from services.api.callers import Caller
from services.api.doing import again, answered, give_entropy, seal_entry, seat_for
from services.api.messages import EntropyGift, Entry, MatchAnswer
from services.api.seen import see


@post("/matches/{match:str}/entropy", sync_to_thread=True)
def entropy(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[EntropyGift]
) -> Response[MatchAnswer]:
    """Give your share of the chance, or decline with an empty one; once, before the start.

    The same again gets the same answer. The match starts by itself with the last thing it
    waits for.
    """
    seen = see(caller, match)
    seat = seat_for(seen, data.seat)
    if seat in seen.you and seen.state.entropy.get(seat) == data.entropy:
        return again(caller, seen)
    return answered(caller, give_entropy(caller, seen, seat, data.entropy, data.seed_commit))


@post("/matches/{match:str}/entries", sync_to_thread=True)
def entry(
    caller: NamedDependency[Caller], match: FromPath[str], data: JSONBody[Entry]
) -> Response[MatchAnswer]:
    """Hand in your entry; once. All are opened together when the match starts."""
    seen = see(caller, match)
    seat, secret = seat_for(seen, data.seat), seen.state.secret
    if seat in seen.you and secret and secret.entries.get(seat) == data.text:
        return again(caller, seen)
    return answered(caller, seal_entry(caller, seen, seat, data.text))


ROUTES = [entropy, entry]
