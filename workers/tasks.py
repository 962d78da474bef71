"""The tasks by their names on the wire, and how the dispatcher sends them.

Tasks are told a match (or run) and a turn, never more: everything else is in the log. They are
bound to an app and a toolbox, not to the module, so a process may hold several (tests do).
"""

from celery import Celery
from kombu.messaging import Producer

from services.projections.work_due import AI_TURN, DEADLINE, LESSON, RUN_STEP, UPGRADE
from workers.ai_turns import play_ai_turn
from workers.broker_line import BrokerLine
from workers.celery_app import BROKER_SECONDS, QUEUES
from workers.deadlines import call_time
from workers.difficulty import count_match, grow_opponents, learn_lesson
from workers.dispatcher import Publish
from workers.offers import Due
from workers.toolbox import Toolbox

TASK_OF_KIND = {
    AI_TURN: "plybook.play_ai_turn",
    DEADLINE: "plybook.call_time",
    RUN_STEP: "plybook.count_match",
    UPGRADE: "plybook.grow_opponents",
    LESSON: "plybook.learn_lesson",
}


def add_tasks(app: Celery, tools: Toolbox) -> None:
    """Make this process one that can do the work."""

    def play(match: str, turn: int) -> None:
        play_ai_turn(tools, match, turn)

    def call(match: str, turn: int) -> None:
        call_time(tools, match, turn)

    def count(match: str, turn: int) -> None:
        count_match(tools, match, turn)

    def grow(run: str, win: int) -> None:
        grow_opponents(tools, run, win)

    def learn(match: str, turn: int) -> None:
        learn_lesson(tools, match, turn)

    # Celery would share a task with every other app of the process.
    app.task(name=TASK_OF_KIND[AI_TURN], shared=False)(play)
    app.task(name=TASK_OF_KIND[DEADLINE], shared=False)(call)
    app.task(name=TASK_OF_KIND[RUN_STEP], shared=False)(count)
    app.task(name=TASK_OF_KIND[UPGRADE], shared=False)(grow)
    app.task(name=TASK_OF_KIND[LESSON], shared=False)(learn)


def task_publisher(app: Celery, line: BrokerLine) -> Publish:
    """How a due row becomes a task message, confirmed by the broker before it returns."""

    def publish(due: Due, seconds: float) -> None:
        def send(producer: Producer) -> None:
            app.send_task(
                TASK_OF_KIND[due.kind],
                args=[due.stream.partition("/")[2], due.turn],
                queue=QUEUES[due.queue],
                expires=seconds,  # no pile of old hints waits for a worker that was away
                producer=producer,
                confirm_timeout=BROKER_SECONDS,
            )

        line.publish(send)

    return publish
