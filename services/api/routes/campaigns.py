"""The solo game of Caltrop: campaigns, their runs, and what the player chooses in them.

Anybody may read what they know the address of: nothing hidden is in it. Only the player acts.
"""

from typing import Annotated

import msgspec
from litestar import Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath, JSONBody, QueryParameter

from services.api.audits import audit_answer
from services.api.caching import conditional
from services.api.callers import Caller
from services.api.doing import REPLAYED_HEADER
from services.api.messages import AuditAnswer
from services.api.public_events import public_events
from services.api.solo import (
    begin_campaign,
    campaign_at,
    do_in_run,
    next_run,
    own_campaigns,
    run_at,
    settle_run,
)
from services.api.solo_messages import (
    CampaignAnswer,
    Fighting,
    Keeping,
    NewCampaign,
    NewDeck,
    NewRun,
    RunAnswer,
    SoloEventPage,
    Upgrading,
)
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState
from services.campaigns.handler import Kept, campaign_stream, run_stream
from services.campaigns.run_state import RunState
from services.campaigns.views import Cards, campaign_view, run_view
from services.projections.campaign_list import ListedCampaign
from services.proofs.audit_run import audit_campaign, audit_run

EVENTS_MAX = 1_000


@get("/difficulties", sync_to_thread=True)
def difficulties(caller: NamedDependency[Caller]) -> Cards:
    """The difficulties of the solo game, and how fast opponents grow in each."""
    return tuple(caller.services.campaigns.offering.difficulties.values())


@post("/campaigns", sync_to_thread=True)
def begin(caller: NamedDependency[Caller], data: JSONBody[NewCampaign]) -> Response[CampaignAnswer]:
    """Begin a campaign with the starter stones."""
    return _campaign_answered(caller, begin_campaign(caller, data.difficulty))


@get("/campaigns", sync_to_thread=True)
def list_campaigns(caller: NamedDependency[Caller]) -> tuple[ListedCampaign, ...]:
    """Your own campaigns, newest first. It may lag a moment."""
    return own_campaigns(caller)


@get("/campaigns/{campaign:str}", sync_to_thread=True)
def campaign_seen(caller: NamedDependency[Caller], campaign: FromPath[str]) -> Response[bytes]:
    """A campaign now; with an ETag."""
    answer = _campaign_answer(caller, campaign_at(caller, campaign))
    return conditional(caller.request, msgspec.json.encode(answer), "application/json")


@post("/campaigns/{campaign:str}/runs", sync_to_thread=True)
def begin_run(
    caller: NamedDependency[Caller], campaign: FromPath[str], data: JSONBody[NewRun]
) -> Response[RunAnswer]:
    """Begin the next run. A finished one that gained something has to be settled before."""
    return _run_answered(caller, next_run(caller, campaign, data.number))


@post("/campaigns/{campaign:str}/keep", sync_to_thread=True)
def keep(
    caller: NamedDependency[Caller], campaign: FromPath[str], data: JSONBody[Keeping]
) -> Response[CampaignAnswer]:
    """Keep one stone gained in the run that is over, or none; the deck is restored."""
    return _campaign_answered(caller, settle_run(caller, campaign, data.number, data.stone))


@get("/runs/{run:str}", sync_to_thread=True)
def run_seen(caller: NamedDependency[Caller], run: FromPath[str]) -> Response[bytes]:
    """A run now: its next opponent with all levels, the deck, what is on offer; with an ETag."""
    answer = _run_answer(caller, run_at(caller, run))
    return conditional(caller.request, msgspec.json.encode(answer), "application/json")


@post("/runs/{run:str}/deck", sync_to_thread=True)
def change_stones(
    caller: NamedDependency[Caller], run: FromPath[str], data: JSONBody[NewDeck]
) -> Response[RunAnswer]:
    """Change stones between two matches."""
    return _run_answered(caller, do_in_run(caller, run, cmd.ChangeStones(data.deck)))


