"""The pages of one run: the next opponent, the deck, rewards, and all matches so far."""

from collections.abc import Callable
from typing import Annotated, Any

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, URLEncodedBody

from services.api.callers import Caller
from services.api.problems import Problem
from services.api.solo import do_in_run, run_at
from services.campaigns.commands import ChangeStones, ChooseUpgrade, Fight, Number, StoneNumber
from services.campaigns.run_state import RunState
from services.campaigns.views import run_view
from services.web.play import Form
from services.web.render import page
from services.web.solo_words import pips, run_title
from services.web.visitor import acted, shell

STONES_CHOSEN_MAX = 256
"""Boxes that can be ticked on the form of the deck."""
Ticked = (
    StoneNumber | Annotated[tuple[StoneNumber, ...], msgspec.Meta(max_length=STONES_CHOSEN_MAX)]
)
"""The boxes as a form tells them: several are a list, one comes alone."""


class FightForm(Form, frozen=True, kw_only=True):
    """The number of the match to fight."""

    number: Number


class UpgradeForm(Form, frozen=True, kw_only=True):
    """The slot to upgrade after the match of this number."""

    number: Number
    slot: Annotated[int, msgspec.Meta(ge=0, le=8)] = 0


class DeckForm(Form, frozen=True, kw_only=True):
    """The numbers of the stones that make the deck; ``auto`` takes the strongest instead."""

    stone: Ticked = ()
    auto: Annotated[str, msgspec.Meta(max_length=8)] = ""

    @property
    def stones(self) -> frozenset[int]:
        """The numbers of all that are ticked."""
        return frozenset(self.stone if isinstance(self.stone, tuple) else (self.stone,))


@get("/runs/{run:str}", sync_to_thread=True)
def show_run(caller: NamedDependency[Caller], run: FromPath[str]) -> Response[str]:
    """The run as it stands."""
    return _run_page(caller, run)


@post("/runs/{run:str}/fight", sync_to_thread=True)
def fight(
    caller: NamedDependency[Caller], run: FromPath[str], data: URLEncodedBody[FightForm]
) -> Response[Any]:
    """Begin the next match, and go to it."""

    def act() -> str:
        state: RunState = do_in_run(caller, run, Fight(data.number)).state
        return f"/matches/{state.matches[-1].match}"

    return _after(caller, run, data.key, act)


@post("/runs/{run:str}/upgrade", sync_to_thread=True)
def upgrade(
    caller: NamedDependency[Caller], run: FromPath[str], data: URLEncodedBody[UpgradeForm]
) -> Response[Any]:
    """Take an upgrade on offer."""

    def act() -> str:
        if not data.slot:
            raise Problem(400, "bad-input", "Choose one of the upgrades first.")
        do_in_run(caller, run, ChooseUpgrade(data.number, data.slot))
        return f"/runs/{run}"

    return _after(caller, run, data.key, act)


@post("/runs/{run:str}/deck", sync_to_thread=True)
def change_deck(
    caller: NamedDependency[Caller], run: FromPath[str], data: URLEncodedBody[DeckForm]
) -> Response[Any]:
    """Put the ticked stones into the deck, or the strongest."""

    def act() -> str:
        collection = run_at(caller, run).collection
        chosen = collection.arranged(data.stones)
        do_in_run(caller, run, ChangeStones(collection.strongest() if data.auto else chosen))
        return f"/runs/{run}"

    return _after(caller, run, data.key, act)


def _after(caller: Caller, run: str, key: str, act: Callable[[], str]) -> Response[Any]:
    return acted(caller, key, act, lambda problem: _run_page(caller, run, problem))


def _run_page(caller: Caller, run: str, problem: Problem | None = None) -> Response[str]:
    state = run_at(caller, run)
    view = run_view(state)
    match = caller.services.handler.load(view.match) if view.match else None
    is_half_open = bool(view.match) and (match is None or match.status == "open")
    is_counting = match is not None and match.ended is not None
    campaign = caller.services.campaigns.campaign(view.campaign)
    return page(
        "run.html",
        status=problem.status if problem else 200,
        **shell(caller),
        problem=problem.sentence if problem else "",
        view=view,
        version=state.version,
        mine=caller.player_or_none == view.player,
        title=run_title(view, is_counting=is_counting),
        pips=pips(view),
        is_counting=is_counting,
        is_half_open=is_half_open,
        waits=is_counting or view.phase == "growing",
        settled=campaign is not None and campaign.next_run > view.number,
    )


ROUTES = [show_run, fight, upgrade, change_deck]
