"""A solo run under a clock and a broker that the seed alone decides.

The player plays the best stone at a glance, the opponents play as badly as they can, so that a
run goes to its end; what is tried is everything between the matches. Every message is lost, or
comes twice and once more much later. No thread, no real time: a seed that fails fails again.
"""

import random
from typing import Any

from events.log import CommandId, Namespace
from services.campaigns import commands as cmd
from services.campaigns.handler import Kept
from services.campaigns.run_state import RunState
from services.games.caltrop import notation
from services.games.caltrop.moves import MOVE_TEXTS
from services.games.caltrop.position import Position
from services.match.commands import PlayMove, Resign
from services.match.refusals import Refusal
from services.match.state import MatchState
from services.projections.work_due import AI_TURN, RUN_STEP, UPGRADE
from services.ratings.handler import Opponents
from tests.kit.desk import Desk, new_campaigns, new_handler
from workers.ai_turns import play_ai_turn
from workers.celery_app import QUEUES
from workers.difficulty import count_match, grow_opponents
from workers.dispatcher import OFFER_US, Dispatcher
from workers.election import Election
from workers.engine_pool import EnginePool
from workers.engines.caltrop_search import Search
from workers.engines.contract import Answer, Question
from workers.lanes import lanes
from workers.offers import Due
from workers.toolbox import Outcome, Report, Toolbox

SECOND = 1_000_000
PLAYER = "player:p-ann"
STEPS_MAX = 400
LOST, LATE = 0.2, 0.5
LOOKING_AHEAD = 12
TASKS = {AI_TURN: play_ai_turn, RUN_STEP: count_match, UPGRADE: grow_opponents}


def at_a_glance(position: Position) -> list[str]:
    """Every different move, the best after one placement first."""
    return [MOVE_TEXTS[slot][square] for slot, square in Search(position.game).ordered()]


class WeakEngines(EnginePool):
    """Engines that play the worst move at a glance."""

    def __init__(self) -> None:
        super().__init__(lambda question: self.ask(question, 0.0))

    def ask(self, question: Question, *_: Any, **__: Any) -> Answer:
        """The worst move."""
        return Answer(at_a_glance(notation.parse_position(question.view))[-1], nodes=1)


def _fail(_office: str, error: Exception) -> None:
    raise error


