"""``plybook warm``: engines compiled ahead, so that nobody waits for a compiler."""

import os
import time
from contextlib import closing

import click

from ops.commands.common import progress
from ops.refused import Refused
from ops.settings import SLOTS_MAX, cores
from workers.engine_pool import EnginePool
from workers.engines.kernels.cache import home, note_warm
from workers.engines.registry import ENGINES, think, warm
from workers.warming import warmed

IDLE = 19
"""The niceness of work that leaves the processor to everybody else."""


@click.command("warm")
@click.option(
    "--jobs",
    type=click.IntRange(1, SLOTS_MAX),
    default=None,
    help="Games to compile for at the same time (one a core).",
)
@click.option("--gently", is_flag=True, help="Leave the processor to everybody else.")
def command(*, jobs: int | None, gently: bool) -> None:
    """Compile what every engine needs, and keep it on the disk for all processes.

    Without this an engine is compiled when it is first asked, which takes its first turn some
    seconds longer. After an upgrade only what has changed is compiled.
    """
    if gently:
        os.setpriority(os.PRIO_PROCESS, 0, IDLE)
    begun, wrong = time.perf_counter(), 0
    pool = EnginePool(think, jobs or (1 if gently else cores()), warm)
    with closing(pool), progress() as bar:
        task = bar.add_task("engines", total=len(ENGINES))
        for one in warmed(tuple(ENGINES), pool.warm, pool.size):
            wrong += bool(one.wrong)
            said = one.wrong or f"ready after {one.seconds:.1f} s"
            click.echo(f"{one.number} of {one.of}: {one.engine} {one.version}, {said}")
            bar.update(task, completed=one.number)
    if wrong:
        raise Refused(f"{wrong} of {len(ENGINES)} engines cannot be made ready.")
    note_warm()
    click.echo(f"All engines are ready after {time.perf_counter() - begun:.1f} s, in {home()}.")
