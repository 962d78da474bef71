"""The door of campaigns and runs, and the two steps that join a run to its matches.

A run opens its matches as their host, so the end of one leaves a due row in the match's stream
(``run_step``): ``count`` records the result in the run under the match's id, then notes in the
match that it is counted, which takes the row away. Growth is due in the run's own stream. Each
step may be made twice or late; it is recorded once.
"""

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec.structs import replace

from events.codec import UnknownKind
from events.log import Appended, CommandId, EventLog, InlineRow, Namespace
from events.log import Secret as SealedSecret
from events.secret_store import Sealer
from services.campaigns import campaign as campaigns
from services.campaigns import commands as cmd
from services.campaigns.campaign import CampaignState
from services.campaigns.run_decider import begin, decide
from services.campaigns.run_folding import evolve, fold
from services.campaigns.run_state import RunState, initial
from services.campaigns.solo_rules import Offering
from services.games.caltrop import rules as caltrop
from services.games.caltrop.collection import gained
from services.match import commands as match_cmd
from services.match.decider import SERVER
from services.match.door import Asked, Judge, Passed, newer_log, through
from services.match.handler import SEED_NAME, Handler, fingerprint_of
from services.match.ids import ID_BYTES, id_from, id_of
from services.match.refusals import Refusal
from services.match.secret import Secret
from services.match.shuffle import SEED_BYTES
from services.match.state import RUN

PLAYERS_SEAT, OPPONENTS_SEAT = "A", "B"

RunRows = Callable[[RunState, RunState], tuple[InlineRow, ...]]
"""The inline rows to write when a run goes from one state to a later one."""


class Kept(msgspec.Struct, frozen=True):
    """The command is in the log; ``head`` is the stream's hash in hex after it.

    ``state`` is the fold of the campaign or run; a run's has its seed and stays in the process.
    """

    version: int
    head: str
    state: Any
    repeated: bool = False


Answer = Kept | Refusal


