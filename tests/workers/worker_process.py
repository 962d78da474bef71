"""A worker as a process of its own, for tests that kill it: toy engines, a clock that stands."""

import sys

from tests.workers.own_queues import use_own_queues
from tests.workers.toy_engines import think
from tests.workers.workshop import workshop
from workers.celery_app import make_app
from workers.engine_pool import EnginePool
from workers.running import run_worker
from workers.tasks import add_tasks


def main(database: str, broker: str, suffix: str, name: str, now: str) -> None:
    """Work until SIGTERM."""
    use_own_queues(suffix)
    with workshop(database, EnginePool(think)) as shop:
        shop.clock.now = int(now)
        app = make_app(broker)
        add_tasks(app, shop.tools(name, engine_seconds=60))
        could = run_worker(app, name, slots=1, weights=["ai.quick"], on_stop=shop.engines.close)
    sys.exit(0 if could else 1)


if __name__ == "__main__":
    main(*sys.argv[1:])