class SoloSeason:
    """A player with a campaign, one dispatcher, one worker, and a broker full of faults."""

    def __init__(
        self, desk: Desk, seed: int, *, offer_us: int = OFFER_US, lost: float = LOST
    ) -> None:
        self.desk = desk
        self.dice = random.Random(seed)
        self.lost = lost
        self.now = SECOND
        self.messages: list[Due] = []
        self.copies: list[Due] = []
        self.reports: list[Report] = []
        self.handler = new_handler(desk.log, levels=desk.levels, new_seed=self._seed)
        self.campaigns = new_campaigns(desk.log, self.handler, self._seed)
        self.tools = Toolbox(
            store=desk.store,
            handler=self.handler,
            campaigns=self.campaigns,
            opponents=Opponents(desk.log, self.handler, desk.levels),
            levels=desk.levels,
            engines=WeakEngines(),
            clock=lambda: self.now,
            worker="w1",
            observe=self.reports.append,
        )
        self.dispatcher = Dispatcher(
            desk.log,
            desk.store,
            self._publish,
            lanes=lanes(desk.levels.specs()),
            windows=dict.fromkeys(QUEUES, 3),
            election=Election(desk.store, "dispatcher", "d1", lambda: self.now),
            clock=lambda: self.now,
            on_error=_fail,
            offer_us=offer_us,
        )

    def begin(self, difficulty: str) -> tuple[str, str]:
        """A campaign and its first run."""
        begun = self.campaigns.start(
            cmd.StartCampaign(difficulty), actor=PLAYER, command_id=None, received_at=self.now
        )
        assert isinstance(begun, Kept), begun
        campaign: str = begun.state.campaign
        return campaign, self.next_run(campaign, 1)

    def next_run(self, campaign: str, number: int) -> str:
        """The campaign's next run."""
        begun = self.campaigns.start_run(
            campaign, cmd.StartRun(number), actor=PLAYER, command_id=None, received_at=self.now
        )
        assert isinstance(begun, Kept), begun
        run: str = begun.state.run
        return run

    def ask(self, run: str, command: cmd.RunCommand, key: str = "") -> Kept | Refusal:
        """A command of the player's about the run."""
        command_id = CommandId(Namespace.OUTSIDE, key) if key else None
        return self.campaigns.handle(
            run, command, actor=PLAYER, command_id=command_id, received_at=self.now
        )

    def state(self, run: str) -> RunState:
        """The run now."""
        state = self.campaigns.run(run)
        assert state is not None
        return state

    def play_out(self, run: str) -> RunState:
        """Act and let the workers work until the run has ended."""
        for _ in range(STEPS_MAX):
            state = self.state(run)
            if state.phase == "ended":
                return state
            self.step(state)
        raise AssertionError(f"still {state.phase} after {STEPS_MAX} steps, {state.wins} won")

    def step(self, state: RunState) -> None:
        """The player does what the run waits for; otherwise time and the workers go on."""
        if state.phase == "ready":
            assert isinstance(self.ask(state.run, cmd.Fight(state.next_match)), Kept)
        elif state.phase == "upgrade":
            slot = self.dice.choice(state.offer)
            chosen = self.ask(state.run, cmd.ChooseUpgrade(state.wins, slot))
            assert isinstance(chosen, Kept)
        elif state.phase == "growing":
            self.work()
        else:
            self.fights(state)

    def work(self) -> None:
        """Some time passes; what is due is offered, and delivered if it was not lost."""
        self.now += self.dice.randrange(60 * SECOND)
        self.dispatcher.offer()
        while self.messages:
            self._deliver(self.messages.pop(0))
        if self.copies and self.dice.random() < LATE:
            self._deliver(self.copies.pop(self.dice.randrange(len(self.copies))))

    def _deliver(self, due: Due) -> None:
        TASKS[due.kind](self.tools, due.stream.partition("/")[2], due.turn)

    def fights(self, state: RunState) -> None:
        """The match that is being played, to its end and until it is counted."""
        assert state.running is not None
        for _ in range(STEPS_MAX):
            match = self.handler.load(state.running.match)
            assert match is not None
            if match.is_counted:
                return
            if match.to_move() == "A":
                self.places(match)
            else:
                self.work()
        raise AssertionError(f"match {state.running.number} is not counted after so many steps")

    def places(self, match: MatchState) -> None:
        """The player's next stone: two placements ahead once the board has filled a little."""
        search = Search(match.position.game)
        (slot, square), *_ = order = search.ordered()
        if 1 < search.empty <= LOOKING_AHEAD:
            (slot, square), *_ = search.best(2, order)[0]
        move = MOVE_TEXTS[slot][square]
        answer = self.handler.handle(
            match.match,
            PlayMove("A", move, match.turn),
            actor=PLAYER,
            command_id=None,
            received_at=self.now,
        )
        assert not isinstance(answer, Refusal), answer

    def resigns(self, run: str) -> None:
        """The player gives up the match that is being played."""
        running = self.state(run).running
        assert running is not None
        self.handler.handle(
            running.match, Resign("A"), actor=PLAYER, command_id=None, received_at=self.now
        )

    def settle(self) -> None:
        """Deliver what is left, and let the dispatcher clear up."""
        self.lost = 0
        for _ in range(3):
            self.now += OFFER_US
            self.work()

    def grown(self) -> list[Outcome]:
        """What became of every task of growth."""
        return [report.outcome for report in self.reports if report.task == UPGRADE]

    def _publish(self, due: Due, _seconds: float) -> None:
        """A broker that loses one message in five and delivers every other twice or thrice."""
        if self.dice.random() >= self.lost:
            self.messages += [due, due]
            self.copies.append(due)

    def _seed(self) -> bytes:
        return self.dice.randbytes(32)