class Campaigns:
    """Takes commands for campaigns and runs. Thread-safe; holds nothing that the log does not."""

    def __init__(
        self,
        log: EventLog,
        matches: Handler,
        *,
        sealer: Sealer,
        id_key: bytes,
        run_rows: RunRows,
        offering: Offering,
        new_seed: Callable[[], bytes] = lambda: secrets.token_bytes(SEED_BYTES),
    ) -> None:
        self.offering = offering
        self._log = log
        self._matches = matches
        self._sealer = sealer
        self._id_key = id_key
        self._run_rows = run_rows
        self._new_seed = new_seed

    def campaign(self, campaign: str, *, version: int | None = None) -> CampaignState | None:
        """The campaign now, or at a version; None if there is none."""
        events = self._log.told(campaign_stream(campaign), upto=version)
        return campaigns.fold(CampaignState(campaign), events) if events else None

    def run(self, run: str, *, version: int | None = None) -> RunState | None:
        """The server's fold of a run now, or at a version; None if there is none."""
        events = self._log.told(run_stream(run), upto=version)
        return fold(initial(run, self._secret(run)), events) if events else None

    def run_of(self, campaign: CampaignState) -> RunState | None:
        """The campaign's run of now; None before it has begun."""
        return self.run(self._run_id(campaign.campaign, campaign.next_run))

    def start(
        self,
        command: cmd.StartCampaign,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
    ) -> Answer:
        """Begin a campaign; the same idempotency key always means the same one."""
        rules = self.offering.rules(command.difficulty)
        if rules is None:
            known = tuple(self.offering.difficulties)
            sentence = f"There is no difficulty {command.difficulty!r}."
            return Refusal("no-such-difficulty", sentence, {"difficulties": known})
        campaign = self._new_campaign_id(actor, command_id)
        asked = _asked(campaign_stream(campaign), command, actor, command_id, received_at)
        judge = self._campaign_judge(
            lambda: self.campaign(campaign) or CampaignState(campaign),
            lambda state: campaigns.start(state, rules, actor.removeprefix("player:")),
        )
        return self._answer(through(self._log, asked, judge), campaign, self.campaign)

    def keep(
        self,
        campaign: str,
        command: cmd.KeepStone,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
    ) -> Answer:
        """Settle the run that is over, with a stone kept of it or none."""
        run = self.run(self._run_id(campaign, command.number))
        asked = _asked(campaign_stream(campaign), command, actor, command_id, received_at)
        judge = self._campaign_judge(
            lambda: self.campaign(campaign) or _no_such_campaign(campaign),
            lambda state: campaigns.keep(state, command, run, actor),
        )
        return self._answer(through(self._log, asked, judge), campaign, self.campaign)

    def start_run(
        self,
        campaign: str,
        command: cmd.StartRun,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
    ) -> Answer:
        """Begin the next run; one that is over and gained nothing is settled on the way.

        The ``number``-th run of a campaign has one possible stream, so it begins once.
        """
        self._settle_without_gain(campaign, command.number - 1, actor, received_at)
        run = self._run_id(campaign, command.number)
        asked = _asked(run_stream(run), command, actor, command_id, received_at)
        judge = self._run_judge(
            lambda: self.run(run) or initial(run, Secret(self._new_seed())),
            lambda state: self._begun(state, campaign, command.number, actor),
            received_at,
        )
        return self._answer(through(self._log, asked, judge), run, self.run)

    def handle(
        self,
        run: str,
        command: cmd.RunCommand,
        *,
        actor: str,
        command_id: CommandId | None,
        received_at: int,
    ) -> Answer:
        """Decide and record one command of a run; a ``Fight`` opens its match as well.

        Asked again, a ``Fight`` finishes the opening of a match that was left half done.
        """
        match = ""
        if isinstance(command, cmd.Fight):
            match = id_from(self._id_key, "m", ["run", run, command.number])
        asked = _asked(run_stream(run), command, actor, command_id, received_at)
        judge = self._run_judge(
            lambda: self.run(run) or Refusal("no-such-run", f"There is no run {run}."),
            lambda state: decide(state, command, actor, match),
            received_at,
        )
        answer = self._answer(through(self._log, asked, judge), run, self.run)
        if match and (isinstance(answer, Kept) or answer.details.get("match") == match):
            return self._open_match(run, received_at) or answer
        return answer

    def count(self, match: str, received_at: int) -> Answer:
        """The run step: give the run of a match that is over its result, and note it there."""
        state = self._matches.load(match)
        if state is None or not state.run or state.ended is None or state.is_counted:
            return Refusal("not-waiting", f"Match {match} has no result that a run waits for.")
        won = state.ended.winners == (PLAYERS_SEAT,)
        answer = self.handle(
            state.run,
            cmd.CountResult(match, won, state.ended.how),
            actor=SERVER,
            command_id=CommandId(Namespace.INSIDE, match),
            received_at=received_at,
        )
        if isinstance(answer, Kept):
            self._matches.note_counted(state, received_at)
        return answer

    def grow(self, run: str, number: int, received_at: int) -> Answer:
        """Let a run's opponents grow for its ``number``-th win."""
        return self.handle(
            run,
            cmd.GrowOpponents(number),
            actor=SERVER,
            command_id=CommandId(Namespace.INSIDE, f"grow:{number}"),
            received_at=received_at,
        )

    def _begun(self, state: RunState, campaign: str, number: int, actor: str) -> campaigns.Decision:
        owner = self.campaign(campaign)
        if owner is None:
            return _no_such_campaign(campaign)
        if refusal := campaigns.unless_players(owner, actor):
            return refusal
        if owner.next_run != number:
            return campaigns.stale_run(owner)
        if state.ended is not None:
            return Refusal("keep-first", "First say which stone of the last run is kept.")
        if state.version:
            return Refusal("run-open", f"Run {number} has begun already.", {"run": state.run})
        return begin(state, owner)

    def _settle_without_gain(self, campaign: str, number: int, actor: str, at: int) -> None:
        """Nothing gained, nothing kept (sheet §7.5): there is nothing to ask the player."""
        owner = self.campaign(campaign)
        run = self.run_of(owner) if owner else None
        if owner is None or run is None or owner.next_run != number or run.ended is None:
            return
        if not gained(run.for_good, run.collection):
            self.keep(campaign, cmd.KeepStone(number), actor=actor, command_id=None, received_at=at)

    def _open_match(self, run: str, received_at: int) -> Refusal | None:
        """Bring the match a run waits for into play, from wherever its opening stands."""
        state = self.run(run)
        waited = state.running if state else None
        if state is None or waited is None:
            return None
        host, player = f"{RUN}{run}", f"player:{state.player}"
        decks = {"blue": waited.deck, "red": waited.against}
        ruleset = {"form": "run", **decks, "first": waited.first}
        last = None
        for command, actor in (
            (match_cmd.CreateMatch(caltrop.slug, ruleset), host),
            (match_cmd.TakeSeat(PLAYERS_SEAT), player),
            (match_cmd.TakeSeat(OPPONENTS_SEAT, level=waited.level), host),
            (match_cmd.StartMatch(), host),
        ):
            # What is done already is refused, and that is as good.
            last = self._matches.handle(
                waited.match, command, actor=actor, command_id=None, received_at=received_at
            )
        opened = self._matches.load(waited.match)
        is_open = opened is None or opened.status == "open"
        return last if is_open and isinstance(last, Refusal) else None

    def _campaign_judge(
        self,
        before: Callable[[], CampaignState | Refusal],
        decision: Callable[[CampaignState], campaigns.Decision],
    ) -> Judge[CampaignState]:
        return Judge(
            before=before,
            decide=decision,
            evolve=campaigns.evolve,
            rows=lambda _before, _after: (),
            secrets=lambda _before: (),
        )

    def _run_judge(
        self,
        before: Callable[[], RunState | Refusal],
        decision: Callable[[RunState], campaigns.Decision],
        received_at: int,
    ) -> Judge[RunState]:
        return Judge(
            before=before,
            decide=decision,
            evolve=lambda state, event: evolve(state, event, received_at),
            rows=self._run_rows,
            secrets=self._new_secrets,
        )

    def _answer(
        self,
        passed: Passed[Any] | Refusal,
        name: str,
        load: Callable[..., CampaignState | RunState | None],
    ) -> Answer:
        if isinstance(passed, Refusal):
            return passed
        appended = passed.appended
        if passed.after is not None:
            return _kept(appended, passed.after)
        try:
            state = load(name, version=appended.version)
        except UnknownKind as error:
            return newer_log(error)
        return _kept(replace(appended, repeated=True), state)

    def _new_secrets(self, before: RunState) -> tuple[SealedSecret, ...]:
        """What the first append of a run adds to the secret store: its seed."""
        if before.version or before.secret is None:
            return ()
        sealed = self._sealer.seal(run_stream(before.run), SEED_NAME, before.secret.seed)
        return (SealedSecret(SEED_NAME, sealed),)

    def _secret(self, run: str) -> Secret | None:
        stream = run_stream(run)
        sealed = self._log.secrets(stream).get(SEED_NAME)
        return None if sealed is None else Secret(self._sealer.unseal(stream, SEED_NAME, sealed))

    def _new_campaign_id(self, actor: str, command_id: CommandId | None) -> str:
        if command_id is None:
            return id_of("c", secrets.token_bytes(ID_BYTES))
        return id_from(self._id_key, "c", [command_id.namespace.value, actor, command_id.key])

    def _run_id(self, campaign: str, number: int) -> str:
        return id_from(self._id_key, "r", [campaign, number])


def campaign_stream(campaign: str) -> str:
    """The stream that holds a campaign."""
    return f"campaign/{campaign}"


def run_stream(run: str) -> str:
    """The stream that holds a run."""
    return f"run/{run}"


def _asked(
    stream: str,
    command: match_cmd.Command,
    actor: str,
    command_id: CommandId | None,
    received_at: int,
) -> Asked:
    return Asked(stream, actor, command_id, fingerprint_of(command), received_at)


def _kept(appended: Appended, state: Any) -> Kept:
    return Kept(appended.version, appended.hash.hex(), state, appended.repeated)


def _no_such_campaign(campaign: str) -> Refusal:
    return Refusal("no-such-campaign", f"There is no campaign {campaign}.")
