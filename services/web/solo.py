"""The pages of the solo game over its runs: difficulties, a campaign, what is kept for good."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, URLEncodedBody

from services.api.callers import Caller
from services.api.problems import Problem
from services.api.solo import begin_campaign, campaign_at, next_run, own_campaigns, settle_run
from services.campaigns.commands import Number
from services.campaigns.views import campaign_view, run_view
from services.campaigns.words import card_of
from services.web.play import Form
from services.web.render import page
from services.web.solo_words import run_title
from services.web.visitor import acted, shell


class BeginForm(Form, frozen=True, kw_only=True):
    """The difficulty of a new campaign."""

    difficulty: Annotated[str, msgspec.Meta(max_length=32)] = ""


class RunForm(Form, frozen=True, kw_only=True):
    """The number of the run to begin."""

    number: Number


class KeepForm(Form, frozen=True, kw_only=True):
    """The stone to keep of the run of this number; 0 for none."""

    number: Number
    stone: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] | None = None


@get("/solo", sync_to_thread=True)
def solo(caller: NamedDependency[Caller]) -> Response[str]:
    """Your campaigns, and the difficulties of a new one."""
    return _solo_page(caller)


@post("/solo", sync_to_thread=True)
def begin(caller: NamedDependency[Caller], data: URLEncodedBody[BeginForm]) -> Response[Any]:
    """Begin a campaign, and go to it."""
    return acted(
        caller,
        data.key,
        lambda: f"/campaigns/{begin_campaign(caller, data.difficulty).state.campaign}",
        lambda problem: _solo_page(caller, problem),
    )


def _solo_page(caller: Caller, problem: Problem | None = None) -> Response[str]:
    difficulties = caller.services.campaigns.offering.difficulties
    titles = {slug: one.title for slug, one in difficulties.items()}
    mine = own_campaigns(caller) if caller.player_or_none else ()
    return page(
        "solo.html",
        status=problem.status if problem else 200,
        **shell(caller),
        problem=problem.sentence if problem else "",
        cards=[card_of(one) for one in difficulties.values()],
        mine=[(one, titles.get(one.difficulty, one.difficulty)) for one in mine],
    )


@get("/campaigns/{campaign:str}", sync_to_thread=True)
def campaign_page(caller: NamedDependency[Caller], campaign: FromPath[str]) -> Response[str]:
    """What is owned for good, the run of now, and the runs that are over."""
    return _campaign_page(caller, campaign)


@post("/campaigns/{campaign:str}/runs", sync_to_thread=True)
def begin_run(
    caller: NamedDependency[Caller], campaign: FromPath[str], data: URLEncodedBody[RunForm]
) -> Response[Any]:
    """Begin the next run, and go to it."""
    return _after(
        caller,
        campaign,
        data.key,
        lambda: f"/runs/{next_run(caller, campaign, data.number).state.run}",
    )


@post("/campaigns/{campaign:str}/keep", sync_to_thread=True)
def keep(
    caller: NamedDependency[Caller], campaign: FromPath[str], data: URLEncodedBody[KeepForm]
) -> Response[Any]:
    """Keep a stone of the run that is over, or none."""

    def settle() -> str:
        if data.stone is None:
            raise Problem(400, "bad-input", "Choose a stone, or that none is kept.")
        settle_run(caller, campaign, data.number, data.stone)
        return f"/campaigns/{campaign}"

    return _after(caller, campaign, data.key, settle)


def _after(caller: Caller, campaign: str, key: str, act: Callable[[], str]) -> Response[Any]:
    return acted(caller, key, act, lambda problem: _campaign_page(caller, campaign, problem))


def _campaign_page(caller: Caller, campaign: str, problem: Problem | None = None) -> Response[str]:
    state = campaign_at(caller, campaign)
    begun = caller.services.campaigns.run_of(state)
    view, run = campaign_view(state, begun), run_view(begun) if begun else None
    return page(
        "campaign.html",
        status=problem.status if problem else 200,
        **shell(caller),
        problem=problem.sentence if problem else "",
        view=view,
        card=card_of(view.difficulty),
        mine=caller.player_or_none == view.player,
        run=run,
        run_title=run_title(run) if run else "",
    )


ROUTES = [solo, begin, campaign_page, begin_run, keep]
