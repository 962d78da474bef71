"""A season of matches under a clock and a broker that the seed alone decides.

People move, dawdle, offer and give up; computers answer through the real dispatcher and the
real turns. Messages are lost, doubled and late; workers die at any moment; servers restart with
nothing in memory. No thread, no real time: a seed that fails fails again.
"""

import random
from typing import Any

from events.log import CommandId, Namespace
from services.match import commands as cmd
from services.match.handler import Done, Handler
from services.match.refusals import Refusal
from services.projections.work_due import AI_TURN, DEADLINE, LESSON, work_rows
from services.ratings.handler import Opponents
from tests.kit import playouts
from tests.kit.desk import Desk, new_campaigns, new_handler
from workers import claims
from workers.ai_turns import play_ai_turn
from workers.deadlines import call_time
from workers.difficulty import learn_lesson
from workers.dispatcher import OFFER_US, Dispatcher
from workers.election import Election
from workers.engine_pool import EnginePool
from workers.engines.contract import Answer, Question
from workers.engines.registry import think
from workers.lanes import lanes
from workers.offers import Due
from workers.toolbox import Report, Toolbox

SECOND = 1_000_000
DAY = 86_400 * SECOND
STEPS_MAX = 3_000
LOST, DOUBLED, LATE, DIES = 0.2, 0.2, 0.3, 0.1
"""How often a message is lost, comes twice, waits for others; how often its worker dies."""


TASKS = {AI_TURN: play_ai_turn, DEADLINE: call_time, LESSON: learn_lesson}
"""What a worker does with a message."""


class WorkerDied(BaseException):
    """A worker process is gone in the middle of its task; nothing it held is given back."""


class Engines(EnginePool):
    """Engines in this process, which sometimes take their worker down with them."""

    def __init__(self, dice: random.Random) -> None:
        super().__init__(think)
        self._dice = dice

    def ask(self, question: Question, *_: Any, **__: Any) -> Answer:
        """The engine's answer, unless the worker dies while it thinks."""
        if self._dice.random() < DIES:
            raise WorkerDied
        return think(question)


def _fail(_office: str, error: Exception) -> None:
    raise error


