"""The solo game for whoever asks: campaigns and runs found, and what is done in them."""

import re

from services.api.callers import Caller
from services.api.computer_turns import need_room
from services.api.doing import outside
from services.api.problems import Problem, refused
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState
from services.campaigns.handler import Answer, Kept
from services.campaigns.run_state import RunState
from services.match.refusals import Refusal
from services.projections.campaign_list import ListedCampaign, campaigns_of

CAMPAIGN_ID = re.compile(r"c-[a-z2-7]{16}")
RUN_ID = re.compile(r"r-[a-z2-7]{16}")


def campaign_at(caller: Caller, campaign: str) -> CampaignState:
    """The campaign now; 404 if there is none."""
    found = None
    if CAMPAIGN_ID.fullmatch(campaign):
        found = caller.services.campaigns.campaign(campaign)
    if found is None:
        raise Problem(404, "no-such-campaign", f"There is no campaign {campaign}.")
    return found


def run_at(caller: Caller, run: str) -> RunState:
    """The run now; 404 if there is none."""
    found = caller.services.campaigns.run(run) if RUN_ID.fullmatch(run) else None
    if found is None:
        raise Problem(404, "no-such-run", f"There is no run {run}.")
    return found


def own_campaigns(caller: Caller) -> tuple[ListedCampaign, ...]:
    """The caller's campaigns, newest first; the list may lag a moment."""
    player = caller.player
    return tuple(caller.services.store.read(lambda connection: campaigns_of(connection, player)))


def begin_campaign(caller: Caller, difficulty: str) -> Kept:
    """Begin a campaign; a refusal leaves as a problem, here and below."""
    return _kept(
        caller.services.campaigns.start(
            cmd.StartCampaign(difficulty),
            actor=caller.actor,
            command_id=outside(caller.key),
            received_at=caller.received_at,
        )
    )


def next_run(caller: Caller, campaign: str, number: int) -> Kept:
    """Begin the run of this number."""
    campaign_at(caller, campaign)
    return _kept(
        caller.services.campaigns.start_run(
            campaign,
            cmd.StartRun(number),
            actor=caller.actor,
            command_id=outside(caller.key),
            received_at=caller.received_at,
        )
    )


def settle_run(caller: Caller, campaign: str, number: int, stone: int) -> Kept:
    """Settle the run of this number: keep a stone, or none (0)."""
    campaign_at(caller, campaign)
    return _kept(
        caller.services.campaigns.keep(
            campaign,
            cmd.KeepStone(number, stone),
            actor=caller.actor,
            command_id=outside(caller.key),
            received_at=caller.received_at,
        )
    )


def do_in_run(caller: Caller, run: str, command: cmd.RunCommand) -> Kept:
    """A command of a run; a fight only while the player's computers keep up."""
    run_at(caller, run)
    if isinstance(command, cmd.Fight):
        need_room(caller)
    return _kept(
        caller.services.campaigns.handle(
            run,
            command,
            actor=caller.actor,
            command_id=outside(caller.key),
            received_at=caller.received_at,
        )
    )


def _kept(answer: Answer) -> Kept:
    if isinstance(answer, Refusal):
        raise refused(answer)
    return answer
