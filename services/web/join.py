"""The page behind an invitation: what for, by whom, and one button."""

from typing import Any

from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath

from services.api.callers import Caller
from services.api.doing import started_if_ready
from services.api.invitations import bad_invite, take_by_invite
from services.api.seen import people_in, public_fold
from services.match.views import view_of
from services.web.render import page
from services.web.rulesets import way_words
from services.web.visitor import need_player, shell, to
from services.web.words import seat_words


@get("/join/{token:str}", sync_to_thread=True)
def invitation(caller: NamedDependency[Caller], token: FromPath[str]) -> Response[str]:
    """What the invitation is for."""
    return _join_page(caller, token)


@post("/join/{token:str}", sync_to_thread=True)
def join(caller: NamedDependency[Caller], token: FromPath[str]) -> Response[Any]:
    """Take the seat."""
    need_player(caller)
    done = started_if_ready(caller, take_by_invite(caller, token))
    return to(f"/matches/{done.match}")


def _join_page(caller: Caller, token: str) -> Response[str]:
    invite = caller.services.invites.look(token)
    state = caller.services.handler.load(invite.match) if invite else None
    if invite is None or state is None or invite.used_by not in ("", caller.player_or_none):
        raise bad_invite()
    view = view_of(public_fold(caller.services, state))
    names = caller.services.players.names(people_in(view))
    return page(
        "join.html",
        **shell(caller),
        token=token,
        seat=invite.seat,
        view=view,
        way=way_words(caller.services, view.game, view.ruleset),
        host=names.get(view.host.removeprefix("player:"), "Somebody"),
        seats=[(seat, seat_words(seat, names)) for seat in view.seats],
    )


ROUTES = [invitation, join]