class Season:
    """Some matches, their people, one dispatcher, one worker, and a broker full of faults.

    ``accidents`` are restarts of the server, takebacks and people who give up: each can save a
    match that is stuck.
    """

    def __init__(
        self, desk: Desk, seed: int, *, offer_us: int = OFFER_US, accidents: bool = True
    ) -> None:
        self.desk = desk
        self.offer_us = offer_us
        self.accidents = accidents
        self.dice = random.Random(seed)
        self.now = SECOND
        self.messages: list[Due] = []
        self.matches: list[str] = []
        self.reports: list[Report] = []
        self.handler: Handler
        self.tools: Toolbox
        self.dispatcher: Dispatcher
        self.starts = 0
        self.start_server()

    def start_server(self) -> None:
        """A server with nothing in memory, after whatever ended the last one."""
        self.starts += 1
        self.messages = []
        claims.clear_leases(self.desk.store)
        self.handler = new_handler(
            self.desk.log,
            levels=self.desk.levels,
            new_seed=lambda: self.dice.randbytes(32),
        )
        holder = f"server-{self.starts}"
        self.tools = Toolbox(
            store=self.desk.store,
            handler=self.handler,
            campaigns=new_campaigns(self.desk.log, self.handler),
            opponents=Opponents(self.desk.log, self.handler, self.desk.levels),
            levels=self.desk.levels,
            engines=Engines(self.dice),
            clock=lambda: self.now,
            worker=holder,
            observe=self.reports.append,
            sleep=self.doze,
        )
        ways = lanes(())
        self.dispatcher = Dispatcher(
            self.desk.log,
            self.desk.store,
            self.publish,
            lanes=ways,
            windows={lane.queue: 3 for lane in ways},
            election=Election(self.desk.store, "dispatcher", holder, lambda: self.now),
            clock=lambda: self.now,
            on_error=_fail,
            offer_us=self.offer_us,
        )

    def doze(self, seconds: float) -> None:
        """Time that passes while a worker keeps the pace of a hidden game."""
        self.now += int(seconds * SECOND)

    def publish(self, due: Due, _seconds: float) -> None:
        """A broker that loses, doubles and reorders."""
        copies = 0 if self.dice.random() < LOST else 1 + (self.dice.random() < DOUBLED)
        for _ in range(copies):
            late = self.dice.random() < LATE
            where = self.dice.randrange(len(self.messages) + 1) if late else len(self.messages)
            self.messages.insert(where, due)

    def open(self, variant: str, *seats: str, per_move_s: int = 0) -> None:
        """Open and start a match of Blokus; ``seats`` as in ``open_match``."""
        create = cmd.CreateMatch(game="blokus", ruleset={"variant": variant}, per_move_s=per_move_s)
        self.open_match(create, *seats)

    def open_match(self, create: cmd.CreateMatch, *seats: str) -> None:
        """Open and start a match; ``seats`` are player ids, or ``level-1`` for a computer.

        ``adaptive-1`` is one that follows the host and begins at that level.
        """
        people = [name for name in seats if name.startswith("p-")]
        host = f"player:{people[0] if people else 'p-host'}"
        key = CommandId(Namespace.OUTSIDE, f"match {len(self.matches)}")
        opened = self.handler.create(create, actor=host, command_id=key, received_at=self.now)
        assert isinstance(opened, Done)
        for seat, name in zip("ABCD", seats, strict=False):
            kind, _, number = name.partition("-")
            level = 0 if name in people else int(number)
            actor = host if level else f"player:{name}"
            take = cmd.TakeSeat(seat=seat, level=level, adaptive=kind == "adaptive")
            seated = self.ask(opened.match, take, actor)
            assert isinstance(seated, Done)
            if opened.state.terms.chance and not level:
                share = cmd.GiveEntropy(
                    seat, self.dice.randbytes(16).hex(), seated.state.seed_commit
                )
                assert isinstance(self.ask(opened.match, share, actor), Done)
        started = self.ask(opened.match, cmd.StartMatch(), host)
        assert isinstance(started, Done)
        self.matches.append(opened.match)

    def ask(
        self, match: str, command: cmd.MatchCommand, actor: str, key: str = ""
    ) -> Done | Refusal:
        """One command at the season's time."""
        command_id = CommandId(Namespace.OUTSIDE, key) if key else None
        return self.handler.handle(
            match, command, actor=actor, command_id=command_id, received_at=self.now
        )

    def play_out(self, steps_max: int = STEPS_MAX) -> int:
        """Step until every match has ended and is counted; the number of steps."""
        for step in range(steps_max):
            if not any(self.is_running(match) for match in self.matches):
                return step
            self.step()
        raise AssertionError(f"still running after {steps_max} steps: {self.matches}")

    def is_running(self, match: str) -> bool:
        """Whether the match still waits for somebody, or somebody for its result."""
        state = self.handler.load(match)
        return state is not None and (state.status == "running" or bool(work_rows(state)))

    def step(self) -> None:
        """Time goes on, and one thing happens."""
        self.now += self.dice.randrange(20 * SECOND)
        happening = self.dice.random()
        if happening < 0.35:
            self.dispatcher.offer()
        elif happening < 0.7:
            self.deliver()
        elif happening < 0.97:
            self.somebody_acts()
        elif happening < 0.99:
            if self.accidents:
                self.start_server()
        else:
            self.now += DAY

    def deliver(self) -> None:
        """A worker takes the next message; it may die before, in, or after its work."""
        if not self.messages:
            return
        due = self.messages.pop(0)
        try:
            TASKS[due.kind](self.tools, due.stream.removeprefix("match/"), due.turn)
        except WorkerDied:
            return

    def somebody_acts(self) -> None:
        """A person at some table moves, or now and then does something else."""
        match = self.dice.choice(self.matches)
        state = self.handler.load(match)
        assert state is not None
        people = [s for s in state.seat_names() if (h := state.holder(s)) and h.player]
        if not people:
            return
        seat = self.dice.choice(people)
        holder = state.holder(seat)
        assert holder is not None
        actor = f"player:{holder.player}"
        mood = self.dice.random()
        if mood < 0.05 and self.accidents:
            self.ask(match, cmd.MakeOffer(offer="takeback", seat=seat), actor)
        elif mood < 0.1:
            self.ask(match, cmd.MakeOffer(offer="draw", seat=seat), actor)
        elif mood < 0.13:
            self.ask(match, cmd.AnswerOffer(offer="takeback", seat=seat, yes=True), actor)
        elif mood < 0.135 and self.accidents:
            self.ask(match, cmd.Resign(seat=seat), actor)
        elif state.to_move() == seat:
            rules = state.the_game.rules
            choose, listed = playouts.chooser(rules.slug), rules.moves(state.position).texts
            move = choose(state.position, listed, playouts.Dice(self.dice))
            play = cmd.PlayMove(seat=seat, move=move, expected_turn=state.turn)
            for _ in range(1 + (self.dice.random() < DOUBLED)):
                self.ask(match, play, actor, key=f"{state.turn}")

    def settle(self) -> None:
        """Deliver what is left, and let the dispatcher clear up."""
        while self.messages:
            self.deliver()
        self.now += DAY
        self.dispatcher.offer()
