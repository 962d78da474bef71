"""The account page: join with a name, come back with a token, leave for good."""

from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import QueryParameter, URLEncodedBody

from services.api.callers import Caller
from services.api.leaving import leave_for_good
from services.api.limits import Buckets, address_of, too_many
from services.players.names import BadName
from services.web.render import page
from services.web.visitor import local_path, need_player, set_session, shell, to

Path = Annotated[str, QueryParameter(max_length=512)]
Text = Annotated[str, msgspec.Meta(max_length=512)]


class SignUp(msgspec.Struct):
    """The form of a newcomer."""

    name: Text = ""
    next: Text = "/"


class SignIn(msgspec.Struct):
    """The form of somebody who has a token."""

    token: Text = ""
    next: Text = "/"


class Leave(msgspec.Struct):
    """The form that erases a player; ``sure`` is a ticked box."""

    sure: Text = ""


@get("/account", sync_to_thread=True)
def account(
    caller: NamedDependency[Caller],
    next: Annotated[str, QueryParameter(max_length=512)] = "/",  # noqa: A002 - its name on the wire
) -> Response[str]:
    """Sign up, sign in, or see who you are."""
    return _account(caller, next=local_path(next))


def _account(caller: Caller, status: int = 200, **context: Any) -> Response[str]:
    blank = {"problem": "", "next": "/", "token": "", "name": ""}
    return page("account.html", status=status, **{**shell(caller), **blank, **context})


@post("/account", sync_to_thread=True)
def sign_up(
    caller: NamedDependency[Caller],
    accounts: NamedDependency[Buckets],
    data: URLEncodedBody[SignUp],
) -> Response[Any]:
    """Open an account and show its token, once."""
    if wait := accounts.take(address_of(caller.request.scope)):
        raise too_many("accounts-by-address", wait)
    path = local_path(data.next)
    try:
        new = caller.services.players.register(data.name)
    except BadName as error:
        return _account(caller, status=400, problem=str(error), next=path, name=data.name)
    caller.player_or_none = new.player
    response = _account(caller, token=new.token, next=path)
    response.cookies.extend(to("/", caller, new.player).cookies)
    return response


@post("/session", sync_to_thread=True)
def sign_in(caller: NamedDependency[Caller], data: URLEncodedBody[SignIn]) -> Response[Any]:
    """Turn a token into a session cookie."""
    path = local_path(data.next)
    player = caller.services.players.by_token(data.token.strip())
    if player is None:
        caller.player_or_none = None
        return _account(caller, status=403, problem="This token is unknown here.", next=path)
    return to(path, caller, player)


@post("/session/end", sync_to_thread=False)
def sign_out(caller: NamedDependency[Caller]) -> Response[None]:
    """Forget the session cookie."""
    response = to("/")
    set_session(caller, response, "")
    return response


@post("/account/erase", sync_to_thread=True)
def erase(caller: NamedDependency[Caller], data: URLEncodedBody[Leave]) -> Response[Any]:
    """Give up what still runs, then erase name and token; after a ticked box."""
    need_player(caller)
    if data.sure != "yes":
        return _account(caller, status=400, problem="Tick the box if you are sure.")
    leave_for_good(caller)
    response = to("/")
    set_session(caller, response, "")
    return response


ROUTES = [account, sign_up, sign_in, sign_out, erase]