@post("/runs/{run:str}/fight", sync_to_thread=True)
def fight(
    caller: NamedDependency[Caller], run: FromPath[str], data: JSONBody[Fighting]
) -> Response[RunAnswer]:
    """Begin the next match; it is played like any other, at seat A."""
    return _run_answered(caller, do_in_run(caller, run, cmd.Fight(data.number)))


@post("/runs/{run:str}/upgrade", sync_to_thread=True)
def choose_upgrade(
    caller: NamedDependency[Caller], run: FromPath[str], data: JSONBody[Upgrading]
) -> Response[RunAnswer]:
    """Take one of the upgrades on offer."""
    chosen = cmd.ChooseUpgrade(data.number, data.slot)
    return _run_answered(caller, do_in_run(caller, run, chosen))


@get("/campaigns/{campaign:str}/events", sync_to_thread=True)
def campaign_events(
    caller: NamedDependency[Caller],
    campaign: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=EVENTS_MAX)] = 200,
) -> SoloEventPage:
    """The campaign's events after a version, with their hashes."""
    version = campaign_at(caller, campaign).version
    return _page(caller, campaign_stream(campaign), after, min(after + limit, version), version)


@get("/runs/{run:str}/events", sync_to_thread=True)
def run_events(
    caller: NamedDependency[Caller],
    run: FromPath[str],
    after: Annotated[int, QueryParameter(ge=0, le=10_000_000)] = 0,
    limit: Annotated[int, QueryParameter(ge=1, le=EVENTS_MAX)] = 200,
) -> SoloEventPage:
    """The run's events after a version, with their hashes: enough to check every draw."""
    version = run_at(caller, run).version
    return _page(caller, run_stream(run), after, min(after + limit, version), version)


@get("/campaigns/{campaign:str}/audit", sync_to_thread=True)
def campaign_audited(caller: NamedDependency[Caller], campaign: FromPath[str]) -> AuditAnswer:
    """The campaign decided a second time from its events and its runs."""
    campaign_at(caller, campaign)
    return audit_answer(audit_campaign(campaign, caller.services.log.read))


@get("/runs/{run:str}/audit", sync_to_thread=True)
def run_audited(caller: NamedDependency[Caller], run: FromPath[str]) -> AuditAnswer:
    """The run decided a second time: draws, growth, and the results of its matches."""
    run_at(caller, run)
    return audit_answer(audit_run(run, caller.services.log.read))


def _run_answered(caller: Caller, kept: Kept) -> Response[RunAnswer]:
    return Response(_run_answer(caller, kept.state, kept.head), headers=_headers(kept))


def _campaign_answered(caller: Caller, kept: Kept) -> Response[CampaignAnswer]:
    return Response(_campaign_answer(caller, kept.state, kept.head), headers=_headers(kept))


def _headers(kept: Kept) -> dict[str, str]:
    return {REPLAYED_HEADER: "true"} if kept.repeated else {}


def _campaign_answer(caller: Caller, state: CampaignState, head: str = "") -> CampaignAnswer:
    return CampaignAnswer(
        campaign=state.campaign,
        version=state.version,
        head=head or _head(caller, campaign_stream(state.campaign), state.version),
        mine=caller.player_or_none == state.player,
        view=campaign_view(state, caller.services.campaigns.run_of(state)),
    )


def _run_answer(caller: Caller, state: RunState, head: str = "") -> RunAnswer:
    return RunAnswer(
        run=state.run,
        version=state.version,
        head=head or _head(caller, run_stream(state.run), state.version),
        mine=caller.player_or_none == state.player,
        view=run_view(state),
    )


def _head(caller: Caller, stream: str, version: int) -> str:
    return caller.services.log.read(stream, version - 1, version)[0].hash.hex()


def _page(caller: Caller, stream: str, after: int, upto: int, version: int) -> SoloEventPage:
    page = public_events(caller.services.log, stream, after, upto)
    return SoloEventPage(stream=stream, events=page, next=upto if upto < version else 0)


ROUTES = [
    difficulties,
    begin,
    list_campaigns,
    campaign_seen,
    begin_run,
    keep,
    run_seen,
    change_stones,
    fight,
    choose_upgrade,
    campaign_events,
    run_events,
    campaign_audited,
    run_audited,
]
