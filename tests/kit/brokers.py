"""The in-process broker between tests: its queues live on a class, so somebody has to empty it."""

from collections.abc import Iterator
from contextlib import contextmanager

from kombu.transport import memory

MEMORY = "memory://localhost//"


@contextmanager
def memory_broker() -> Iterator[str]:
    """The URL of an empty in-process broker; emptied again at the end."""
    lose_all_messages()
    yield MEMORY
    lose_all_messages()


def lose_all_messages() -> int:
    """Empty every queue, as a broker does that is killed and keeps nothing; how many were lost."""
    queues = list(memory.Channel.queues.values())
    lost: int = sum(queue.qsize() for queue in queues)
    for queue in queues:
        queue.queue.clear()
    return lost
